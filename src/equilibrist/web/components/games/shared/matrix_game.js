// A matrix game: payoffs with the mixtures on the margins, and the way of an algorithm on the
// simplex: of two actions on a segment, of three in a triangle, 2x2 games in a square as well.
import { api, query } from "./api.js";
import { number, playerColour, probability } from "./numbers.js";

const ALGORITHMS = ["cfr", "cfr+", "dcfr", "lcfr", "pcfr+", "pcfr", "hedge"];
const SIZE = 300;
const EDGE = 34;

export const MatrixGame = {
  template: `
  <section class="eq-stack" aria-label="Table of payoffs">
    <form class="eq-row" @submit.prevent="load">
      <label class="eq-row">Algorithm
        <select class="eq-field" v-model="algorithm" @change="load"><option v-for="a in algorithms" :key="a">{{ a }}</option></select></label>
      <label class="eq-row">Iterations
        <input class="eq-field eq-num" type="number" min="1" max="5000" v-model.number="iterations" @change="load" style="width: 6.5rem"></label>
      <label class="eq-row">Updates
        <select class="eq-field" v-model="alternating" @change="load"><option :value="true">alternating</option><option :value="false">simultaneous</option></select></label>
      <label class="eq-row">Begin with
        <select class="eq-field" v-model="begin" @change="load"><option value="uniform">uniform play</option><option value="first">the first action</option></select></label>
    </form>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <template v-if="game">
      <div class="eq-row">
        <label class="eq-row eq-grow">Iteration {{ moment.iteration }}
          <input class="eq-grow" type="range" min="0" :max="game.moments.length - 1" v-model.number="at" aria-label="Iteration"></label>
        <button class="eq-button" @click="play">{{ timer ? 'Pause' : 'Play' }}</button>
      </div>
      <div class="eqg-matrix">
        <div class="eq-scroll" role="region" tabindex="0" aria-label="Payoffs">
          <table class="eq-table eqg-payoff-table">
            <caption class="eq-small eq-muted">Payoffs of player 0 (rows) and player 1 (columns); beside the actions, their average probability and their payoff against the other player's average strategy. Best responses are marked.</caption>
            <thead>
              <tr><th colspan="3"></th><th v-for="c in game.columns" :key="c" class="eq-right">{{ c }}</th></tr>
              <tr><th></th><th class="eq-right">average</th><th class="eq-right">earns</th>
                <td v-for="(c, k) in game.columns" :key="c" class="eq-right" :class="{'eqg-best-cell': isBest(1, k)}"><b>{{ share(moment.average[1][k]) }}</b><br><span class="eq-muted">{{ show(earns[1][k]) }}{{ isBest(1, k) ? ' best' : '' }}</span></td></tr>
            </thead>
            <tbody><tr v-for="(r, i) in game.rows" :key="r"><th scope="row">{{ r }}</th>
              <td class="eq-right" :class="{'eqg-best-cell': isBest(0, i)}"><b>{{ share(moment.average[0][i]) }}</b></td>
              <td class="eq-right" :class="{'eqg-best-cell': isBest(0, i)}">{{ show(earns[0][i]) }}{{ isBest(0, i) ? ' best' : '' }}</td>
              <td v-for="(cell, k) in game.payoffs[i]" :key="k" class="eq-right eqg-cell"><span :style="{color: 'var(--eqg-p0)'}">{{ show(cell[0]) }}</span>, <span :style="{color: 'var(--eqg-p1)'}">{{ show(cell[1]) }}</span></td>
            </tr></tbody>
          </table>
        </div>
        <figure v-for="picture in pictures" :key="picture.title" class="eqg-simplex">
          <figcaption class="eq-small">{{ picture.title }}</figcaption>
          <svg :viewBox="'0 0 ' + size + ' ' + picture.height" :width="size" :height="picture.height" role="img"
            :aria-label="picture.title + ': the path of the average and of the current strategy'">
            <polygon class="eqg-frame" :points="picture.frame"/>
            <text v-for="(corner, k) in picture.corners" :key="k" class="eqg-tick" :text-anchor="corner.anchor" :x="corner.x" :y="corner.y">{{ corner.text }}</text>
            <polyline class="eqg-current" :points="picture.current"/>
            <polyline class="eqg-average" :points="picture.average"/>
            <circle class="eqg-current-dot" :cx="picture.nowCurrent[0]" :cy="picture.nowCurrent[1]" r="4"/>
            <circle class="eqg-average-dot" :cx="picture.nowAverage[0]" :cy="picture.nowAverage[1]" r="5"/>
          </svg>
        </figure>
        <p v-if="!pictures.length" class="eq-muted">A simplex is drawn for players with two or three actions.</p>
      </div>
      <p class="eq-row eq-small"><span class="eqg-key"><svg width="26" height="8" aria-hidden="true"><line class="eqg-average" x1="0" x2="26" y1="4" y2="4"/></svg>average strategy</span>
        <span class="eqg-key"><svg width="26" height="8" aria-hidden="true"><line class="eqg-current" x1="0" x2="26" y1="4" y2="4"/></svg>current strategy</span></p>
    </template>
    <p v-else-if="!error" class="eq-muted" style="min-height: 300px">Loading ...</p>
  </section>`,
  props: { source: String, first: { type: Object, default: () => ({}) } },
  emits: ["state"],
  data() {
    return {
      game: null,
      error: "",
      at: 0,
      timer: null,
      algorithm: this.first.algorithm || "cfr",
      iterations: this.first.iterations || 200,
      alternating: this.first.alternating ?? true,
      begin: this.first.begin || "uniform",
      size: SIZE,
    };
  },
  computed: {
    algorithms() {
      return ALGORITHMS.includes(this.algorithm) ? ALGORITHMS : [this.algorithm, ...ALGORITHMS];
    },
    moment() {
      return this.game.moments[Math.min(this.at, this.game.moments.length - 1)];
    },
    // What each action is added up of: payoff times probability, by player and action.
    terms() {
      const [rows, columns] = this.moment.average;
      const { payoffs } = this.game;
      return [
        payoffs.map((row) => row.map((cell, k) => cell[0] * columns[k])),
        this.game.columns.map((_, k) => payoffs.map((row, i) => row[k][1] * rows[i])),
      ];
    },
    earns() {
      return this.terms.map((actions) => actions.map((terms) => terms.reduce((a, b) => a + b, 0)));
    },
    pictures() {
      const sizes = [this.game.rows.length, this.game.columns.length];
      const found = [];
      if (sizes[0] === 2 && sizes[1] === 2) found.push(this.square());
      for (const player of [0, 1]) {
        if (sizes[player] === 3) found.push(this.triangle(player));
        else if (sizes[player] === 2 && sizes[1 - player] !== 2) found.push(this.segment(player));
      }
      return found;
    },
  },
  mounted() {
    this.load();
  },
  beforeUnmount() {
    clearInterval(this.timer);
  },
  methods: {
    async load() {
      const asked = { algorithm: this.algorithm, iterations: this.iterations || 1, begin: this.begin };
      const path = `${this.source}/trajectory${query(asked)}&alternating=${this.alternating}`;
      try {
        const game = await api(path);
        Object.assign(this, { game, error: "", at: game.moments.length - 1 });
        this.$emit("state", { ...asked, alternating: this.alternating });
      } catch (error) {
        this.error = error.sentence ?? String(error);
      }
    },
    play() {
      if (this.timer) {
        clearInterval(this.timer);
        this.timer = null;
        return;
      }
      if (this.at >= this.game.moments.length - 1) this.at = 0;
      const step = Math.max(1, Math.round(this.game.moments.length / 200));
      this.timer = setInterval(() => {
        this.at = Math.min(this.at + step, this.game.moments.length - 1);
        if (this.at >= this.game.moments.length - 1) this.play();
      }, 50);
    },
    isBest(player, k) {
      const earns = this.earns[player];
      const best = earns.indexOf(Math.max(...earns));
      const size = (action) => this.terms[player][action].reduce((a, b) => a + Math.abs(b), 0);
      return earns[k] >= earns[best] - 1e-14 * (size(k) + size(best)); // rounding
    },
    drawn(title, height, frame, corners, place) {
      const until = this.game.moments.slice(0, this.at + 1);
      const since = this.begin === "first" && until.length > 1 ? until.slice(1) : until; // nothing is averaged at 0
      const line = (name) => (name === "average" ? since : until).map((one) => place(one[name]).map((x) => x.toFixed(1)).join(",")).join(" ");
      return {
        title, height, frame, corners,
        average: line("average"), current: line("current"),
        nowAverage: place(this.moment.average), nowCurrent: place(this.moment.current),
      };
    },
    triangle(player) {
      const side = SIZE - 2 * EDGE;
      const tall = (side * Math.sqrt(3)) / 2;
      const tips = [[EDGE, EDGE + tall], [SIZE - EDGE, EDGE + tall], [SIZE / 2, EDGE]];
      const names = player ? this.game.columns : this.game.rows;
      const corners = tips.map(([x, y], k) => ({ x, y: k === 2 ? y - 8 : y + 20, anchor: "middle", text: names[k] }));
      const place = (pair) => [0, 1].map((axis) => tips.reduce((sum, tip, k) => sum + tip[axis] * pair[player][k], 0));
      return this.drawn(`Player ${player}`, tall + 2 * EDGE, tips.map((t) => t.join(",")).join(" "), corners, place);
    },
    segment(player) {
      const names = player ? this.game.columns : this.game.rows;
      const place = (pair) => [EDGE + pair[player][1] * (SIZE - 2 * EDGE), EDGE];
      const corners = [0, 1].map((k) => ({ x: k ? SIZE - EDGE : EDGE, y: EDGE + 22, anchor: "middle", text: names[k] }));
      return this.drawn(`Player ${player}`, 2 * EDGE, `${EDGE},${EDGE} ${SIZE - EDGE},${EDGE}`, corners, place);
    },
    square() {
      const side = SIZE - 2 * EDGE;
      const place = (pair) => [EDGE + pair[1][1] * side, EDGE + pair[0][1] * side];
      const [low, high] = [EDGE, SIZE - EDGE];
      const { rows, columns } = this.game;
      const corners = [
        { x: 2, y: low - 8, anchor: "start", text: `${rows[0]}, ${columns[0]}` },
        { x: SIZE - 2, y: low - 8, anchor: "end", text: `${rows[0]}, ${columns[1]}` },
        { x: 2, y: high + 18, anchor: "start", text: `${rows[1]}, ${columns[0]}` },
        { x: SIZE - 2, y: high + 18, anchor: "end", text: `${rows[1]}, ${columns[1]}` },
      ];
      const frame = `${low},${low} ${high},${low} ${high},${high} ${low},${high}`;
      return this.drawn("Both players: rows downwards, columns across", SIZE, frame, corners, place);
    },
    share: probability,
    show: number,
    colour: playerColour,
  },
};
