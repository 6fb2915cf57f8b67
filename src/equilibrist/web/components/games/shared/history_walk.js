// A walk through the histories of a game, chance included: choose what happens, see who moves.
import { query } from "./api.js";
import { loads } from "./loading.js";
import { number, playerColour, probability } from "./numbers.js";

export const HistoryWalk = {
  mixins: [loads("view")],
  template: `
  <section class="eq-stack" aria-label="Walk" @keydown="key">
    <nav class="eq-row eqg-way" aria-label="The history so far">
      <button class="eq-button" :disabled="!moves.length" @click="go([])">Start</button>
      <template v-if="view">
        <button v-for="(one, k) in view.passed" :key="k" class="eq-button" @click="go(moves.slice(0, k + 1))"
          :title="one.kind === 'chance' ? 'chance' : 'player ' + one.player + ' at ' + one.infoset">
          <i class="eqg-dot" :style="{background: one.kind === 'chance' ? 'var(--eq-muted)' : colour(one.player)}"></i>{{ one.label }}
          <span v-if="one.probability !== null" class="eq-num eq-small">{{ share(one.probability) }}</span>
        </button>
      </template>
      <button v-if="moves.length" class="eq-button" @click="go(moves.slice(0, -1))">Back one</button>
    </nav>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <div v-if="view" class="eq-stack" aria-live="polite">
      <h3>{{ turn }}</h3>
      <dl class="eqg-facts">
        <template v-if="view.kind === 'decision'"><dt>Infoset</dt>
          <dd><button v-if="linked" class="eqg-link eq-mono" @click="$emit('infoset', view.infoset)">{{ view.infoset }}</button>
            <span v-else class="eq-mono">{{ view.infoset }}</span></dd></template>
        <dt>Probability of this history</dt>
        <dd class="eq-num">{{ view.reach === null ? 'not known without a strategy' : show(view.reach) }}</dd>
        <dt>Chance's part of it</dt><dd class="eq-num">{{ show(view.chance_reach) }}</dd>
        <template v-if="view.values"><dt>{{ view.kind === 'terminal' ? 'Payoffs' : 'Expected payoffs' }}</dt>
          <dd class="eq-num"><span v-for="(x, p) in view.values" :key="p" class="eqg-payoffs">
            <i class="eqg-dot" :style="{background: colour(p)}"></i>player {{ p }}: {{ show(x) }}</span></dd></template>
      </dl>
      <p v-if="!view.values && view.why_no_values" class="eq-muted">No values: {{ view.why_no_values }}.</p>
      <div v-if="view.steps.length" class="eq-scroll" role="region" tabindex="0" aria-label="Actions">
        <table class="eq-table eqg-steps">
          <thead><tr><th>{{ view.kind === 'chance' ? 'Outcome' : 'Action' }}</th><th class="eq-right">Probability</th>
            <th aria-hidden="true" class="eqg-wide"></th>
            <th v-for="(x, p) in view.steps[0].values || []" :key="p" class="eq-right">EV of player {{ p }}</th></tr></thead>
          <tbody><tr v-for="(step, k) in view.steps" :key="step.label">
            <td><button class="eq-button" @click="go([...moves, step.label])" ref="ways">{{ step.label }}</button></td>
            <td class="eq-right">{{ share(step.probability) }}</td>
            <td aria-hidden="true"><div class="eqg-bar"><i :style="bar(step, k)"></i></div></td>
            <td v-for="(x, p) in step.values || []" :key="p" class="eq-right">{{ show(x) }}</td>
          </tr></tbody>
        </table>
      </div>
      <p v-if="view.num_steps > view.steps.length" class="eq-muted">The first {{ view.steps.length }} of {{ view.num_steps }}.</p>
    </div>
  </section>`,
  props: {
    source: String,
    stamp: String, // of a solution, as in game_tree.js
    moves: { type: Array, default: () => [] },
    linked: Boolean,
  },
  emits: ["go", "infoset"],
  computed: {
    turn() {
      if (this.view.kind === "terminal") return "The game is over";
      return this.view.kind === "chance" ? "Chance moves" : `Player ${this.view.player} moves`;
    },
    address() {
      return `${this.source}/walk${query({ move: this.moves, stamp: this.stamp })}`;
    },
  },
  methods: {
    go(moves) {
      this.$emit("go", moves);
    },
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const ways = this.$refs.ways ?? [];
      const at = ways.indexOf(document.activeElement);
      if (event.key === "Backspace" && this.moves.length) this.go(this.moves.slice(0, -1));
      else if (event.key === "ArrowDown" && ways.length) ways[Math.min(at + 1, ways.length - 1)].focus();
      else if (event.key === "ArrowUp" && at > 0) ways[at - 1].focus();
      else return;
      event.preventDefault();
    },
    bar(step, k) {
      const n = this.view.steps.length;
      const role = this.view.kind === "chance" ? "var(--eq-muted)" : window.equilibrist.actionColour(`game:${k}/${n}`);
      return { width: `${100 * (step.probability ?? 0)}%`, background: role };
    },
    share: probability,
    show: number,
    colour: playerColour,
  },
};
