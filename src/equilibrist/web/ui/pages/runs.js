// All runs, and how far they are.
import { place } from "../core/address.js";
import { html, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { bytes, moment } from "../core/numbers.js";
import { isOwner } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Actions } from "../parts/job_actions.js";
import { iterationText, jobPlace, jobTitle, measureText, resultPlace, State, whyText } from "../parts/job_texts.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";

const MOST = 200; // runs in the table
const LISTED = ["pause", "resume", "again", "stop", "cancel", "delete"];
const HEADS = ["run", "state", "iteration", "measured"];

function budget(counts) {
  const limits = {
    most: counts.most_running, queued: counts.queued, used: bytes(counts.memory_in_use_bytes),
    memory: bytes(counts.memory_bytes), checkpoints: bytes(counts.checkpoint_bytes),
    space: bytes(counts.most_checkpoint_bytes),
  };
  return html`<p class="eq-muted eq-num">${t("runs.budget", { n: counts.running, ...limits })}</p>`;
}

function run(job) {
  const { text, isData } = jobTitle(job);
  const result = resultPlace(job);
  return html`
    <tr key=${job.id}>
      <td>
        <a href=${jobPlace(job)} translate=${isData ? "no" : null}>${text}</a>
        <div class="eq-muted eq-small" translate="no">${job.solution || job.algorithms.join(", ")}</div>
        <div class="eq-muted eq-small">${t("job.began", { when: moment(job.created) })}</div>
      </td>
      <td><${State} job=${job} /><div class="eq-muted eq-small">${whyText(job)}</div></td>
      <td class="eq-num">${iterationText(job)}</td>
      <td class="eq-num">${measureText(job)}</td>
      <td>
        <div class="eq-row rs-actions">
          ${result && html`<a href=${result} aria-label=${t("job.do-with", { what: t("runs.open"), job: text })}>
            ${t("runs.open")}</a>`}
          <${Actions} job=${job} kinds=${LISTED} isListed=${true} />
        </div>
      </td>
    </tr>`;
}

const table = (jobs) => html`
  <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("section.runs")}>
    <table class="eq-table rs-table">
      <thead><tr>
        ${HEADS.map((head) => html`<th key=${head} scope="col">${t(`runs.head.${head}`)}</th>`)}
        <th scope="col"><span class="eq-hidden">${t("runs.head.actions")}</span></th>
      </tr></thead>
      <tbody>${jobs.slice(0, MOST).map(run)}</tbody>
    </table>
  </div>
  ${jobs.length > MOST && html`<p class="eq-muted">${t("runs.more", { n: jobs.length - MOST })}</p>`}`;

const empty = () => html`
  <p>${t("runs.none")}</p>
  <div class="eq-row">
    <a href=${place("games")}>${t(isOwner ? "runs.solve-game" : "runs.see-games")}</a>
    <a href=${place("spot")}>${t("runs.set-up")}</a>
    <a href=${place("hands")}>${t("runs.make-charts")}</a>
    <a href=${place("reports")}>${t("runs.make-report")}</a>
  </div>`;

const Runs = {
  setup() {
    const { jobs, counts } = followJobs();
    watch([jobs, interruption], () => {
      if (jobs.value || interruption.value) ready();
    }, { flush: "post" });
    return () => html`
      ${interruption.value && html`<${Notice} error=${interruption.value} />`}
      ${counts.value && budget(counts.value)}
      ${jobs.value && (jobs.value.length ? table(jobs.value) : empty())}`;
  },
};

show(Runs, "runs", t("section.runs"));
