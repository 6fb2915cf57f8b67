// One iteration of CFR, step by step, beside the formulas; the numbers are those of the reference.
import { api, fraction, GameTree, query, said, say, word } from "equilibrist-games";

const m = (tag, ...inner) => `<${tag}>${inner.join("")}</${tag}>`;
const [mi, mo] = [(x) => m("mi", x), (x) => m("mo", x)];
const of = (name, ...args) => m("mrow", name, mo("("), args.join(mo(",")), mo(")"));
const sub = (base, index) => m("msub", base, index);
const math = (...inner) => `<math display="block">${inner.join("")}</math>`;
const minusI = m("mrow", mo("&minus;"), mi("i"));
const others = (arg) => of(sub(mi("&pi;"), minusI), arg);
const overA = m("munder", mo("&sum;"), mi("a"));
const overH = m("munder", mo("&sum;"), m("mrow", mi("h"), mo("&isin;"), mi("I")));
const ha = m("mrow", mi("h"), mi("a"));
const FORMULAS = {
  reach: math(others(mi("h")), mo("="), of(sub(mi("&pi;"), mi("c")), mi("h")), m("munder", mo("&prod;"), m("mrow", mi("j"), mo("&ne;"), mi("i"))), of(sub(mi("&pi;"), mi("j")), mi("h"))),
  values: math(of(mi("v"), mi("h")), mo("="), overA, of(mi("&sigma;"), mi("a")), of(mi("v"), ha)),
  regrets: math(of(mi("r"), mi("a")), mo("="), overH, others(mi("h")), mo("("), of(mi("v"), ha), mo("&minus;"), of(mi("v"), mi("h")), mo(")")),
  cumulative: math(of(mi("R"), mi("a")), mo("&larr;"), mi("max"), mo("("), mi("&alpha;"), of(mi("R"), mi("a")), mo("+"), of(mi("r"), mi("a")), mo(","), mi("f"), mo(")")),
  sums: math(of(mi("S"), mi("a")), mo("&larr;"), mi("&delta;"), of(mi("S"), mi("a")), mo("+"), mi("w"), of(sub(mi("&pi;"), mi("i")), mi("I")), of(mi("&sigma;"), mi("a"))),
  next: math(of(mi("&sigma;"), mi("a")), mo("="), m("mfrac", m("mrow", mi("max"), mo("("), of(mi("X"), mi("a")), mo(","), m("mn", "0"), mo(")")), m("mrow", m("munder", mo("&sum;"), mi("b")), mi("max"), mo("("), of(mi("X"), mi("b")), mo(","), m("mn", "0"), mo(")")))),
  ending: math(of(m("mover", mi("&sigma;"), mo("&macr;")), mi("a")), mo("="), m("mfrac", of(mi("S"), mi("a")), m("mrow", m("munder", mo("&sum;"), mi("b")), of(mi("S"), mi("b"))))),
};
const STAGES = {
  reach: ["Counterfactual reach", "How likely each history of the infoset is if its player plays to reach it: the probability of chance times that of the other players' moves, without the player's own."],
  values: ["Values", "The player's expected payoff from each history: for each action, and under their current strategy, while the others play theirs."],
  regrets: ["Instantaneous regrets", "How much better each action would have been than the current strategy, weighted by the counterfactual reach and summed over the histories."],
  cumulative: ["Cumulative regrets", "The regrets of this iteration are added to those of the iterations before."],
  sums: ["Strategy sum", "The current strategy is added, weighted by the probability that the player's own moves lead here: the average is one of whole strategies, not of each infoset by itself."],
  next: ["Next strategy", "Regret matching: in proportion to the positive regrets; uniform where none is positive."],
  ending: ["The average strategy", "The strategy sum, normalised at every infoset. In two-player zero-sum games it converges to an equilibrium."],
};

