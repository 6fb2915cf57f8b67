// 52 cards, of which a few are chosen.
import { html, ref } from "../core/html.js";
import { hasText, t } from "../core/texts.js";
import { cardText, RANKS_DOWN, SUITS_DOWN } from "../poker/cards.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
const nameOf = (rank, suit) => {
  const sign = rank === "T" ? "10" : rank;
  const word = hasText(`card.rank.${sign}`) ? t(`card.rank.${sign}`) : sign;
  return t("card.name", { rank: word, suit: t(`suit.${suit}`) });
};

// `chosen` are names such as Qs, at most `most`; `choose` is told them all. Of a rank below `lowest`
// there are no cards.
export const CardPicker = {
  props: { chosen: Array, most: Number, label: String, lowest: { type: String, default: "2" } },
  emits: ["choose"],
  setup(props, { emit }) {
    const root = ref(null);
    const reached = ref(0);

    function flip(card) {
      const { chosen } = props;
      emit("choose", chosen.includes(card) ? chosen.filter((one) => one !== card) : [...chosen, card]);
    }

    // The next card of the row or the column that can be chosen.
    function press(event) {
      const by = STEPS[event.key];
      if (!by) return;
      event.preventDefault();
      for (let at = reached.value + by; at >= 0 && at < 52; at += by) {
        const button = root.value.querySelector(`[data-at="${at}"]`);
        if (!button.disabled) {
          button.focus();
          return;
        }
      }
    }

    const isOut = (rank) => RANKS_DOWN.indexOf(rank) > RANKS_DOWN.indexOf(props.lowest);
    const card = (suit, row) => (rank, column) => {
      const [name, at] = [rank + suit, 13 * row + column];
      const isChosen = props.chosen.includes(name);
      return html`
        <button key=${name} type="button" class=${`eqp-choice eq-${suit}`} data-at=${at} translate="no"
          aria-pressed=${String(isChosen)} aria-label=${nameOf(rank, suit)} tabindex=${at === reached.value ? 0 : -1}
          disabled=${!isChosen && (props.chosen.length >= props.most || isOut(rank))}
          onFocus=${() => (reached.value = at)} onClick=${() => flip(name)}>${cardText(name)}</button>`;
    };
    return () => html`
      <div class="eqp-cards" role="group" data-keys aria-label=${props.label} onKeydown=${press} ref=${root}>
        ${SUITS_DOWN.map((suit, row) => html`<div key=${suit}>${RANKS_DOWN.map(card(suit, row))}</div>`)}
      </div>`;
  },
};
