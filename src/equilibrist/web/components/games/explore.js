// A solution of a game: its infosets, a walk through its histories, its tree.
import { api, count, GameTree, HistoryWalk, InfosetTable, MatrixGame, query, said, say, word } from "equilibrist-games";

export default {
  components: { GameTree, HistoryWalk, InfosetTable, MatrixGame },
  template: `
  <div class="eq-stack">
    <dl class="eqg-facts eqg-inline">
      <dt>Solution of</dt><dd>{{ facts.title }}</dd>
      <dt>Algorithm</dt><dd>{{ facts.algorithm }}</dd>
      <dt>Iterations</dt><dd class="eq-num">{{ count(facts.iterations) }}</dd>
      <dt>Infosets</dt><dd class="eq-num">{{ count(facts.num_infosets) }}</dd>
      <template v-if="facts.state_iteration !== null"><dt>Current strategy and regrets</dt><dd class="eq-num">after iteration {{ count(facts.state_iteration) }}</dd></template>
    </dl>
    <div class="eq-row">
      <div class="eq-row" role="tablist" aria-label="Views of the solution">
        <button v-for="one in views" :key="one" class="eq-button" role="tab" :id="'tab-' + one" :aria-selected="view === one"
          aria-controls="eqg-view" @click="show(one)">{{ one[0].toUpperCase() + one.slice(1) }}</button>
      </div>
      <span class="eq-grow"></span>
      <button v-if="again" class="eq-button" @click="rerun" :disabled="busy">Run it again here</button>
      <a v-if="facts.job" :href="'/runs/' + facts.job">The run</a>
      <a v-if="view !== 'walk'" :href="table" download>Save as CSV</a>
      <a :href="'/play/' + word(facts.name)">Play against it</a>
      <a v-if="facts.game" :href="'/games/' + word(facts.game)">The game</a>
    </div>
    <p v-if="again" class="eq-small eq-muted">Run it again with the same options to see the current strategy and the regrets.</p>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <div id="eqg-view" role="tabpanel" :aria-labelledby="'tab-' + view" class="eq-panel" style="min-height: 560px">
      <InfosetTable v-if="view === 'infosets'" :name="facts.name" :stamp="stamp" :facts="facts" :state="rows" :lit="lit" @state="keep"/>
      <HistoryWalk v-else-if="view === 'walk'" :source="source" :stamp="stamp" :moves="moves" linked @go="go" @infoset="find"/>
      <div v-else-if="view === 'tree'" class="eq-stack">
        <GameTree :source="source" :stamp="stamp" :moves="moves" :height="600" @choose="enter"/>
        <p v-if="moves.length" class="eq-small">The part after {{ moves.join(', ') }}. <button class="eq-button" @click="go([])">Whole tree</button></p>
      </div>
    </div>
  </div>`,
  props: { facts: Object, stamp: String, options: Object, owner: Boolean },
  data: () => ({ view: "infosets", rows: {}, moves: [], lit: "", error: "", busy: false }),
  computed: {
    source() {
      return `solutions/${word(this.facts.name)}`;
    },
    table() {
      const isTree = this.view === "tree";
      return `/api/${this.source}/${isTree ? "tree" : "infosets"}.csv${query({ move: isTree ? this.moves : [], stamp: this.stamp })}`;
    },
    views() {
      if (!this.facts.game) return ["infosets"];
      return this.facts.is_sortable ? ["infosets", "walk", "tree"] : ["infosets", "walk"];
    },
    again() {
      return this.owner && this.facts.game && this.options && this.facts.state_iteration === null;
    },
  },
  created() {
    this.read();
    window.addEventListener("popstate", this.read);
  },
  beforeUnmount() {
    window.removeEventListener("popstate", this.read);
  },
  methods: {
    read() {
      const asked = said();
      this.view = this.views.includes(asked.one("view")) ? asked.one("view") : "infosets";
      this.moves = asked.all("move");
      this.lit = asked.one("infoset");
      this.rows = {
        match: asked.one("match"),
        player: asked.one("player"),
        order: asked.one("order"),
        descending: asked.one("descending") === "true",
        start: Math.max(0, asked.number("start", 0)),
      };
    },
    write(push = true) {
      const rows = { ...this.rows, start: this.rows.start || "" };
      say({ view: this.view === "infosets" ? "" : this.view, move: this.moves, infoset: this.lit, ...rows }, push);
    },
    show(view) {
      this.view = view;
      this.write();
    },
    keep(rows) {
      const typed = rows.match !== this.rows.match;
      this.rows = rows;
      this.lit = "";
      this.write(!typed);
    },
    go(moves) {
      this.moves = moves;
      this.write();
    },
    enter(node) {
      this.moves = node.history;
      this.show("walk");
    },
    find(infoset) {
      this.rows = { match: infoset, player: "", order: "", descending: false, start: 0 };
      this.lit = infoset;
      this.show("infosets");
    },
    async rerun() {
      Object.assign(this, { busy: true, error: "" });
      try {
        const job = await api("jobs", { method: "POST", body: { game: this.facts.game, options: this.options } });
        location.assign(`/runs/${job.id}`);
      } catch (error) {
        Object.assign(this, { busy: false, error: error.sentence ?? String(error) });
      }
    },
    count,
    query,
    word,
  },
};
