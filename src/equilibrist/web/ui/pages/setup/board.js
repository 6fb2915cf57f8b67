// The board: 52 cards to choose from, and the same as a text.
import { computed, html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { CardPicker } from "../../parts/card_picker.js";
import { cardName, RANKS_DOWN } from "../../poker/cards.js";
import { SpotField } from "./field.js";
import { STREETS } from "./store.js";

const CARD = /(10|[2-9tjqka])\s*([cdhs♣♦♥♠])/gi;
const SIGNS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

// The cards in a text, as far as it can be read.
function cardsIn(text) {
  const found = [...text.matchAll(CARD)].map(([, rank, suit]) => {
    const letter = suit.toLowerCase();
    return (rank === "10" ? "T" : rank.toUpperCase()) + (SIGNS[letter] ?? letter);
  });
  return [...new Set(found)];
}

// The lowest rank of a deck: 6, or short for 36 cards.
const lowestOf = (deck) => {
  const rank = deck.trim().toUpperCase().slice(0, 1);
  if (/^short/i.test(deck.trim())) return "6";
  return RANKS_DOWN.includes(rank) ? rank : "2";
};

function randomBoard(lowest, count) {
  const deck = Array.from({ length: 52 }, (_, card) => cardName(card))
    .filter((name) => RANKS_DOWN.indexOf(name[0]) <= RANKS_DOWN.indexOf(lowest));
  for (let k = 0; k < count; k += 1) {
    const other = k + Math.floor(Math.random() * (deck.length - k));
    [deck[k], deck[other]] = [deck[other], deck[k]];
  }
  return deck.slice(0, count).join("");
}

export const Board = {
  props: { store: Object },
  setup({ store }) {
    const chosen = computed(() => cardsIn(store.form.value.board));
    const lowest = computed(() => lowestOf(store.form.value.deck));
    // Of three players a flop takes much time and memory.
    const random = () => (store.isOfThree.value ? 4 : 3);
    const put = (board) => store.change({ board });
    const street = () =>
      store.first.value !== null && t(`spot.begins.${STREETS[store.first.value]}`);
    return () => html`
      <section class="eq-panel eq-stack" aria-label=${t("spot.board")}>
        <div class="eq-row">
          <h2 class="eq-grow">${t("spot.board")}</h2>
          <span class="eq-small eq-muted">${street()}</span>
        </div>
        <${SpotField} store=${store} name="board" label=${t("spot.cards")} help=${t("spot.cards.help")} />
        <${CardPicker} chosen=${chosen.value} most=${5} label=${t("spot.cards.all")} lowest=${lowest.value}
          onChoose=${(cards) => put(cards.join(""))} />
        <div class="eq-row">
          <button class="eq-button" type="button" onClick=${() => put(randomBoard(lowest.value, random()))}>
            ${t(store.isOfThree.value ? "spot.random.turn" : "spot.random")}
          </button>
          <button class="eq-button" type="button" aria-label=${t("spot.board.clear")} onClick=${() => put("")}>
            ${t("range.clear")}
          </button>
        </div>
      </section>`;
  },
};
