// Algorithms that race on one game: chosen, started as one job, followed on one plot.
import { onReturn, place, said, say, word } from "../core/address.js";
import { html, nextTick, onMounted, reactive, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { count, duration, number } from "../core/numbers.js";
import { isOwner, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Actions } from "../parts/job_actions.js";
import { jobPlace, stateText, whyText } from "../parts/job_texts.js";
import { followJob, followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { Plot } from "../parts/plot.js";
import { gameName } from "../poker/games.js";
import { entryOf } from "./race/entries.js";
import { hasSeeds, levelText, levelsOf, lineOf, measureOf, rowsOf, targetsOf } from "./race/results.js";
import { optionsOf, proposals, Setup } from "./race/setup.js";

const LEVELS = "0.01, 0.001, 1e-4, 1e-6";
const AXES = ["iterations", "seconds"];
const DEFAULTS = { side_by_side: "true", threads: "1" };
const ALGORITHMS = ["cfr", "cfr+", "dcfr", "pcfr+"];
const MOST_PAST = 10; // races that are listed
const BUTTONS = ["stop", "cancel", "again", "delete"];

const Table = {
  props: { job: Object, levels: Array },
  setup(props) {
    const head = (text, how = "eq-right") => html`<th scope="col" class=${how}>${text}</th>`;
    const spread = (row) => html`
      <span class="eq-small eq-muted rc-spread">
        ${t("race.spread", { low: number(row[2], 3), high: number(row[4], 3) })}
      </span>`;
    const reached = (point) =>
      point ? t("race.reached", { iterations: count(point[0]), time: duration(point[1]) }) : t("race.not-reached");

    const row = ({ name, state, seeds, last, spread: rows, reached: points }) => html`
      <tr key=${name}>
        <th scope="row" class="eq-mono" translate="no">${name}</th>
        <td>${state}</td>
        ${hasSeeds(props.job) && html`<td class="eq-right">${seeds}</td>`}
        <td class="eq-right">${last && count(last[0])}</td>
        <td class="eq-right">${last && duration(last[1])}</td>
        <td class="eq-right">${last && number(last[2])}${rows && spread(rows)}</td>
        ${points.map((point, k) => html`<td key=${k} class="eq-right">${last && reached(point)}</td>`)}
      </tr>`;

    return () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("race.table")}>
        <table class=${["eq-table", { "rc-seeds": hasSeeds(props.job) }]}>
          <thead><tr>
            ${head(t("race.head.algorithm"), "")}${head(t("race.head.state"), "")}
            ${hasSeeds(props.job) && head(t("race.head.seeds"))}
            ${head(t("race.head.iterations"))}${head(t("race.head.seconds"))}${head(measureOf(props.job))}
            ${props.levels.map((level) => head(t("race.head.level", { level: levelText(level) })))}
          </tr></thead>
          <tbody>${rowsOf(props.job, props.levels).map(row)}</tbody>
        </table>
      </div>
      ${hasSeeds(props.job) && html`<p class="eq-small eq-muted">${t("race.seeds.about")}</p>`}`;
  },
};

const Race = {
  setup() {
    const form = reactive({ game: "", entries: [], options: optionsOf(() => "") });
    const id = ref(said().one("job"));
    const [axis, levels] = [ref(AXES[0]), ref(LEVELS)];
    const [panel, isAsked] = [ref(null), ref(false)];
    const { job, error, load } = followJob(() => id.value);
    const { jobs } = followJobs();

    // What the address says; a race brings its own form.
    function read() {
      const asked = said();
      [id.value, levels.value] = [asked.one("job"), asked.one("levels", LEVELS)];
      axis.value = AXES.includes(asked.one("axis")) ? asked.one("axis") : AXES[0];
      if (id.value) return;
      const names = asked.all("algorithm");
      const entries = (names.length ? names : ALGORITHMS).map(entryOf);
      const options = optionsOf((name) => asked.one(name, DEFAULTS[name] ?? ""));
      Object.assign(form, { game: asked.one("game", "kuhn"), entries, options });
    }

    const keep = () => say({ job: id.value, axis: axis.value, levels: levels.value === LEVELS ? "" : levels.value });

    function fill({ game, algorithms, options }) {
      const shared = optionsOf((name) => options[name] ?? (name === "side_by_side" ? "false" : ""));
      Object.assign(form, { game, entries: algorithms.map(entryOf), options: shared });
    }

    async function started({ id: name }) {
      id.value = name;
      say({ job: name, axis: axis.value }, true);
      await load();
      isAsked.value = false;
      await nextTick();
      panel.value?.scrollIntoView();
    }

    function done(_, what) {
      if (what !== "delete") return load();
      id.value = "";
      return say({}, true);
    }

    read();
    const [isOpen, known] = [ref(false), shallowRef(null)]; // all is drawn at once when all of it is there
    onReturn(read);
    onMounted(async () => (known.value = isOwner ? await proposals() : []));
    watch(() => job.value?.id, () => job.value && fill(job.value));
    const isKnown = () => known.value && (!id.value || job.value || error.value);
    watch([known, job, error], () => (isOpen.value ||= Boolean(isKnown())));
    watch(isOpen, ready, { flush: "post" });

    const choice = (key, choices, value, act) => html`
      <label class="eq-row">${t(key)}
        <select class="eq-field" value=${value} onChange=${act}>
          ${choices.map((one) => html`<option key=${one} value=${one}>${t(`plot.axis.${one}`)}</option>`)}
        </select>
      </label>`;

    function stateNow() {
      const { state, asked, seconds } = job.value;
      if (state !== "running" || asked) return stateText(job.value);
      return whyText(job.value) || t("race.running", { time: duration(seconds) });
    }

    const bar = () => html`
      <div class="eq-row">
        <h2>${gameName(job.value.game)}</h2>
        <span role="status" class="eq-num">${stateNow()}</span>
        <span class="eq-grow"></span>
        <label class="eq-row">${t("race.levels")}
          <input class="eq-field eq-num rc-levels" autocomplete="off" value=${levels.value}
            onChange=${(event) => {
              levels.value = event.target.value;
              keep();
            }} />
        </label>
        ${choice("plot.over", AXES, axis.value, (event) => {
          axis.value = event.target.value;
          keep();
        })}
      </div>
      <div class="eq-row rc-actions">
        <${Actions} job=${job.value} kinds=${BUTTONS} onDone=${done} />
        <a href=${place(`games/${word(job.value.game)}`)}>${t("run.game")}</a>
        ${job.value.comparison && html`
          <a href=${place(`api/jobs/${word(job.value.id)}/comparison.csv`)} download>${t("race.csv")}</a>`}
      </div>`;

    // What ended the race before its end.
    function ending() {
      const { error: problem, state } = job.value;
      if (problem) return html`<${Notice} error=${new Refusal(problem, 0)} />`;
      if (!["interrupted", "stopped"].includes(state)) return "";
      const look = state === "stopped" ? "eq-muted" : "eq-error";
      return html`<p role="alert" class=${look}>${t(`race.ended.${state}`)}</p>`;
    }

    function plot(shown) {
      const [column, measure] = [AXES.indexOf(axis.value), measureOf(job.value)];
      const series = job.value.algorithms.map((name) => ({
        name,
        points: lineOf(job.value, name).map((point) => [point[column], point[2]]),
        band: (job.value.bands[name] ?? []).map((row) => [row[column], row[2], row[4]]),
      }));
      const [over, game] = [t(`plot.axis.${axis.value}`), gameName(job.value.game)];
      return html`
        <${Plot} series=${series} targets=${targetsOf(job.value)} levels=${shown} xLabel=${over} yLabel=${measure}
          label=${t("race.plot", { game, measure, over })} file=${`${job.value.id}-race`}
          csv=${place(`api/jobs/${word(job.value.id)}/curves.csv`)} />`;
    }

    function race() {
      const shown = levelsOf(levels.value, job.value);
      return html`
        <section class="eq-panel eq-stack" ref=${panel} aria-label=${t("race.race")}>
          ${bar()}
          <div class="rc-ending">${ending()}</div>
          ${plot(shown)}
          <${Table} job=${job.value} levels=${shown} />
          ${(job.value.comparison?.failed ?? []).map((one) => html`
            <p key=${one.algorithm} class="eq-error" translate="no">${one.algorithm}: ${one.error}</p>`)}
        </section>`;
    }

    const past = () => (jobs.value ?? []).filter((one) => one.kind === "compare").slice(0, MOST_PAST);
    const pastList = () => html`
      <section class="eq-stack" aria-label=${t("race.past")}>
        <h2>${t("race.past")}</h2>
        <ul class="rc-list">
          ${past().map((one) => html`
            <li key=${one.id}>
              <a href=${jobPlace(one)}>
                ${gameName(one.game)}: <span translate="no">${one.algorithms.join(", ")}</span>
              </a>${" "}
              <span class="eq-muted">${stateText(one)}</span>
            </li>`)}
        </ul>
      </section>`;

    const body = () => html`
      ${isOwner && html`
        <${Setup} form=${form} known=${known.value} onAsk=${(isSo) => (isAsked.value = isSo)} onStart=${started} />`}
      ${!isOwner && !job.value && html`<p class="eq-muted">${t("race.guests")}</p>`}
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${interruption.value && html`<${Notice} error=${interruption.value} />`}
      ${job.value && race()}
      ${past().length > 0 && !isAsked.value && pastList()}`; // which would be pushed down

    return () => html`<p>${t("race.about")}</p>${isOpen.value && body()}`;
  },
};

show(Race, "race", t("section.race"));
