// The runs that go on or wait, as the library shows them.
import { place } from "../../core/address.js";
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { Actions } from "../../parts/job_actions.js";
import { iterationText, jobPlace, jobTitle, measureText, State, whyText } from "../../parts/job_texts.js";
import { isActive } from "../../parts/jobs.js";

const KINDS = ["pause", "stop", "cancel"];
const MOST = 20; // of them that are shown

const at = (iteration) => t("library.running.at", { iteration });

function run(job) {
  const { text, isData } = jobTitle(job);
  const [iteration, measure, why] = [iterationText(job), measureText(job), whyText(job)];
  return html`
    <li key=${job.id} class="eq-stack lb-run">
      <a href=${jobPlace(job)} translate=${isData ? "no" : null}>${text}</a>
      <div class="eq-row"><${State} job=${job} /><span class="eq-small eq-muted">${why}</span></div>
      ${iteration && html`<div class="eq-small eq-num">${[at(iteration), measure].filter(Boolean).join(" · ")}</div>`}
      <div class="eq-row"><${Actions} job=${job} kinds=${KINDS} isListed=${true} /></div>
    </li>`;
}

// Of `jobs`, null while they are not known.
export function running(jobs) {
  const active = (jobs ?? []).filter(isActive);
  return html`
    <section class="eq-stack" aria-label=${t("library.running")}>
      <div class="eq-row">
        <h2 class="eq-grow">${t("library.running")}</h2>
        <a class="eq-small" href=${place("runs")}>${t("library.running.all")}</a>
      </div>
      ${active.length
        ? html`<ul class="lb-list">${active.slice(0, MOST).map(run)}</ul>`
        : html`<p class="eq-muted eq-small">${t("library.running.none")}</p>`}
    </section>`;
}
