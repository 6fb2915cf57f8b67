// The 13x13 range editor: painting, suits and sliders stay here; what was painted goes to Python.
const RANKS = "AKQJT98765432";
const SUITS = [
  { letter: "s", sign: "♠" },
  { letter: "h", sign: "♥" },
  { letter: "d", sign: "♦" },
  { letter: "c", sign: "♣" },
];
const NUM_COMBOS = 1326;

/** Combos in the order of `poker.combo_name`: (2c, 2d), (2c, 2h) ... (Ah, As). */
function makeCombos() {
  const combos = [];
  const ofClass = Array.from({ length: 169 }, () => []);
  for (let low = 0; low < 52; low++) {
    for (let high = low + 1; high < 52; high++) {
      const row = 12 - Math.floor(high / 4);
      const column = 12 - Math.floor(low / 4);
      const suited = high % 4 === low % 4;
      const cell = suited ? 13 * row + column : 13 * column + row;
      ofClass[cell].push(combos.length);
      combos.push({ high, low, cell });
    }
  }
  return { combos, ofClass };
}

const { combos: COMBOS, ofClass: OF_CLASS } = makeCombos();

function className(cell) {
  const [row, column] = [Math.floor(cell / 13), cell % 13];
  const [first, second] = [Math.min(row, column), Math.max(row, column)];
  return RANKS[first] + RANKS[second] + (row === column ? "" : row < column ? "s" : "o");
}

function card(number) {
  const suit = ["c", "d", "h", "s"][number % 4];
  return {
    rank: RANKS[12 - Math.floor(number / 4)],
    suit,
    sign: SUITS.find((one) => one.letter === suit).sign,
  };
}

