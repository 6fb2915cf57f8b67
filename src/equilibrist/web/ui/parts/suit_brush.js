// Of which suits the combos are that a brush paints: those of the higher card down, of the lower across.
import { html, ref } from "../core/html.js";
import { t } from "../core/texts.js";
import { signOf, SUITS_DOWN } from "../poker/cards.js";
import { OFFSUIT, SUITED } from "../poker/ranges.js";

const SIDE = SUITS_DOWN.length + 1; // with the headings
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE };
const ROWS = [0, 1, 2, 3];
const cellsOf = { row: (k) => ROWS.map((j) => 4 * k + j), column: (k) => ROWS.map((j) => 4 * j + k) };
const ALL = ROWS.flatMap(cellsOf.row);

// `chosen` says of each of the 16 pairs of suits whether it is painted; `choose` is told all of them.
export const SuitBrush = {
  props: { chosen: Array, label: String },
  emits: ["choose"],
  setup(props, { emit }) {
    const [root, reached] = [ref(null), ref(SIDE + 1)];

    // All of these, or none of them where all are chosen already.
    function flip(places) {
      const isSet = !places.every((place) => props.chosen[place]);
      emit("choose", props.chosen.map((was, place) => (places.includes(place) ? isSet : was)));
    }
    function press(event) {
      const by = STEPS[event.key];
      if (!by) return;
      event.preventDefault();
      const at = reached.value + by;
      const isInRow = Math.abs(by) > 1 || Math.floor(at / SIDE) === Math.floor(reached.value / SIDE);
      if (isInRow) root.value.querySelector(`[data-at="${at}"]`)?.focus();
    }

    // A heading stands for its whole row or column, and is pressed where all of that is chosen.
    const button = (at, places, label, shown, suit) => html`
      <button key=${at} type="button" class=${suit && `eq-${suit}`} data-at=${at} aria-label=${label} translate="no"
        aria-pressed=${String(places.every((place) => props.chosen[place]))} tabindex=${at === reached.value ? 0 : -1}
        onFocus=${() => (reached.value = at)} onClick=${() => flip(places)}>${shown}</button>`;
    const heading = (kind, k) => {
      const suit = SUITS_DOWN[k];
      const label = t(`range.suited.${kind}`, { suit: t(`suit.${suit}`) });
      return button(kind === "row" ? SIDE * (k + 1) : k + 1, cellsOf[kind](k), label, signOf(suit), suit);
    };
    const pair = (row) => (column) => {
      const [first, second] = [SUITS_DOWN[row], SUITS_DOWN[column]];
      const label = t("range.suited.pair", { first: t(`suit.${first}`), second: t(`suit.${second}`) });
      const shown = [first, second].map((suit) => html`<span key=${suit} class=${`eq-${suit}`}>${signOf(suit)}</span>`);
      return button(SIDE * (row + 1) + column + 1, [4 * row + column], label, shown);
    };
    const quick = (name, wanted) => html`
      <button class="eq-button" type="button" onClick=${() => emit("choose", [...wanted])}
        aria-pressed=${String(wanted.every((is, place) => is === props.chosen[place]))}>
        ${t(`range.suited.${name}`)}
      </button>`;
    return () => html`
      <div class="eqp-suit-pairs" role="group" aria-label=${props.label} data-keys onKeydown=${press} ref=${root}>
        ${button(0, ALL, t("range.suited.every"), t("range.suited.any"))}
        ${ROWS.map((k) => heading("column", k))}
        ${ROWS.map((row) => [heading("row", row), ROWS.map(pair(row))])}
      </div>
      <div class="eq-row eqp-brushes">${quick("same", SUITED)}${quick("different", OFFSUIT)}</div>`;
  },
};
