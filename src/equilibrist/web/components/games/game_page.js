// One game: its parameters, its sizes, its tree and histories, and a form to solve it.
import { about, api, count, GameTree, HistoryWalk, MatrixGame, number, query, said, say, word } from "equilibrist-games";

const WITHIN = ["algorithm", "sampler", "iterations", "target", "seconds"];

export default {
  components: { GameTree, HistoryWalk, MatrixGame },
  template: `
  <div class="eq-stack">
    <form v-if="info && info.parameters.length" class="eq-panel eq-stack" @submit.prevent="look" aria-label="Parameters">
      <h2>Parameters</h2>
      <div class="eqg-fields">
        <div v-for="one in info.parameters" :key="one.name" class="eqg-field">
          <label :for="'p-' + one.name">{{ one.name }}</label>
          <select v-if="one.kind === 'choice' || one.kind === 'flag'" :id="'p-' + one.name" class="eq-field" v-model="values[one.name]" @change="look" v-bind="marks('p', one.name)">
            <option v-for="choice in one.kind === 'flag' ? ['false', 'true'] : one.choices" :key="choice">{{ choice }}</option></select>
          <input v-else :id="'p-' + one.name" class="eq-field" v-model="values[one.name]" @input="later" autocomplete="off"
            :inputmode="one.kind === 'integer' ? 'numeric' : null" :placeholder="one.default" v-bind="marks('p', one.name)">
          <span class="eq-small" :class="problem.option === one.name ? 'eq-error' : 'eq-muted'" :id="'p-' + one.name + '-said'">{{ problem.option === one.name ? problem.text : one.meaning + bounds(one) }}</span>
        </div>
      </div>
    </form>
    <div class="eq-panel eq-stack">
      <h2>Sizes of <span class="eq-mono">{{ spec }}</span></h2>
      <p v-if="problem.text && !isParameter(problem.option)" class="eq-error" role="alert">{{ problem.text }}</p>
      <dl class="eqg-facts eqg-inline eqg-sizes">
        <template v-for="[name, text] in sizeTexts" :key="name"><dt>{{ name }}</dt><dd class="eq-num">{{ text }}</dd></template>
      </dl>
      <p class="eq-row"><a v-for="[text, address] in links" :key="text" :href="address">{{ text }}</a></p>
    </div>
    <form v-if="owner" class="eq-panel eq-stack" @submit.prevent="solve" aria-label="Solve">
      <h2>Solve</h2>
      <div class="eqg-fields">
        <div v-for="one in main" :key="one.name" class="eqg-field">
          <label :for="'o-' + one.name">{{ one.label }}</label>
          <input :id="'o-' + one.name" class="eq-field" v-model="options[one.name]" autocomplete="off" :list="one.list" :placeholder="one.placeholder" v-bind="marks('o', one.name)">
          <span class="eq-small" :class="refused.option === one.name ? 'eq-error' : 'eq-muted'" :id="'o-' + one.name + '-said'">{{ refused.option === one.name ? refused.text : one.help }}</span>
        </div>
      </div>
      <datalist id="eqg-algorithms"><option v-for="one in algorithms" :key="one.name" :value="one.name">{{ one.summary }}</option></datalist>
      <datalist id="eqg-samplers"><option v-for="one in samplers" :key="one.name" :value="one.name">{{ one.summary }}</option></datalist>
      <details :open="isFurther(refused.option)"><summary>More options</summary>
        <div class="eqg-fields">
          <div v-for="one in further" :key="one.name" class="eqg-field">
            <label :for="'o-' + one.name">{{ one.name.replaceAll('_', ' ') }}</label>
            <select v-if="one.kind === 'choice' || one.kind === 'switch'" :id="'o-' + one.name" class="eq-field" v-model="options[one.name]" v-bind="marks('o', one.name)">
              <option value="">{{ one.default || 'default' }}</option>
              <option v-for="choice in one.kind === 'switch' ? ['true', 'false'] : one.choices" :key="choice">{{ choice }}</option></select>
            <input v-else :id="'o-' + one.name" class="eq-field" v-model="options[one.name]" autocomplete="off" :placeholder="one.default" v-bind="marks('o', one.name)">
            <span class="eq-small" :class="refused.option === one.name ? 'eq-error' : 'eq-muted'" :id="'o-' + one.name + '-said'">{{ refused.option === one.name ? refused.text : one.help }}</span>
          </div>
        </div>
      </details>
      <p v-if="refused.text && !known(refused.option)" class="eq-error" role="alert">{{ refused.text }}</p>
      <div class="eq-row"><button class="eq-button eq-primary" :disabled="busy || !ready">Solve</button>
        <span class="eq-muted eq-small">Without a limit the run ends when it is close to equilibrium.</span></div>
    </form>
    <section v-if="ready" class="eq-panel eq-stack" aria-label="The game itself">
      <div class="eq-row" role="tablist" aria-label="Views of the game">
        <button v-for="one in views" :key="one" class="eq-button" role="tab" :id="'tab-' + one" :aria-selected="view === one"
          aria-controls="eqg-view" @click="show(one)">{{ one[0].toUpperCase() + one.slice(1) }}</button>
      </div>
      <div id="eqg-view" role="tabpanel" :aria-labelledby="'tab-' + view" style="min-height: 520px">
        <HistoryWalk v-if="view === 'walk'" :source="source" :moves="moves" @go="go"/>
        <MatrixGame v-else-if="view === 'table'" :key="source" :source="source" :first="way" @state="keepWay"/>
        <GameTree v-else :source="source" :moves="moves" @choose="enter"/>
        <p v-if="view === 'tree' && moves.length" class="eq-small">The part after {{ moves.join(', ') }}. <button class="eq-button" @click="go([])">Whole tree</button></p>
      </div>
    </section>
  </div>`,
  props: {
    name: String, // without parameters
    info: Object, // what the registry says; null for other games
    given: Object, // parameters in the address
    further: Array, // options of a solve
    owner: Boolean,
  },
  data() {
    const asked = said();
    const values = {};
    for (const one of this.info?.parameters ?? []) {
      const chosen = one.kind === "flag" || one.kind === "choice" ? one.default : "";
      values[one.name] = this.given[one.name] ?? chosen;
    }
    return {
      values,
      options: Object.fromEntries([...WITHIN, ...this.further.map((one) => one.name)].map((name) => [name, ""])),
      sizes: null, problem: {}, refused: {}, busy: false, ready: false, isTable: false, waiting: null, asked: 0,
      algorithms: [], samplers: [],
      view: asked.one("view", "tree"), moves: asked.all("move"),
      way: { algorithm: asked.one("algorithm"), iterations: asked.number("iterations", 200), alternating: asked.one("alternating") !== "false", begin: asked.one("begin", this.name === "rock_paper_scissors" ? "first" : "uniform") },
      spec: this.name,
    };
  },
  computed: {
    text() {
      const changed = (this.info?.parameters ?? [])
        .filter((one) => this.values[one.name].trim() !== "" && this.values[one.name] !== one.default)
        .map((one) => `${one.name}=${this.values[one.name].trim()}`);
      return changed.length ? `${this.name}(${changed.join(",")})` : this.name;
    },
    source() {
      return `games/${word(this.spec)}`;
    },
    views() {
      return this.isTable ? ["table", "tree", "walk"] : ["tree", "walk"];
    },
    sizeTexts() {
      const sizes = this.sizes;
      if (!sizes) return [["Histories", this.problem.text ? "not known" : "counting"]];
      if (sizes.estimate_num_nodes) return [["Players", sizes.num_players], ["Histories", `${about(sizes.estimate_num_nodes)} (an estimate)`]];
      const range = sizes.min_payoff.map((low, p) => `player ${p}: ${number(low)} to ${number(sizes.max_payoff[p])}`);
      return [
        ["Players", sizes.num_players],
        ["Histories", count(sizes.num_nodes)],
        ["Terminal histories", count(sizes.num_terminals)],
        ["Infosets", count(sizes.num_infosets)],
        ["Sequences", count(sizes.num_sequences)],
        ["Sum of payoffs", sizes.constant_sum === null ? "varies" : number(sizes.constant_sum)],
        ["Payoffs", range.join("; ")],
      ];
    },
    links() {
      return [
        ["Learn: one iteration of CFR step by step", `/learn${query({ game: this.spec })}`],
        ["Race algorithms on it", `/race${query({ game: this.spec })}`],
      ];
    },
    main() {
      return [
        { name: "algorithm", label: "Algorithm", list: "eqg-algorithms", placeholder: "dcfr", help: "Parameters in brackets: dcfr(gamma=3)." },
        { name: "sampler", label: "Sampler", list: "eqg-samplers", placeholder: "none", help: "Sample instead of traversing the whole game." },
        { name: "iterations", label: "Iterations", placeholder: "no limit", help: "Stop after this many." },
        { name: "target", label: "Target", placeholder: "by default", help: "Stop at this exploitability, in payoff units." },
        { name: "seconds", label: "Time", placeholder: "no limit", help: "Stop after this time: 30 (seconds), 10m, 1.5h." },
      ];
    },
  },
  async mounted() {
    this.back = () => {
      const asked = said();
      Object.assign(this, { view: asked.one("view", this.views[0]), moves: asked.all("move") });
    };
    window.addEventListener("popstate", this.back);
    this.look();
    if (this.owner) [this.algorithms, this.samplers] = await Promise.all([api("algorithms"), api("samplers")]).catch(() => [[], []]);
  },
  beforeUnmount() {
    clearTimeout(this.waiting);
    window.removeEventListener("popstate", this.back);
  },
  methods: {
    later() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(this.look, 350);
    },
    async look() {
      clearTimeout(this.waiting);
      const [mine, spec] = [(this.asked += 1), this.text];
      try {
        const found = await api(`games/${word(spec)}/facts`);
        if (mine !== this.asked) return;
        const moved = this.spec !== spec && this.ready;
        Object.assign(this, { sizes: found.sizes, problem: {}, spec });
        if (moved) this.moves = [];
        this.ready = found.sizes !== null;
        if (!this.ready) this.problem = { text: "Give the parameters without a default." };
        this.isTable = found.is_table === true;
        if (!said().one("view") || !this.views.includes(this.view)) this.view = this.views[0];
        const path = `/games/${word(spec)}`;
        if (location.pathname !== path) history.replaceState({}, "", path + (moved ? "" : location.search));
      } catch (error) {
        if (mine !== this.asked) return;
        Object.assign(this, { sizes: null, ready: false, problem: { option: error.option, text: error.sentence ?? String(error) } });
      }
    },
    async solve() {
      Object.assign(this, { busy: true, refused: {} });
      const options = Object.fromEntries(Object.entries(this.options).filter(([, text]) => text.trim() !== ""));
      try {
        const job = await api("jobs", { method: "POST", body: { game: this.spec, options } });
        location.assign(`/runs/${job.id}`);
      } catch (error) {
        Object.assign(this, { busy: false, refused: { option: error.option, text: error.sentence ?? String(error) } });
        this.$nextTick(() => document.getElementById(`o-${error.option}`)?.focus());
      }
    },
    show(view) {
      this.view = view;
      say({ view, move: this.moves }, true);
    },
    go(moves) {
      this.moves = moves;
      say({ view: this.view, move: moves }, true);
    },
    enter(node) {
      this.moves = node.history;
      this.show("walk");
    },
    keepWay(way) {
      say({ view: "table", ...way, alternating: String(way.alternating) });
    },
    marks(kind, name) {
      const bad = (kind === "p" ? this.problem : this.refused).option === name;
      return { "aria-invalid": bad ? "true" : null, "aria-describedby": `${kind}-${name}-said` };
    },
    isParameter(option) {
      return (this.info?.parameters ?? []).some((one) => one.name === option);
    },
    known(option) {
      return WITHIN.includes(option) || this.isFurther(option);
    },
    isFurther(option) {
      return this.further.some((one) => one.name === option);
    },
    bounds(one) {
      if (one.minimum === null && one.maximum === null) return "";
      if (one.maximum === null) return ` (at least ${number(one.minimum)})`;
      return ` (${one.minimum === null ? "up to" : `${number(one.minimum)} to`} ${number(one.maximum)})`;
    },
  },
};
