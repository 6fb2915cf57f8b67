// The drawn tree of a small game: infosets joined, edges with probabilities, best responses marked.
// It is moved by dragging or the arrow keys, and scaled by the buttons, + and -.
import { query, word } from "./api.js";
import { loads } from "./loading.js";
import { number, playerColour } from "./numbers.js";

const MARGIN = 28;

export const GameTree = {
  mixins: [loads("tree")],
  template: `
  <section class="eq-stack" :aria-label="label">
    <div class="eq-row">
      <button class="eq-button" @click="zoom(1.25)" aria-label="Larger">+</button>
      <button class="eq-button" @click="zoom(0.8)" aria-label="Smaller">&minus;</button>
      <button class="eq-button" @click="fit">Fit</button>
      <label v-if="isSolved" class="eq-row">Best response of
        <select class="eq-field" v-model="best" :disabled="!answers" style="min-width: 11rem">
          <option value="">no player</option>
          <option v-for="(answer, player) in answers || {}" :key="player" :value="player">
            player {{ player }}: {{ show(answer.value) }}</option>
        </select>
      </label>
    </div>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <div v-else class="eqg-drawing" ref="area" tabindex="0" role="group" :style="{height: height + 'px'}"
      :aria-label="tree ? 'Game tree of ' + tree.nodes.length + ' histories; arrow keys move it, + and - scale it' : 'Game tree'"
      @keydown="key" @pointerdown="grab" @pointermove="drag" @pointerup="drop" @pointercancel="drop">
      <svg v-if="tree" width="100%" height="100%" xmlns="http://www.w3.org/2000/svg">
        <g :transform="'translate(' + x + ' ' + y + ') scale(' + scale + ')'"><g v-memo="[tree, best, infoset, here, rows]">
          <path v-for="(join, k) in joins" :key="'j' + k" class="eqg-join" :d="join.d"
            :class="{'eqg-lit': join.key === infoset}" :stroke="colour(join.player)"><title>infoset {{ join.key }}</title></path>
          <line v-for="(edge, k) in edges" :key="'e' + k" class="eqg-edge" :class="edge.kind"
            :x1="edge.x1" :y1="edge.y1" :x2="edge.x2" :y2="edge.y2" :stroke-width="edge.width"/>
          <g v-for="(node, i) in tree.nodes" :key="i" class="eqg-node"
            :class="{'eqg-lit': isLit(node), 'eqg-here': isHere(node)}" @click="choose(node)">
            <title>{{ title(node) }}</title>
            <path v-if="node.kind === 'chance'" :d="diamond(node)"/>
            <template v-else-if="node.kind === 'decision'">
              <circle :cx="node.x" :cy="node.y" r="12" :fill="colour(node.player)"/>
              <text class="eqg-inner" :x="node.x" :y="node.y + 4">{{ node.player }}</text>
              <text class="eqg-name" :x="node.x + 16" :y="node.y + 4">{{ node.infoset }}</text>
            </template>
            <template v-else>
              <circle class="eqg-end" :cx="node.x" :cy="node.y" r="3.5"/>
              <text v-for="(payoff, p) in node.payoffs" :key="p" class="eqg-payoff" :x="node.x"
                :y="node.y + 16 + 12 * p" :style="{fill: 'var(--eqg-p' + p % 8 + ')'}">{{ show(payoff) }}</text>
            </template>
          </g>
          <g v-for="(edge, k) in edges" :key="'l' + k" class="eqg-label">
            <text :x="edge.lx" :y="edge.ly">{{ edge.action }}</text>
            <text v-if="edge.probability !== null" class="eq-num" :x="edge.lx" :y="edge.ly + 12">{{ share(edge.probability) }}</text>
          </g>
        </g></g>
      </svg>
    </div>
    <div v-if="!error" class="eq-row eqg-legend">
      <span class="eq-grow"></span>
      <span v-if="tree" class="eq-row eq-small">
        <span v-for="p in tree.num_players" :key="p" class="eqg-key">
          <i :style="{background: colour(p - 1)}"></i>player {{ p - 1 }}</span>
        <span class="eqg-key"><b></b>chance</span>
        <span class="eqg-key"><u></u>one infoset</span>
      </span>
    </div>
    <p v-if="tree && best !== ''" class="eq-small eq-muted">Thick edges are the best response of player {{ best }} to what the others play.</p>
  </section>`,
  props: {
    source: String, // `games/kuhn` or `solutions/NAME`
    stamp: String, // of a solution: another that has taken its name is not drawn
    moves: { type: Array, default: () => [] }, // where the drawing begins
    infoset: { type: String, default: "" }, // what is marked
    here: { type: Array, default: null }, // the history that is marked
    label: { type: String, default: "Game tree" },
    height: { type: Number, default: 460 },
    rows: { type: Object, default: null }, // what is played, {infoset: {action: probability}}
  },
  emits: ["choose"],
  data: () => ({ best: "", x: 0, y: 0, scale: 1, held: null }),
  computed: {
    isSolved() {
      return this.source.startsWith("solutions/");
    },
    answers() {
      return this.tree?.best_responses ?? null;
    },
    edges() {
      const { nodes } = this.tree;
      const answers = this.best === "" ? null : this.answers[this.best].actions;
      return nodes.slice(1).map((node) => {
        const above = nodes[node.parent];
        const p = this.rows?.[above.infoset]?.[node.action] ?? node.probability;
        const isBest = answers && String(above.player) === this.best && answers[above.infoset] === node.action;
        return {
          x1: above.x, y1: above.y, x2: node.x, y2: node.y,
          lx: 0.4 * above.x + 0.6 * node.x, ly: 0.4 * above.y + 0.6 * node.y,
          action: node.action, probability: p,
          width: isBest ? 5 : p === null ? 1.3 : 0.7 + 2.3 * p,
          kind: { "eqg-best": isBest, "eqg-never": p === 0 && !isBest },
        };
      });
    },
    joins() {
      const { nodes } = this.tree;
      const found = [];
      for (const { key, player, nodes: members } of this.tree.infosets) {
        const order = [...members].sort((a, b) => nodes[a].y - nodes[b].y || nodes[a].x - nodes[b].x);
        for (let k = 1; k < order.length; k += 1) {
          const [a, b] = [nodes[order[k - 1]], nodes[order[k]]];
          const bend = a.y === b.y ? "" : `Q${(a.x + b.x) / 2 + 40} ${(a.y + b.y) / 2} `;
          found.push({ key, player, d: `M${a.x} ${a.y}${bend || "L"}${b.x} ${b.y}` });
        }
      }
      return found;
    },
    address() {
      return `${this.source}/tree${query({ move: this.moves, stamp: this.stamp })}`;
    },
  },
  watch: {
    infoset() {
      this.showLit();
    },
  },
  methods: {
    loaded(tree) {
      if (!tree.best_responses || !(this.best in tree.best_responses)) this.best = "";
      this.$nextTick(this.fit);
    },
    fit() {
      const area = this.$refs.area;
      if (!area || !this.tree) return;
      const { width, height } = this.tree;
      const fits = Math.min(area.clientWidth / (width + 2 * MARGIN), area.clientHeight / (height + 2 * MARGIN));
      this.scale = Math.min(Math.max(fits, 0.45), 1.4);
      this.x = Math.max((area.clientWidth - this.scale * width) / 2, MARGIN * this.scale);
      this.y = MARGIN * this.scale;
      this.showLit();
    },
    // Move the drawing so that what is marked is in sight.
    showLit() {
      const area = this.$refs.area;
      const lit = this.infoset && this.tree?.infosets.find((one) => one.key === this.infoset);
      if (!area || !lit) return;
      const spots = lit.nodes.map((i) => this.tree.nodes[i]);
      const left = Math.min(...spots.map((n) => n.x)) * this.scale + this.x;
      const right = Math.max(...spots.map((n) => n.x)) * this.scale + this.x;
      const top = Math.min(...spots.map((n) => n.y)) * this.scale + this.y;
      if (left < 20 || right > area.clientWidth - 40) this.x += area.clientWidth / 2 - (left + right) / 2;
      if (top < 20 || top > area.clientHeight - 40) this.y += area.clientHeight / 2 - top;
    },
    zoom(factor) {
      const area = this.$refs.area;
      const scale = Math.min(Math.max(this.scale * factor, 0.15), 5);
      const [cx, cy] = [area.clientWidth / 2, area.clientHeight / 2];
      this.x = cx - ((cx - this.x) * scale) / this.scale;
      this.y = cy - ((cy - this.y) * scale) / this.scale;
      this.scale = scale;
    },
    key(event) {
      const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (event.key in steps && !event.ctrlKey && !event.metaKey) {
        this.x += steps[event.key][0];
        this.y += steps[event.key][1];
      } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    grab(event) {
      this.held = { x: event.clientX - this.x, y: event.clientY - this.y, id: event.pointerId, moved: false };
    },
    drag(event) {
      if (!this.held || event.pointerId !== this.held.id) return;
      const [x, y] = [event.clientX - this.held.x, event.clientY - this.held.y];
      if (!this.held.moved && Math.hypot(x - this.x, y - this.y) < 4) return;
      if (!this.held.moved) this.$refs.area.setPointerCapture(event.pointerId);
      this.held.moved = true;
      [this.x, this.y] = [x, y];
    },
    drop() {
      this.held = null;
    },
    choose(node) {
      this.$emit("choose", node);
    },
    isLit(node) {
      return node.kind === "decision" && this.infoset !== "" && node.infoset === this.infoset;
    },
    isHere(node) {
      return this.here !== null && node.history.length === this.here.length && node.history.every((one, k) => one === this.here[k]);
    },
    title(node) {
      const way = node.history.join(", ") || "the start";
      if (node.kind === "decision") return `${way}: player ${node.player}, infoset ${node.infoset}`;
      return node.kind === "chance" ? `${way}: chance` : `${way}: ${node.payoffs.map((x) => number(x)).join(", ")}`;
    },
    diamond: (node) => `M${node.x} ${node.y - 12}l12 12l-12 12l-12 -12z`,
    share: (p) => String(Number(p.toFixed(3))),
    show: (x) => number(x, 4),
    colour: playerColour,
    word,
  },
};