export default {
  template: `
    <div class="re" role="group" :aria-label="label">
      <div class="re-grid" role="grid" :aria-label="label + ', 13 by 13'" ref="grid"
           @pointerdown="down" @pointermove="move" @pointerup="up" @pointercancel="up"
           @keydown="key" @contextmenu.prevent>
        <div v-for="row in 13" :key="row" role="row" class="re-row">
          <div v-for="column in 13" :key="column" role="gridcell" class="re-cell"
               :class="kinds[13 * (row - 1) + column - 1]"
               :data-cell="13 * (row - 1) + column - 1"
               :tabindex="13 * (row - 1) + column - 1 === focused ? 0 : -1"
               :aria-label="said(13 * (row - 1) + column - 1)"
               :aria-disabled="disabled"
               @focus="focused = 13 * (row - 1) + column - 1">
            <i class="re-fill" :style="{ height: 100 * means[13 * (row - 1) + column - 1] + '%' }"></i>
            <span :class="{ full: means[13 * (row - 1) + column - 1] > 0.85 }">{{ names[13 * (row - 1) + column - 1] }}</span>
          </div>
        </div>
      </div>
      <div class="re-count" aria-live="polite">{{ count }}</div>
      <div class="re-tools" v-if="!disabled">
        <label class="re-slider"><span>Weight</span>
          <input type="range" min="0" max="100" step="5" v-model.number="weight"
                 :aria-label="'Weight to paint, ' + label">
          <input type="number" class="eq-field" min="0" max="100" step="any" v-model.number="weight"
                 :aria-label="'Weight to paint in percent, ' + label"><span>%</span>
        </label>
        <label class="re-slider"><span>Best</span>
          <input type="range" min="0" max="100" step="0.5" v-model.number="top"
                 :aria-label="'Best hands, share of all, ' + label" @input="best" @change="best(); tellAll()">
          <input type="number" class="eq-field" min="0" max="100" step="any" v-model.number="top"
                 :aria-label="'Best hands in percent, ' + label" @change="best(); tellAll()"><span>%</span>
        </label>
        <div class="re-buttons">
          <button type="button" class="eq-button" @click="all(0)">Clear</button>
          <button type="button" class="eq-button" @click="invert">Invert</button>
          <button type="button" class="eq-button" @click="open(focused)"
                  :aria-label="'Suits of ' + names[focused]">Suits of {{ names[focused] }}</button>
        </div>
      </div>
      <dialog class="re-suits" ref="suits" @close="closed" @click="outside"
              :aria-label="'Suits of ' + names[shown]">
        <div class="re-suits-head"><b>{{ names[shown] }}</b>
          <button type="button" class="eq-button" @click="every(painted())">All {{ percent(painted()) }}</button>
          <button type="button" class="eq-button" @click="every(0)">None</button>
          <button type="button" class="eq-button" @click="$refs.suits.close()">Done</button>
        </div>
        <div class="re-suits-grid" :class="'n' + choices.length">
          <button v-for="one in choices" :key="one.combo" type="button" :aria-pressed="one.weight > 0"
                  @click="flip(one.combo)" :aria-label="one.name + ' ' + percent(one.weight)">
            <i class="re-fill" :style="{ height: 100 * one.weight + '%' }"></i>
            <span class="re-cards"><b v-for="c in one.cards" :class="'eq-' + c.suit">{{ c.rank }}{{ c.sign }}</b></span>
            <small>{{ percent(one.weight) }}</small>
          </button>
        </div>
      </dialog>
    </div>`,
  props: {
    given: { type: Object, required: true }, // {turn, weights}: a new turn replaces what is here
    ranking: { type: Array, default: () => [] },
    label: { type: String, default: "Range" },
    disabled: { type: Boolean, default: false },
  },
  data() {
    return {
      means: new Array(169).fill(0),
      focused: 0,
      shown: 0,
      weight: 100,
      top: 0,
      total: 0,
      choices: [],
    };
  },
  computed: {
    count() {
      const share = (100 * this.total) / NUM_COMBOS;
      const combos = Number(this.total.toFixed(2)).toLocaleString("en-US");
      return `${combos} combos (${share.toFixed(1)} %)`;
    },
  },
  watch: {
    given(now) {
      if (now.turn !== this.turn) this.load(now);
    },
  },
  created() {
    this.names = Array.from({ length: 169 }, (_, cell) => className(cell));
    this.kinds = this.names.map((_, cell) => (cell % 14 === 0 ? "pair" : ""));
    this.weights = new Float64Array(NUM_COMBOS);
    this.untold = new Map(); // combo -> weight: painted since Python was last told
    this.load(this.given);
  },
  methods: {
    load(given) {
      this.turn = given.turn;
      this.weights.set(given.weights);
      for (const [combo, weight] of this.untold) this.weights[combo] = weight;
      for (let cell = 0; cell < 169; cell++) this.draw(cell, false);
      this.sum();
      if (this.$refs.suits?.open) this.list();
    },
    draw(cell, sums = true) {
      let sum = 0;
      for (const combo of OF_CLASS[cell]) sum += this.weights[combo];
      this.means[cell] = sum / OF_CLASS[cell].length;
      if (sums) this.sum();
    },
    sum() {
      let total = 0;
      for (const weight of this.weights) total += weight;
      this.total = total;
    },
    percent(weight) {
      return `${Number((100 * weight).toFixed(2))} %`;
    },
    said(cell) {
      const mixed = OF_CLASS[cell].some((c) => this.weights[c] !== this.weights[OF_CLASS[cell][0]]);
      return `${this.names[cell]} ${this.percent(this.means[cell])}${mixed ? ", suits differ" : ""}`;
    },
    fill(cell, weight) {
      for (const combo of OF_CLASS[cell]) this.set(combo, weight);
      this.draw(cell);
    },
    set(combo, weight) {
      this.weights[combo] = weight;
      this.untold.set(combo, weight);
    },
    painted() {
      return Math.min(Math.max(Number(this.weight) || 0, 0), 100) / 100;
    },
    /** The first cell decides: one that has the weight of the slider is cleared, else it is set. */
    start(cell) {
      const weight = this.painted();
      const same = OF_CLASS[cell].every((combo) => Math.abs(this.weights[combo] - weight) < 1e-9);
      this.painting = same ? 0 : weight;
      this.fill(cell, this.painting);
    },
    cellAt(x, y) {
      const found = document.elementFromPoint(x, y)?.closest("[data-cell]");
      return found && this.$refs.grid.contains(found) ? Number(found.dataset.cell) : null;
    },
    down(event) {
      if (this.disabled || event.button > 0) return;
      const cell = this.cellAt(event.clientX, event.clientY);
      if (cell === null) return;
      event.preventDefault();
      this.focus(cell);
      if (event.shiftKey) return this.open(cell);
      this.$refs.grid.setPointerCapture(event.pointerId);
      this.last = cell;
      this.start(cell);
    },
    move(event) {
      if (this.painting === undefined || this.painting === null || !event.buttons) return;
      const events = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
      for (const one of events.length ? events : [event]) {
        const cell = this.cellAt(one.clientX, one.clientY);
        if (cell === null || cell === this.last) continue;
        this.last = cell;
        this.fill(cell, this.painting);
      }
    },
    up() {
      if (this.painting === undefined || this.painting === null) return;
      this.painting = null;
      this.tell();
    },
    focus(cell) {
      this.focused = cell;
      this.$refs.grid.querySelector(`[data-cell="${cell}"]`).focus({ preventScroll: true });
    },
    key(event) {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const step = steps[event.key];
      if (step) {
        const row = Math.min(Math.max(Math.floor(this.focused / 13) + step[0], 0), 12);
        const column = Math.min(Math.max((this.focused % 13) + step[1], 0), 12);
        this.focus(13 * row + column);
        if (event.shiftKey && !this.disabled) {
          this.fill(this.focused, this.brush ?? this.painted());
          this.tell();
        }
      } else if (event.key === "Home" || event.key === "End") {
        this.focus(13 * Math.floor(this.focused / 13) + (event.key === "End" ? 12 : 0));
      } else if ((event.key === " " || event.key === "Enter") && !this.disabled) {
        this.start(this.focused);
        this.brush = this.painting;
        this.painting = null;
        this.tell();
      } else if (event.key.toLowerCase() === "s" && !event.ctrlKey && !event.metaKey) {
        if (!this.disabled) this.open(this.focused);
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
    open(cell) {
      this.shown = cell;
      this.list();
      this.$refs.suits.showModal();
    },
    list() {
      const found = OF_CLASS[this.shown].map((combo) => {
        const cards = [card(COMBOS[combo].high), card(COMBOS[combo].low)];
        const name = cards.map((c) => c.rank + c.suit).join("");
        return { combo, cards, name, weight: this.weights[combo] };
      });
      this.choices = found.reverse();
    },
    flip(combo) {
      const weight = this.painted();
      this.set(combo, Math.abs(this.weights[combo] - weight) < 1e-9 ? 0 : weight);
      this.draw(this.shown);
      this.list();
      this.changed = true;
    },
    every(weight) {
      this.fill(this.shown, weight);
      this.list();
      this.changed = true;
    },
    outside(event) {
      if (event.target === this.$refs.suits) this.$refs.suits.close();
    },
    closed() {
      this.focus(this.shown);
      if (this.changed) this.tell();
      this.changed = false;
    },
    all(weight) {
      for (let combo = 0; combo < NUM_COMBOS; combo++) this.set(combo, weight);
      for (let cell = 0; cell < 169; cell++) this.draw(cell, false);
      this.sum();
      this.tell();
    },
    invert() {
      for (let combo = 0; combo < NUM_COMBOS; combo++) {
        this.weights[combo] = Number((1 - this.weights[combo]).toFixed(6));
      }
      for (let cell = 0; cell < 169; cell++) this.draw(cell, false);
      this.sum();
      this.tell(true);
    },
    /** A preview, as `Range.top`: whole classes, best first, as long as the next one fits. */
    best() {
      this.weights.fill(0);
      const most = (Math.min(Math.max(Number(this.top) || 0, 0), 100) / 100) * NUM_COMBOS + 1e-9;
      let used = 0;
      for (const cell of this.ranking) {
        used += OF_CLASS[cell].length;
        if (used > most) break;
        for (const combo of OF_CLASS[cell]) this.weights[combo] = 1;
      }
      for (let cell = 0; cell < 169; cell++) this.draw(cell, false);
      this.sum();
    },
    tellAll() {
      for (let combo = 0; combo < NUM_COMBOS; combo++) this.set(combo, this.weights[combo]);
      this.tell();
    },
    /** Python applies the change to its own weights where a new text has not reached the grid. */
    tell(inverted = false) {
      const [weights, changed] = [Array.from(this.weights), [...this.untold]];
      this.untold.clear();
      this.$emit("painted", { turn: this.turn, weights, changed, inverted });
    },
  },
};
