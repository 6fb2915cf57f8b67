// A button that saves games and solutions as a site of files: pages that any web server shows. The server writes
// it as a run, which is followed here, and the archive is saved once it is there.
import { word } from "../core/address.js";
import { html, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { archivePlace, jobPlace, State, whyText } from "./job_texts.js";
import { followJob, isActive } from "./jobs.js";
import { Notice } from "./notice.js";
import { saveFrom } from "./saving.js";

export const SiteSaving = {
  props: { games: { type: Array, default: () => [] }, solutions: { type: Array, default: () => [] } },
  setup(props) {
    const id = ref("");
    const [isBusy, error] = [ref(false), shallowRef(null)];
    const { job, error: lost } = followJob(() => id.value);
    const isWritten = () => isBusy.value || Boolean(job.value && isActive(job.value));

    async function ask(path, body) {
      [isBusy.value, error.value] = [true, null];
      try {
        id.value = (await send("POST", path, body)).id;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }
    const save = () => ask("site", { games: props.games, solutions: props.solutions });
    const stop = () => ask(`jobs/${word(job.value.id)}/stop`, null);

    watch(() => job.value && archivePlace(job.value), (place) => place && saveFrom(place));

    const failure = () => error.value ?? lost.value ?? (job.value?.error && new Refusal(job.value.error, 0));
    const progress = () => html`
      <span class="eq-row" role="status">
        <a class="eq-small" href=${jobPlace(job.value)}><${State} job=${job.value} /></a>
        <span class="eq-small eq-muted">${whyText(job.value)}</span>
      </span>
      ${isActive(job.value) && html`
        <button class="eq-button" type="button" disabled=${isBusy.value || Boolean(job.value.asked)} onClick=${stop}>
          ${t("job.do.cancel")}
        </button>`}
      ${archivePlace(job.value) && html`
        <a class="eq-small" href=${archivePlace(job.value)} download>${t("run.site")}</a>`}`;

    return () => html`
      <button class="eq-button" type="button" title=${t("site.save.about")} onClick=${save}
        disabled=${isWritten() || !(props.games.length || props.solutions.length)}>
        ${t(isWritten() ? "site.saving" : "site.save")}
      </button>
      ${job.value && progress()}
      ${failure() && html`<${Notice} error=${failure()} />`}
      ${isWritten() && interruption.value && html`<${Notice} error=${interruption.value} />`}`;
  },
};