export default {
  components: { GameTree },
  template: `
  <div class="eq-stack eqg-lesson">
    <form class="eq-row" @submit.prevent="begin" aria-label="The lesson">
      <label class="eq-row">Game <input class="eq-field eq-mono" v-model="form.game" list="eqg-games" autocomplete="off" required></label>
      <label class="eq-row">Algorithm <input class="eq-field eq-mono" v-model="form.algorithm" list="eqg-algorithms" autocomplete="off" required style="width: 8rem"></label>
      <label class="eq-row">Iteration <input class="eq-field eq-num" type="number" min="1" v-model.number="form.iteration" required style="width: 6rem"></label>
      <label class="eq-row">Updates <select class="eq-field" v-model="form.alternating"><option value="true">alternating</option><option value="false">simultaneous</option></select></label>
      <button class="eq-button">Show</button>
      <datalist id="eqg-games"><option v-for="one in games" :key="one" :value="one"/></datalist>
      <datalist id="eqg-algorithms"><option v-for="one in algorithms" :key="one" :value="one"/></datalist>
    </form>
    <p class="eq-small eq-muted">The arrow keys step forward and back, with Shift by a whole infoset. The address of the page keeps the step.</p>
    <p v-if="error" class="eq-error" role="alert">{{ error }}</p>
    <div v-if="lesson" class="eqg-lesson-body">
      <section class="eq-panel eq-stack eqg-step" aria-label="The step">
        <div class="eq-row">
          <button class="eq-button" @click="move(-1)" :disabled="isFirst" aria-keyshortcuts="ArrowLeft">Back</button>
          <button class="eq-button eq-primary" @click="move(1)" aria-keyshortcuts="ArrowRight">Next</button>
          <button class="eq-button" @click="skip(-1)" :disabled="step === 0" aria-keyshortcuts="Shift+ArrowLeft">Previous infoset</button>
          <button class="eq-button" @click="skip(1)" :disabled="!turn" aria-keyshortcuts="Shift+ArrowRight">Next infoset</button>
          <span class="eq-small eq-muted eq-num">Iteration {{ lesson.iteration }}, step {{ step + 1 }} of {{ lesson.num_steps }}</span>
        </div>
        <label v-if="lesson.turns.length > 20" class="eq-row">Go to infoset
          <input class="eq-field eq-mono" list="eqg-infosets" v-model="wanted" @change="seek" autocomplete="off" :aria-invalid="lost ? 'true' : null">
          <span v-if="lost" class="eq-small eq-error" role="alert">{{ lost }} is no infoset of this game</span>
          <datalist id="eqg-infosets"><option v-for="one in lesson.turns" :key="one.infoset" :value="one.infoset"/></datalist></label>
        <progress class="eqg-progress" :value="step + 1" :max="lesson.num_steps" aria-label="Steps of the iteration"></progress>
        <div class="eq-stack" aria-live="polite">
          <h2 v-if="turn">Infoset <span class="eq-mono">{{ turn.infoset }}</span> of player {{ turn.player }}</h2>
          <h2 v-else>After iteration {{ lesson.iteration }}</h2>
          <ol v-if="turn" class="eqg-stages"><li v-for="(name, k) in lesson.stages" :key="name"><button class="eqg-link" :aria-current="name === stage ? 'step' : null" @click="to(place * 6 + k)">{{ titles[name][0] }}</button></li></ol>
          <h3>{{ titles[stage][0] }}</h3>
          <p>{{ titles[stage][1] }}</p>
          <div class="eqg-formula" v-html="formulas[stage]"></div>
          <p class="eq-small eq-muted" v-if="letters">{{ letters }}</p>
          <div class="eq-scroll" role="region" tabindex="0" :aria-label="titles[stage][0] + ', the numbers'">
            <table class="eq-table"><thead><tr><th v-for="head in sheet.heads" :key="head" :class="{'eq-right': head !== sheet.heads[0]}">{{ head }}</th></tr></thead>
              <tbody><tr v-for="(row, k) in sheet.rows" :key="k" :class="{'eqg-sum': row.sum}"><th scope="row" class="eq-mono">{{ row.name }}</th><td v-for="(cell, c) in row.cells" :key="c" class="eq-right" :title="cell.title">{{ cell.text }}</td></tr></tbody></table>
          </div>
          <p v-if="note">{{ note }}</p>
        </div>
      </section>
      <section class="eq-panel eqg-aside" aria-label="The infoset in the tree">
        <GameTree v-if="lesson.is_drawn" :source="'games/' + word(lesson.game)" :infoset="turn ? turn.infoset : ''" :rows="profile" :height="520" label="Tree of the game"/>
        <p v-if="lesson.is_drawn" class="eq-small eq-muted">{{ turn ? 'Edges show the strategies while this infoset is updated.' : 'Edges show the average strategy.' }}</p>
        <template v-else-if="turn">
          <label class="eq-row">What follows
            <select class="eq-field eq-mono" v-model="from" aria-label="What follows"><option v-for="(one, k) in turn.histories" :key="k" :value="k">{{ one.history.join(' ') || '(the start)' }}</option></select></label>
          <GameTree :source="'games/' + word(lesson.game)" :moves="below" :infoset="turn.infoset" :rows="profile" :height="520" label="What follows a history of the infoset"/>
          <p class="eq-small eq-muted">The whole tree is too large to be drawn. Edges show the strategies while this infoset is updated.</p>
        </template>
        <p v-else class="eq-muted">The whole tree is too large to be drawn. <a :href="'/games/' + word(lesson.game) + '?view=walk'">Walk it</a></p>
      </section>
    </div>
  </div>`,
  data: () => ({ lesson: null, error: "", step: 0, form: {}, wanted: "", lost: "", from: 0, games: [], algorithms: ["cfr", "cfr+", "dcfr", "lcfr", "pcfr+"], titles: STAGES, formulas: FORMULAS }),
  computed: {
    place() {
      return Math.floor(this.step / 6);
    },
    turn() {
      return this.lesson.turns[this.place] ?? null;
    },
    below() {
      const { histories } = this.turn;
      return (histories[this.from] ?? histories[0]).history;
    },
    stage() {
      return this.turn ? this.lesson.stages[this.step % 6] : "ending";
    },
    isFirst() {
      return this.step === 0 && this.lesson.iteration === 1;
    },
    letters() {
      const c = this.lesson.coefficients;
      if (this.stage === "cumulative") {
        const floor = c.floor === null ? "no floor f" : `floor f = ${fraction(c.floor)}`;
        return `In iteration ${this.lesson.iteration} of ${this.lesson.algorithm}: α = ${fraction(c.positive)} for positive regrets, ${fraction(c.negative)} for negative ones, ${floor}.`;
      }
      if (this.stage === "sums") return `In iteration ${this.lesson.iteration} of ${this.lesson.algorithm}: δ = ${fraction(c.decay)}, w = ${fraction(c.weight)}.`;
      if (this.stage === "next") return c.prediction === 0 && c.lookahead === 1 ? "X is R." : `X = ${fraction(c.lookahead)} R + ${fraction(c.prediction)} r.`;
      return "";
    },
    note() {
      if (this.stage === "next" && this.turn.expected.every((x) => x <= 0)) return "No regret is positive, so the strategy is uniform.";
      if (this.stage !== "ending") return "";
      const { values, nash_conv } = this.lesson.ending;
      return `With it the expected payoffs are ${values.map(fraction).join(", ")}. NashConv, the sum of what each player could gain by a best response, is ${fraction(nash_conv)}.`;
    },
    sheet() {
      const { turn, stage } = this;
      const cell = (x) => (typeof x === "number" ? { text: fraction(x), title: String(x) } : { text: x });
      const table = (heads, rows) => ({ heads, rows: rows.map(([name, cells, sum]) => ({ name, cells: cells.map(cell), sum })) });
      if (stage === "ending") {
        return table(["Infoset", "Average strategy"], Object.entries(this.lesson.ending.average).map(([key, row]) => [key, [row.map((x, k) => `${this.labels[key][k]} ${fraction(x)}`).join(", ")]]));
      }
      const way = (one) => one.history.join(" ") || "(the start)";
      const { actions, histories } = turn;
      const c = this.lesson.coefficients;
      switch (stage) {
        case "reach":
          return table(["History", "Chance", "Others", "Counterfactual reach"], histories.map((one) => [way(one), [one.chance_reach, one.others_reach, one.counterfactual_reach]]));
        case "values":
          return table(["History", ...actions.map((a) => `v(h ${a})`), "v(h)"], [
            ["σ", [...turn.strategy, ""]],
            ...histories.map((one) => [way(one), [...one.values, one.value]]),
          ]);
        case "regrets":
          return table(["History", "Reach", ...actions.map((a) => `reach × (v(h ${a}) − v(h))`)], [
            ...histories.map((one) => [way(one), [one.counterfactual_reach, ...one.regrets]]),
            ["r", ["", ...turn.instant], true],
          ]);
        case "cumulative":
          return table(["Action", "R before", "α", "r", "R after"], actions.map((a, k) => [a, [turn.regret[k], turn.regret[k] > 0 ? c.positive : c.negative, turn.instant[k], turn.regret_after[k]]]));
        case "sums":
          return table(["Action", "S before", "Own reach", "σ", "S after"], actions.map((a, k) => [a, [turn.sums[k], turn.own_reach, turn.strategy[k], turn.sums_after[k]]]));
        default:
          return table(["Action", "X", "σ so far", "Next σ"], actions.map((a, k) => [a, [turn.expected[k], turn.strategy[k], turn.next_strategy[k]]]));
      }
    },
    // What all players play at this step: with updates in turn, those before have their new strategy.
    profile() {
      const { turns, ending, alternating } = this.lesson;
      const row = (turn) => (alternating && turn.player < this.turn.player ? turn.next_strategy : turn.strategy);
      const numbers = (turn) => (this.turn ? row(turn) : ending.average[turn.infoset]);
      return Object.fromEntries(turns.map((turn) => [turn.infoset, Object.fromEntries(turn.actions.map((a, k) => [a, numbers(turn)[k]]))]));
    },
    labels() {
      return Object.fromEntries(this.lesson.turns.map((turn) => [turn.infoset, turn.actions]));
    },
  },
  watch: {
    place() {
      this.from = 0;
    },
  },
  async mounted() {
    this.back = () => this.read();
    window.addEventListener("popstate", this.back);
    window.addEventListener("keydown", this.key);
    await this.read();
    this.games = await api("games").then((all) => all.map((one) => one.name)).catch(() => []);
  },
  beforeUnmount() {
    window.removeEventListener("popstate", this.back);
    window.removeEventListener("keydown", this.key);
  },
  methods: {
    async read() {
      const asked = said();
      this.form = {
        game: asked.one("game", "kuhn"),
        algorithm: asked.one("algorithm", "cfr"),
        iteration: Math.max(1, asked.number("iteration", 1)),
        alternating: asked.one("alternating", "true"),
      };
      await this.load(Math.max(1, asked.number("step", 1)) - 1);
    },
    async begin() {
      if (await this.load(0)) this.keep(true);
    },
    async load(step) {
      const { game, ...asked } = this.form;
      try {
        const lesson = await api(`games/${word(game.trim())}/lesson${query(asked)}`);
        Object.freeze(lesson.turns); // thousands of numbers, none of which changes
        Object.assign(this, { lesson, error: "", lost: "", wanted: "", step: Math.min(step < 0 ? lesson.num_steps - 1 : step, lesson.num_steps - 1) });
        return true;
      } catch (error) {
        this.error = error.sentence ?? String(error);
        return false;
      }
    },
    keep(push) {
      say({ ...this.form, step: this.step + 1 }, push);
    },
    to(step) {
      this.step = step;
      this.keep(true);
    },
    async move(by) {
      const { lesson, step } = this;
      if (step + by >= 0 && step + by < lesson.num_steps) {
        this.to(step + by);
        return;
      }
      if (by < 0 && lesson.iteration === 1) return;
      const before = { ...this.form };
      this.form = { game: lesson.game, algorithm: lesson.algorithm, iteration: lesson.iteration + by, alternating: String(lesson.alternating) };
      if (await this.load(by < 0 ? -1 : 0)) this.keep(true);
      else this.form = before;
    },
    skip(by) {
      const next = by > 0 ? (this.place + 1) * 6 : this.step % 6 === 0 ? (this.place - 1) * 6 : this.place * 6;
      this.to(Math.min(Math.max(next, 0), this.lesson.num_steps - 1));
    },
    seek() {
      const place = this.lesson.turns.findIndex((one) => one.infoset === this.wanted.trim());
      this.lost = place < 0 && this.wanted.trim() ? this.wanted.trim() : "";
      if (place >= 0) this.to(place * 6);
    },
    key(event) {
      if (!this.lesson || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest?.("input, select, textarea, summary, .eqg-drawing")) return;
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      if (event.shiftKey) this.skip(by);
      else this.move(by);
    },
    word,
  },
};
