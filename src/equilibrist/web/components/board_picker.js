// 52 cards to choose a board from.
const RANKS = "AKQJT98765432";
const SUITS = [
  { letter: "s", sign: "♠", name: "spades" },
  { letter: "h", sign: "♥", name: "hearts" },
  { letter: "d", sign: "♦", name: "diamonds" },
  { letter: "c", sign: "♣", name: "clubs" },
];
const NAMES = { A: "Ace", K: "King", Q: "Queen", J: "Jack", T: "Ten" };

export default {
  template: `
    <div class="bp" role="group" :aria-label="label" @keydown="key" ref="cards">
      <div v-for="(suit, row) in suits" :key="suit.letter" class="bp-row">
        <button v-for="(rank, column) in ranks" :key="rank" type="button" class="bp-card"
                :class="'eq-' + suit.letter" :data-at="13 * row + column"
                :aria-pressed="cards.includes(rank + suit.letter)"
                :aria-label="name(rank) + ' of ' + suit.name"
                :tabindex="13 * row + column === focused ? 0 : -1"
                :disabled="full && !cards.includes(rank + suit.letter)"
                @focus="focused = 13 * row + column"
                @click="flip(rank + suit.letter)">{{ rank }}<small>{{ suit.sign }}</small></button>
      </div>
    </div>`,
  props: {
    given: { type: Object, required: true }, // {turn, cards}
    label: { type: String, default: "Board" },
    most: { type: Number, default: 5 },
  },
  data() {
    return { cards: [], focused: 0, ranks: [...RANKS], suits: SUITS };
  },
  computed: {
    full() {
      return this.cards.length >= this.most;
    },
  },
  watch: {
    given(now) {
      if (now.turn !== this.turn) this.load(now);
    },
  },
  created() {
    this.load(this.given);
  },
  methods: {
    load(given) {
      this.turn = given.turn;
      this.cards = [...given.cards];
    },
    name(rank) {
      return NAMES[rank] || rank;
    },
    flip(card) {
      const at = this.cards.indexOf(card);
      if (at >= 0) this.cards.splice(at, 1);
      else this.cards.push(card);
      this.$emit("chosen", { cards: [...this.cards] });
    },
    key(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
      if (!step) return;
      event.preventDefault();
      let next = this.focused + step;
      while (next >= 0 && next < 52) {
        const found = this.$refs.cards.querySelector(`[data-at="${next}"]`);
        if (!found.disabled) return found.focus();
        next += step;
      }
    },
  },
};
