// Algorithms that race on one game: chosen, started as one job, followed on one plot.
import { api, count, LogPlot, number, query, said, say, seconds, word } from "equilibrist-games";

const LEVELS = "0.01, 0.001, 1e-4, 1e-6";
const MEASURES = { "": "exploitability", efce: "EFCE gap", efcce: "EFCCE gap", nfcce: "NFCCE gap" };
const DEFAULT = ["cfr", "cfr+", "dcfr", "pcfr+"];

function entry(text) {
  const at = text.lastIndexOf("@");
  return at < 0 ? { algorithm: text, sampler: "" } : { algorithm: text.slice(0, at), sampler: text.slice(at + 1) };
}

// The text of an algorithm that trains, as "sd-cfr(walks=40)": its name and its parameters.
function parts(text) {
  const [, name, inside] = text.match(/^([^(]*)(?:\((.*)\)\s*)?$/) ?? [text, text];
  return { name: name.trim(), parameters: (inside ?? "").split(",").map((part) => part.trim()).filter(Boolean) };
}

export default {
  components: { LogPlot },
  template: `
  <div class="eq-stack">
    <form v-if="owner" class="eq-panel eq-stack" @submit.prevent="start" aria-label="Set up a race">
      <div class="eqg-fields">
        <div class="eqg-field"><label for="r-game">Game</label>
          <input id="r-game" class="eq-field eq-mono" v-model="game" list="eqg-games" autocomplete="off" required v-bind="marks('game')">
          <span class="eq-small" :class="refused.option === 'game' ? 'eq-error' : 'eq-muted'">{{ refused.option === 'game' ? refused.text : 'Parameters in brackets: leduc(players=3).' }}</span></div>
        <div v-for="one in limits" :key="one.name" class="eqg-field"><label :for="'r-' + one.name">{{ one.label }}</label>
          <input :id="'r-' + one.name" class="eq-field eq-num" v-model="options[one.name]" autocomplete="off" :placeholder="one.placeholder" v-bind="marks(one.name)">
          <span class="eq-small" :class="refused.option === one.name ? 'eq-error' : 'eq-muted'">{{ refused.option === one.name ? refused.text : one.help }}</span></div>
        <div class="eqg-field"><label for="r-measure">Measure</label>
          <select id="r-measure" class="eq-field" v-model="options.measure"><option v-for="(text, name) in measures" :key="name" :value="name">{{ text }}</option></select>
          <span class="eq-small" :class="refused.option === 'measure' ? 'eq-error' : 'eq-muted'">{{ refused.option === 'measure' ? refused.text : 'The gaps measure correlated equilibria.' }}</span></div>
        <div class="eqg-field"><label for="r-seeds">Seeds</label>
          <input id="r-seeds" class="eq-field eq-num" v-model="options.seeds" autocomplete="off" placeholder="1" v-bind="marks('seeds')">
          <span class="eq-small" :class="refused.option === 'seeds' ? 'eq-error' : 'eq-muted'">{{ refused.option === 'seeds' ? refused.text : 'Runs of each algorithm that samples.' }}</span></div>
        <div class="eqg-field"><label for="r-order">Order</label>
          <select id="r-order" class="eq-field" v-model="options.side_by_side" v-bind="marks('side_by_side')"><option value="true">side by side</option><option value="false">one after the other</option></select>
          <span class="eq-small" :class="refused.option === 'side_by_side' ? 'eq-error' : 'eq-muted'">{{ refused.option === 'side_by_side' ? refused.text : 'Side by side, all take turns on one processor.' }}</span></div>
        <div class="eqg-field"><label for="r-threads">Threads</label>
          <input id="r-threads" class="eq-field eq-num" v-model="options.threads" autocomplete="off" placeholder="one per processor" v-bind="marks('threads')">
          <span class="eq-small" :class="refused.option === 'threads' ? 'eq-error' : 'eq-muted'">{{ refused.option === 'threads' ? refused.text : 'Seconds are comparable only with 1 thread.' }}</span></div>
      </div>
      <fieldset class="eqg-entries"><legend>Algorithms</legend>
        <div v-for="(entry, k) in entries" :key="k" class="eq-row">
          <input class="eq-field eq-mono" v-model="entry.algorithm" list="eqg-algorithms" :aria-label="'Algorithm ' + (k + 1)" placeholder="lcfr" autocomplete="off">
          <span aria-hidden="true">@</span>
          <input class="eq-field eq-mono" v-model="entry.sampler" list="eqg-samplers" :aria-label="'Sampler ' + (k + 1)" placeholder="no sampler" autocomplete="off" :disabled="trains(entry)">
          <select v-if="trains(entry)" class="eq-field" :value="learner(entry)" @change="learn(entry, $event.target.value)" :aria-label="'Learner ' + (k + 1)"><option value="network">network</option><option value="table">table</option></select>
          <button type="button" class="eq-button" :aria-label="'Remove algorithm ' + (k + 1)" @click="entries.splice(k, 1)" :disabled="entries.length < 2">Remove</button>
        </div>
        <p v-if="lacking" class="eq-small eq-error">{{ lacking }}; a table needs nothing</p>
        <button type="button" class="eq-button" @click="entries.push({algorithm: '', sampler: ''})" :disabled="entries.length >= 12">Add an algorithm</button>
      </fieldset>
      <datalist id="eqg-games"><option v-for="one in games" :key="one.name" :value="one.name"/></datalist>
      <datalist id="eqg-algorithms"><option v-for="one in [...algorithms, ...networks.algorithms]" :key="one.name" :value="one.name"/></datalist>
      <datalist id="eqg-samplers"><option v-for="one in samplers" :key="one.name" :value="one.name"/></datalist>
      <p v-if="refused.text && !inPlace(refused.option)" class="eq-error" role="alert">{{ refused.text }}</p>
      <div class="eq-row"><button class="eq-button eq-primary" :disabled="busy">Start the race</button>
        <span class="eq-small eq-muted">Each run has the same limits; without any, 10 seconds.</span></div>
    </form>
    <p v-else-if="!job" class="eq-muted">Guests may watch races; they may not start one.</p>
    <section v-if="job" class="eq-panel eq-stack" aria-label="The race" ref="race">
      <div class="eq-row"><h2>{{ job.game }}</h2>
        <span role="status" class="eq-num">{{ stateText }}</span><span class="eq-grow"></span>
        <label class="eq-row">Levels <input class="eq-field eq-num" v-model="levelText" @change="keep" autocomplete="off" style="width: 14rem"></label>
        <label class="eq-row">Over <select class="eq-field" v-model="axis" @change="keep"><option value="iterations">iterations</option><option value="seconds">seconds</option></select></label>
        <a :href="'/api/jobs/' + job.id + '/curves.csv'" download>Measurements as CSV</a>
        <a v-if="job.comparison" :href="'/api/jobs/' + job.id + '/comparison.csv'" download>Table as CSV</a>
        <button v-if="owner && isActive" class="eq-button" @click="stop" :disabled="job.asked === 'stop'">Stop</button>
      </div>
      <div class="eq-row eqg-ending" role="alert"><span v-if="ending" :class="job.state === 'stopped' ? 'eq-muted' : 'eq-error'">{{ ending }}</span>
        <button v-if="ending && owner && job.state !== 'done'" class="eq-button" @click="again" :disabled="busy">Start again</button></div>
      <LogPlot :series="series" :targets="targets" :levels="levels" :x-label="axis" :y-label="measureName" :label="'Convergence on ' + job.game + ': ' + measureName + ' over ' + axis"/>
      <div class="eq-scroll" role="region" tabindex="0" aria-label="When each algorithm reached each level">
        <table class="eq-table">
          <thead><tr><th>Algorithm</th><th>State</th><th v-if="hasSeeds" class="eq-right">Seeds</th><th class="eq-right">Iterations</th><th class="eq-right">Seconds</th><th class="eq-right">{{ measureName[0].toUpperCase() + measureName.slice(1) }}</th>
            <th v-for="level in levels" :key="level" class="eq-right">{{ show(level) }} at</th></tr></thead>
          <tbody><tr v-for="row in table" :key="row.name"><th scope="row" class="eq-mono">{{ row.name }}</th><td>{{ row.state }}</td><td v-if="hasSeeds" class="eq-right">{{ row.seeds }}</td>
            <td class="eq-right">{{ row.last ? count(row.last[0]) : '' }}</td><td class="eq-right">{{ row.last ? time(row.last[1]) : '' }}</td>
            <td class="eq-right">{{ row.last ? show(row.last[2]) : '' }}<span v-if="row.spread" class="eq-small eq-muted eqg-spread">{{ row.spread }}</span></td>
            <td v-for="(reached, k) in row.reached" :key="k" class="eq-right">{{ reached ? count(reached[0]) + ' it, ' + time(reached[1]) : '' }}</td></tr></tbody>
        </table>
      </div>
      <p v-if="hasSeeds" class="eq-small eq-muted">With several seeds the curve is the median of the runs and the band spans their minimum and maximum, at iterations where more than half of the runs were measured. The table shows medians.</p>
      <p v-for="one in failed" :key="one.algorithm" class="eq-error">{{ one.algorithm }}: {{ one.error }}</p>
    </section>
    <section v-if="past.length" class="eq-stack" aria-label="Races so far"><h2>Races so far</h2>
      <ul class="eqg-list"><li v-for="one in past" :key="one.id"><a :href="'/race?job=' + one.id">{{ one.game }}: {{ one.algorithms.join(', ') }}</a> <span class="eq-muted">{{ one.state }}</span></li></ul>
    </section>
  </div>`,
  props: { owner: Boolean },
  data() {
    const asked = said();
    const names = asked.all("algorithm").length ? asked.all("algorithm") : DEFAULT;
    return {
      game: asked.one("game", "kuhn"),
      entries: names.map(entry),
      options: {
        iterations: asked.one("iterations"), target: asked.one("target"), seconds: asked.one("seconds"), measure: asked.one("measure"),
        seeds: asked.one("seeds"), side_by_side: asked.one("side_by_side", "true"), threads: asked.one("threads", "1"),
      },
      axis: asked.one("axis", "iterations"),
      levelText: asked.one("levels", LEVELS),
      job: null, curves: {}, bands: {}, refused: {}, busy: false, games: [], algorithms: [], samplers: [], networks: { algorithms: [], missing: null }, past: [], measures: MEASURES,
    };
  },
  computed: {
    limits() {
      return [
        { name: "iterations", label: "Iterations", placeholder: "no limit", help: "Stop each algorithm after this many." },
        { name: "target", label: "Target", placeholder: "none", help: "Stop each algorithm at this value of the measure, in payoff units." },
        { name: "seconds", label: "Time", placeholder: "10 s", help: "Stop each algorithm after this time: 30 (seconds), 10m." },
      ];
    },
    // Why an entry that is to train a network cannot run on this server.
    lacking() {
      const { missing } = this.networks;
      return missing && this.entries.some((entry) => this.trains(entry) && this.learner(entry) === "network") ? missing : null;
    },
    isActive() {
      return ["queued", "running"].includes(this.job.state);
    },
    stateText() {
      const { job } = this;
      if (job.asked === "stop") return "stopping";
      if (job.state === "running" && job.stage) return job.stage;
      return job.state === "running" ? `running, ${seconds(job.seconds)}` : job.state;
    },
    measureName() {
      const name = this.job.comparison?.measure ?? this.job.progress?.measure_name;
      return name ?? MEASURES[this.job.options.measure ?? ""] ?? "measure";
    },
    hasSeeds() {
      return Object.keys(this.bands).length > 0;
    },
    // What ended the race before its end, in words.
    ending() {
      const { job } = this;
      if (job.error) return job.error.error;
      if (job.state === "interrupted") return "the server ended before the race did";
      return job.state === "stopped" ? "the race was stopped" : "";
    },
    series() {
      const place = this.axis === "seconds" ? 1 : 0;
      return this.job.algorithms.map((name) => ({
        name,
        points: this.line(name).map((p) => [p[place], p[2]]),
        band: (this.bands[name] ?? []).map((row) => [row[place], row[2], row[4]]),
      }));
    },
    targets() {
      const target = Number(this.job.options.target);
      return target > 0 ? [target] : [];
    },
    levels() {
      const given = this.levelText.split(",").map(Number).filter((level) => level > 0);
      const [target] = this.targets;
      const wanted = target ? [...given.filter((level) => level > target), target] : given;
      return [...new Set(wanted)].sort((a, b) => b - a).slice(0, 8);
    },
    failed() {
      return this.job.comparison?.failed ?? [];
    },
    table() {
      const { job } = this;
      const begun = job.algorithms.filter((name) => this.curves[name]?.length);
      const atOnce = job.options.side_by_side === "true";
      return job.algorithms.map((name) => {
        const points = this.line(name);
        const last = points.at(-1);
        let state = last ? "done" : "queued";
        if (last && job.state === "running" && (atOnce ? !this.isOver(last) : name === begun.at(-1))) state = "running";
        if (!last && !this.isActive) state = this.failed.some((one) => one.algorithm === name) ? "failed" : "not run";
        if (last && !this.isActive && job.state !== "done") state = this.isOver(last) ? "done" : "stopped";
        const reached = this.levels.map((level) => points.find((p) => p[2] <= level) ?? null);
        const row = this.bands[name]?.at(-1);
        const spread = row ? `${number(row[2], 3)} to ${number(row[4], 3)}` : "";
        return { name, state, last, reached, spread, seeds: this.bands[name] ? job.options.seeds : "1" };
      });
    },
  },
  async mounted() {
    this.back = () => this.open(said().one("job"));
    window.addEventListener("popstate", this.back);
    const id = said().one("job");
    if (id) await this.open(id);
    if (this.owner) {
      const none = [[], [], [], { algorithms: [], missing: null }];
      [this.games, this.algorithms, this.samplers, this.networks] = await Promise.all(["games", "algorithms", "samplers", "networks"].map((name) => api(name))).catch(() => none);
    }
    await this.list();
  },
  beforeUnmount() {
    this.stream?.close();
    window.removeEventListener("popstate", this.back);
  },
  methods: {
    async open(id) {
      this.stream?.close();
      if (!id) {
        this.job = null;
        return;
      }
      try {
        const job = await api(`jobs/${word(id)}`);
        Object.assign(this, { curves: job.curves, bands: job.bands, job });
        this.game = job.game;
        for (const name of Object.keys(this.options)) this.options[name] = job.options[name] ?? "";
        this.options.side_by_side ||= "false";
        this.entries = job.algorithms.map(entry);
        if (this.isActive) this.follow(job.id);
      } catch (error) {
        this.refused = { text: error.sentence ?? String(error) };
      }
    },
    follow(id) {
      const stream = new EventSource(`/api/jobs/${word(id)}/events`);
      this.stream = stream;
      stream.onmessage = (event) => {
        const job = JSON.parse(event.data);
        for (const [all, newest] of [[this.curves, job.curves], [this.bands, job.bands]]) {
          for (const [name, points] of Object.entries(newest)) {
            const known = all[name] ?? [];
            for (const point of points) {
              if (!known.length || known.at(-1)[0] < point[0]) all[name] = [...known, point];
            }
          }
        }
        this.job = job;
        if (!this.isActive) {
          stream.close();
          this.open(id); // with all its points
          this.list();
        }
      };
      stream.onerror = () => {
        stream.close();
        if (this.stream === stream) setTimeout(() => this.stream === stream && this.open(id), 2000);
      };
    },
    async list() {
      const found = await api("jobs").catch(() => ({ jobs: [] }));
      this.past = found.jobs.filter((job) => job.kind === "compare").slice(0, 10);
    },
    trains({ algorithm }) {
      const { name } = parts(algorithm);
      return this.networks.algorithms.some((one) => one.name === name.toLowerCase().replaceAll("_", "-"));
    },
    learner({ algorithm }) {
      return parts(algorithm).parameters.some((part) => /^learner\s*=\s*table$/.test(part)) ? "table" : "network";
    },
    learn(entry, learner) {
      const { name, parameters } = parts(entry.algorithm);
      const kept = parameters.filter((part) => !/^learner\s*=/.test(part));
      if (learner === "table") kept.push("learner=table");
      entry.algorithm = kept.length ? `${name}(${kept.join(",")})` : name;
    },
    names() {
      return this.entries
        .map(({ algorithm, sampler }) => algorithm.trim() + (sampler.trim() ? `@${sampler.trim()}` : ""))
        .filter((text) => text !== "");
    },
    async start() {
      Object.assign(this, { busy: true, refused: {} });
      const options = Object.fromEntries(Object.entries(this.options).filter(([, text]) => text !== ""));
      try {
        const job = await api("jobs", { method: "POST", body: { game: this.game.trim(), algorithms: this.names(), options } });
        say({ job: job.id, axis: this.axis }, true);
        await this.open(job.id);
        this.$nextTick(() => this.$refs.race?.scrollIntoView());
      } catch (error) {
        this.refused = { option: error.option, text: error.sentence ?? String(error) };
      }
      this.busy = false;
    },
    // The same race from the beginning: it has no checkpoints.
    async again() {
      Object.assign(this, { busy: true, refused: {} });
      try {
        await api(`jobs/${word(this.job.id)}/resume`, { method: "POST" });
        await this.open(this.job.id);
      } catch (error) {
        this.refused = { text: error.sentence ?? String(error) };
      }
      this.busy = false;
    },
    async stop() {
      try {
        await api(`jobs/${word(this.job.id)}/stop`, { method: "POST" });
      } catch (error) {
        this.refused = { text: error.sentence ?? String(error) };
      }
    },
    keep() {
      say({ job: this.job?.id, axis: this.axis, levels: this.levelText === LEVELS ? "" : this.levelText });
    },
    // The curve that is drawn: of several runs that of their medians.
    line(name) {
      const band = this.bands[name];
      return band ? band.map((row) => [row[0], row[1], row[3]]) : (this.curves[name] ?? []);
    },
    // Whether a run that measured this last has met one of its limits.
    isOver([iteration, seconds, measure]) {
      const { iterations, target, seconds: time } = this.job.options;
      const most = Number(String(iterations ?? "").replaceAll(",", ""));
      const limit = Number(time ?? (iterations || target ? 0 : 10));
      return (most > 0 && iteration >= most) || measure <= Number(target ?? 0) || (limit > 0 && seconds >= 0.97 * limit);
    },
    marks(name) {
      return { "aria-invalid": this.refused.option === name ? "true" : null };
    },
    inPlace(option) {
      return ["game", ...Object.keys(this.options)].includes(option);
    },
    show: number,
    time: seconds,
    count,
    query,
  },
};
