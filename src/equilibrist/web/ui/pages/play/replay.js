// A hand that is over, move by move.
import { computed, html, ref, watch } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { percentage } from "../../core/numbers.js";
import { pieces, t } from "../../core/texts.js";
import { Coach } from "./coach.js";
import { result } from "./result.js";
import { Scene } from "./scene.js";
import { actionWord, inEnglish, moveWords } from "./words.js";

// `hand` of the table `place`.
export const Replay = {
  props: { hand: Object, place: Object },
  emits: ["close"],
  setup(props, { emit }) {
    const last = computed(() => props.hand.moves.length - 1);
    const first = computed(() => (props.hand.scenes ? props.hand.moves.length - props.hand.scenes.length : 0));
    const step = ref(first.value);
    watch(() => props.hand, () => (step.value = first.value));
    const move = computed(() => props.hand.moves[Math.min(step.value, last.value)]);
    const go = (by) => (step.value = Math.min(Math.max(step.value + by, first.value), last.value));
    onKeys({ ArrowLeft: () => go(-1), ArrowRight: () => go(1), Escape: () => emit("close") });

    function said() {
      const { decision, mixture, word } = move.value;
      if (decision) return html`<${Coach} said=${decision} place=${props.place} />`;
      if (!mixture) return html`<div class="eq-muted">${pieces("replay.chance", { word: inEnglish(word) })}</div>`;
      return html`
        <div>${pieces("replay.drew", { word: actionWord(word) })}</div>
        <ul class="eq-small">
          ${mixture.map((row) => html`<li>${actionWord(row.word)} ${percentage(row.frequency)}</li>`)}
        </ul>`;
    }

    const button = (text, key, isOff, act) => html`
      <button class="eq-button" type="button" disabled=${isOff} aria-keyshortcuts=${key} onClick=${act}>
        ${text}
      </button>`;

    return () => html`
      <h2>${t("replay", { hand: props.hand.hand })}</h2>
      ${props.hand.scenes && html`<${Scene} scene=${props.hand.scenes[step.value - first.value]} />`}
      <div class="pl-steps">
        ${button(t("replay.back"), "ArrowLeft", step.value <= first.value, () => go(-1))}
        ${button(t("replay.forward"), "ArrowRight", step.value >= last.value, () => go(1))}
        ${button(t("replay.close"), "Escape", false, () => emit("close"))}
        <span class="eq-num" role="status">
          ${pieces("replay.at", { step: step.value + 1, steps: last.value + 1, move: moveWords(move.value) })}
        </span>
      </div>
      <section class="eq-panel pl-coach" aria-label=${t("coach")}>
        ${said()}
        ${step.value === last.value && result(props.hand, props.place)}
      </section>`;
  },
};
