// Of a run that is looked into: of which iteration the node is, and how far the run is meanwhile.
import { place, word } from "../../core/address.js";
import { html } from "../../core/html.js";
import { onKeys } from "../../core/keys.js";
import { count } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { iterationText, measureName, measureText, stateText } from "../../parts/job_texts.js";
import { followJob, isActive } from "../../parts/jobs.js";

export const Live = {
  props: { store: Object },
  setup({ store }) {
    const { job } = followJob(() => store.run);
    const refresh = () => !store.state.isBusy && store.refresh();
    onKeys({ r: refresh });

    function now() {
      const { progress } = job.value;
      const measure = measureText(job.value);
      const values = { iteration: iterationText(job.value), measure, name: measureName(progress?.measure_name) };
      return t(measure ? "live.now" : "live.now.unmeasured", values);
    }
    const solved = () => place(`study/${word(job.value.solution)}`, { line: store.node.value?.line });
    const ended = () => html`
      <span role="status">${t("live.ended", { state: stateText(job.value) })}</span>
      ${job.value.is_saved && html`<a href=${solved()}>${t("live.solution")}</a>`}
      <a href=${place(`runs/${word(store.run)}`)}>${t("live.run")}</a>`;
    const going = () => html`
      <button type="button" class="eq-button" disabled=${store.state.isBusy} aria-keyshortcuts="r"
        onClick=${refresh}>${t("live.refresh")}</button>
      ${job.value && html`<span class="eq-muted">${now()}</span>`}`;
    return () => html`
      <div class="eqs-live">
        <span role="status">${t("live.at", { iteration: count(store.node.value?.iteration) })}</span>
        ${job.value && !isActive(job.value) ? ended() : going()}
      </div>`;
  },
};
