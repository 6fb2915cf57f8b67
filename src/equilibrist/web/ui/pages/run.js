// One run: its curve, how far it is, what can be done with it, and where to go from it.
import { go, place, topic, word } from "../core/address.js";
import { computed, html, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { count } from "../core/numbers.js";
import { isOwner, Refusal } from "../core/source.js";
import { language, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Actions } from "../parts/job_actions.js";
import { jobPlace, jobTitle, measureName, resultPlace, SPOTS, State, whyText } from "../parts/job_texts.js";
import { followJob, isActive } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { Plot } from "../parts/plot.js";
import { Continue } from "./run/continue.js";
import { factsOf } from "./run/facts.js";

const AXES = ["iterations", "seconds"];
// Kinds that are measured once, at their end, or never.
const UNMEASURED = ["push-fold", "multiway", "flops", "cards", "blueprint", "site"];
const UNPLAYED = ["cards", "flops", "site", "three"];

const hasCurve = ({ kind }) => !UNMEASURED.includes(kind);

// Percent of the pot for a spot, thousandths of a big blind for whole hands, else the measure itself.
function scaleOf({ progress, keys }) {
  if (keys) return 1000;
  const { measure, measure_percent: share } = progress ?? {};
  return measure && share ? share / measure : 1;
}

const Convergence = {
  props: { job: Object },
  setup(props) {
    const axis = ref(AXES[0]);
    return () => {
      const { job } = props;
      const [scale, column] = [scaleOf(job), AXES.indexOf(axis.value)];
      const name = measureName(job.progress?.measure_name, job.kind);
      const target = job.progress?.target;
      const unit = job.keys ? "run.in-mbb" : job.progress?.measure_percent ? "run.percent-of-pot" : null;
      const yLabel = unit ? t(unit, { measure: name }) : name;
      const points = job.points.map((point) => [point[column], point[2] * scale]);
      return html`
        <section class="eq-panel eq-stack" aria-label=${t("run.convergence")}>
          <div class="eq-row">
            <h2 class="eq-grow">${t("run.convergence")}</h2>
            <label class="eq-row">${t("plot.over")}
              <select class="eq-field" value=${axis.value} onChange=${(event) => (axis.value = event.target.value)}>
                ${AXES.map((one) => html`<option key=${one} value=${one}>${t(`plot.axis.${one}`)}</option>`)}
              </select>
            </label>
          </div>
          <${Plot} series=${[{ name, points }]} targets=${target ? [target * scale] : []}
            xLabel=${t(`plot.axis.${axis.value}`)} yLabel=${yLabel} label=${t("run.curve", { measure: yLabel })}
            csv=${place(`api/jobs/${word(job.id)}/curves.csv`)} file=${`${job.id}-curve`} />
        </section>`;
    };
  },
};

const Facts = {
  props: { job: Object },
  setup: (props) => () => html`
    <section class="eq-panel eq-stack" aria-label=${t("run.progress")}>
      <h2>${t("run.progress")}</h2>
      <dl class="rn-facts">
        ${factsOf(props.job).map(([name, text]) => html`
          <dt key=${`${name}:`}>${name}</dt><dd key=${name}>${text}</dd>`)}
      </dl>
    </section>`,
};

// What has happened to a run that is to be known at once.
function notices(job) {
  const at = job.checkpoint && count(job.checkpoint.iteration);
  const interrupted = !job.can_resume ? "run.interrupted.again" : at ? "run.interrupted.at" : "run.interrupted";
  return html`
    ${job.error && html`<${Notice} error=${new Refusal(job.error, 0)} />`}
    ${!job.error && job.state === "interrupted" && html`
      <p class="eq-panel eq-error" role="alert">${t(interrupted, { iteration: at })}</p>`}
    ${job.note_code && html`
      <p class="eq-muted">${t(`run.note.${job.note_code}`)}</p>
      ${language.startsWith("en") && html`<p class="eq-muted eq-small" lang="en" translate="no">${job.note}</p>`}`}
    ${interruption.value && html`<${Notice} error=${interruption.value} />`}`;
}

function resultKey({ kind, keys, report }) {
  if (kind === "site") return "run.site";
  if (report) return "run.report";
  if (kind === "cards") return "run.train";
  if (keys) return "run.charts";
  return SPOTS.includes(kind) ? "run.study" : "run.explore";
}

// Where to go from here: what comes next, once there is a solution.
function links(job) {
  const result = resultPlace(job);
  const link = (path, key, isMain = false) => html`
    <a key=${key} class=${["eq-button rn-link", { "eq-primary": isMain }]} href=${path}>${t(key)}</a>`;
  return html`
    ${result && link(result, resultKey(job), true)}
    ${job.kind === "spot" && job.state === "running" && job.progress
      && link(place(`study/${word(job.solution)}`, { run: job.id }), "run.look")}
    ${result && !UNPLAYED.includes(job.kind) && link(place(`play/${word(job.solution)}`), "run.play")}
    ${job.kind === "compare" && link(jobPlace(job), "run.race", true)}
    ${job.keys && link(place(job.report ? "reports" : "hands", { kind: job.kind, job: job.id }), "run.edit-hand")}
    ${SPOTS.includes(job.kind) && link(place("spot", { job: job.id }), "run.edit")}
    ${job.kind === "spot" && result && isOwner
      && link(place("reports", { of: `solution:${job.solution}` }), "run.make-report")}
    ${["game", "compare"].includes(job.kind) && link(place(`games/${word(job.game)}`), "run.game")}`;
}

// What the page is called: once it is known, by what the run does.
const heading = shallowRef({ text: t("run.title"), isData: false });

const Run = {
  setup() {
    const id = topic();
    const { job, error, isGone, show: showJob } = followJob(() => id);
    watch([job, error], () => {
      if (!job.value && !error.value) return;
      if (job.value) heading.value = jobTitle(job.value);
      ready();
    }, { flush: "post" });
    watch(isGone, () => isGone.value && go("runs"));
    const goesOn = () => isOwner && !isActive(job.value) && job.value.can_resume && job.value.has_parts;

    function done(found, what) {
      if (what === "delete") go("runs");
      else showJob({ ...job.value, ...found, points: job.value.points });
    }

    const page = () => html`
      ${notices(job.value)}
      <div class="eq-row rn-buttons">${links(job.value)}<${Actions} job=${job.value} onDone=${done} /></div>
      <div class=${["rn-grid", { "rn-alone": !hasCurve(job.value) }]}>
        ${hasCurve(job.value) && html`<${Convergence} job=${job.value} />`}<${Facts} job=${job.value} />
      </div>
      ${goesOn() && html`<${Continue} job=${job.value} onDone=${done} />`}`;

    return () => html`
      <div class="eq-row">
        <a class="eq-small" href=${place("runs")}>${t("run.all")}</a>
        ${job.value && html`
          <span class="eq-row" role="status"><${State} job=${job.value} />${whyText(job.value)}</span>`}
      </div>
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${job.value && page()}`;
  },
};

show(Run, "runs", computed(() => heading.value.text), computed(() => heading.value.isData));
