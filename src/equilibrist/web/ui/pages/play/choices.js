// The actions that one may choose, by buttons and the keys 1 to 9; or what comes next, by Enter.
import { html, nextTick, ref, watch } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { t } from "../../core/texts.js";
import { roleColour } from "../../poker/colours.js";
import { actionWord } from "./words.js";

const KEYS = 9;

// Of `turn`, null where nothing is to be chosen; `isGame` that actions may have a label besides. `keys`
// are those of these choices (`own`), or of the page, which shows them (`page`) or not (`none`).
export const Choices = {
  props: { turn: Object, isBusy: Boolean, isGame: Boolean, next: String, keys: { type: String, default: "own" } },
  emits: ["choose", "next"],
  setup(props, { emit, slots }) {
    const go = ref(null);
    const choose = (k) => props.turn && k < props.turn.actions.length && emit("choose", k);
    const digits = Array.from({ length: KEYS }, (_, k) => [String(k + 1), () => choose(k)]);
    if (props.keys === "own") onKeys({ ...Object.fromEntries(digits), Enter: () => !props.turn && emit("next") });
    watch(
      () => props.turn === null,
      (isOver) => nextTick(() => {
        if (isOver && document.activeElement === document.body) go.value?.focus({ preventScroll: true });
      }),
    );

    const hasKey = (k) => k < KEYS && props.keys !== "none";
    const named = ({ word, label }) => actionWord(word === label || !props.isGame ? word : `${word} (${label})`);

    const action = (one, k) => html`
      <button class="pl-action" type="button" key=${k} disabled=${props.isBusy} onClick=${() => choose(k)}
        style=${{ "--pl-colour": roleColour(one.role, one.word) }}
        aria-keyshortcuts=${hasKey(k) ? String(k + 1) : null}>
        ${named(one)}${hasKey(k) && html`<kbd aria-hidden="true">${k + 1}</kbd>`}
      </button>`;

    return () => (props.turn
      ? html`
        <div class="pl-actions" role="group" aria-label=${t("play.actions")}>${props.turn.actions.map(action)}</div>`
      : html`
        <div class="pl-actions">
          <button class="eq-button eq-primary pl-next" type="button" ref=${go} disabled=${props.isBusy}
            aria-keyshortcuts=${hasKey(0) ? "Enter" : null} onClick=${() => emit("next")}>
            ${props.next}${hasKey(0) && html`<kbd aria-hidden="true">${t("key.enter")}</kbd>`}
          </button>
          ${slots.default?.()}
        </div>`);
  },
};
