// How often the AI takes each action: over its whole range, which reveals no card, or with its hand.
import { computed, html, ref, shallowRef, watch } from "../../core/html.js";
import { percentage } from "../../core/numbers.js";
import { get, Refusal } from "../../core/source.js";
import { pieces, t } from "../../core/texts.js";
import { actionWord, holdingsOf, inEnglish, whoName } from "./words.js";

// `who` has a name and a seat: AI (OOP).
function seated(who) {
  const [, name, seat] = /^(.*?) \((.*)\)$/.exec(who) ?? [null, who, ""];
  return pieces("scene.seated", { who: whoName(name), seat: inEnglish(seat) });
}

// Of the hand in progress at `table`, a document; `name` is what requests of it begin with.
export const Mixture = {
  props: { table: Object, name: String, isBusy: Boolean },
  emits: ["reveal"],
  setup(props, { emit }) {
    const isOpen = ref(false);
    const ranges = shallowRef(null);
    const turn = computed(() => props.table.turn);
    // The moves of the AI with the probabilities that they were drawn from, where they may be seen.
    const exact = computed(() => {
      const { moves } = turn.value ?? props.table.over;
      const isDeal = (move) => turn.value && move.player === null && props.table.kind === "game";
      return moves?.filter((move) => move.mixture || isDeal(move)) ?? null;
    });
    const known = computed(() => {
      if (!ranges.value || !turn.value) return null;
      const { hand, move, decisions } = ranges.value; // of another moment, if they come late
      return hand === turn.value.hand && move === turn.value.move ? decisions : null;
    });

    async function look() {
      if (!isOpen.value || !turn.value || exact.value || !props.table.has_ranges) return;
      try {
        ranges.value = await get(`${props.name}/ranges`);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal; // the hand is over, and all of it is shown
      }
    }

    function open(event) {
      if (event.target.open === isOpen.value) return;
      isOpen.value = event.target.open;
      look();
    }

    watch(() => [turn.value?.hand, turn.value?.move, props.table.revealed].join(), look);

    function says() {
      if (exact.value) return t(exact.value.length ? "mixture.exact" : "mixture.exact.none");
      if (!props.table.has_ranges) return t("mixture.no-ranges");
      if (!known.value) return t("mixture.waiting");
      return t(known.value.length ? "mixture.ranges" : "mixture.none");
    }

    function where({ who, line, holdings }) {
      const many = holdingsOf(props.table, holdings);
      if (line === null) return pieces("mixture.at", { who: seated(who), many });
      if (!line) return pieces("mixture.at.root", { who: seated(who), many });
      return pieces("mixture.at.line", { who: seated(who), many, line: inEnglish(line) });
    }

    function rows() {
      if (!exact.value) return (known.value ?? []).map((one) => [where(one), one.actions]);
      return exact.value.map((move) => {
        const who = whoName(move.who);
        if (!move.mixture) return [who, [{ word: move.word, frequency: null, taken: false }]];
        const actions = move.mixture.map((row) => ({ ...row, taken: row.word === move.word }));
        return [pieces("mixture.at", { who, many: inEnglish(move.infoset) }), actions];
      });
    }

    function action({ word, frequency, taken }, k) {
      const share = frequency === null ? "" : ` ${percentage(frequency)}`;
      return html`${k ? ", " : ""}<span class=${{ "pl-taken": taken }}>${actionWord(word)}${share}</span>`;
    }

    const table = (found) => html`
      <table class="pl-table" data-part="mixture"><tbody>
        ${found.map(([at, actions], k) => html`<tr key=${k}><td>${at}</td><td>${actions.map(action)}</td></tr>`)}
      </tbody></table>`;

    const reveal = () => html`
      <button class="eq-button" type="button" aria-pressed=${String(props.table.revealed)} disabled=${props.isBusy}
        onClick=${() => emit("reveal", !props.table.revealed)}>
        ${t(props.table.revealed ? "mixture.hide" : "mixture.show")}
      </button>`;

    function shown() {
      const found = rows();
      return html`
        <div class="pl-said">
          <span class="eq-small eq-muted">${says()}</span>
          ${turn.value && reveal()}
        </div>
        ${found.length > 0 && table(found)}`;
    }

    return () => html`
      <details class="eq-panel pl-ai" open=${isOpen.value} onToggle=${open}>
        <summary>${t("mixture")}</summary>
        ${isOpen.value && shown()}
      </details>`;
  },
};
