// Reviews of played hands: hands are given, judged by a run, and their decisions listed, the worst first.
import { onReturn, place, said, say, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { get, isOwner, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Actions } from "../parts/job_actions.js";
import { jobPlace, jobTitle, State, whyText } from "../parts/job_texts.js";
import { followJob, followJobs, isActive } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { Results } from "./review/results.js";
import { judges, Setup } from "./review/setup.js";

const BUTTONS = ["stop", "cancel", "again", "delete"];
const MOST_PAST = 10; // reviews that are listed

const Review = {
  setup() {
    const id = ref(said().one("job"));
    const { job, error, isGone, load } = followJob(() => id.value);
    const { jobs } = followJobs();
    const [known, found, refused] = [shallowRef(null), shallowRef(null), shallowRef(null)];
    const isOpen = ref(false);

    onReturn(() => (id.value = said().one("job")));
    onMounted(async () => (known.value = await judges()));

    // What the review says, once it has ended.
    const ending = computed(() => {
      const { value } = job;
      return value && !isActive(value) && value.kind === "review" ? `${value.id} ${value.state}` : "";
    });
    watch([ending, id], async () => {
      [found.value, refused.value] = [null, null];
      const { value } = job;
      if (!ending.value || value.error) return;
      try {
        const document = await get(`jobs/${word(value.id)}/review`);
        if (value.id === id.value) found.value = document;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        refused.value = refusal;
      }
    });

    // All at once, so that nothing moves what is already being read.
    const isKnown = computed(() => {
      if (!known.value || !(jobs.value || interruption.value)) return false;
      if (!id.value) return true;
      if (error.value || refused.value || found.value) return true;
      return Boolean(job.value && (isActive(job.value) || job.value.error));
    });
    watch(isKnown, () => (isOpen.value ||= isKnown.value));
    watch(isOpen, ready, { flush: "post" });

    function go(name) {
      id.value = name;
      say({ job: name }, true);
    }

    function done(_, what) {
      if (what !== "delete") return load();
      return go("");
    }

    const state = () => html`
      <div class="eq-row rv-state">
        <a class="eq-small" href=${place("review")}>${t("review.other")}</a>
        <span role="status" class="eq-row"><${State} job=${job.value} />${whyText(job.value)}</span>
        <span class="eq-grow"></span>
        <${Actions} job=${job.value} kinds=${BUTTONS} onDone=${done} />
      </div>`;

    const review = () => html`
      ${state()}
      ${job.value.error && html`<${Notice} error=${new Refusal(job.value.error, 0)} />`}
      ${refused.value && html`<${Notice} error=${refused.value} />`}
      ${found.value && html`<${Results} key=${job.value.id} review=${found.value} job=${job.value} />`}`;

    const past = () => (jobs.value ?? []).filter((one) => one.kind === "review").slice(0, MOST_PAST);
    const pastList = () => html`
      <section class="eq-stack" aria-label=${t("review.past")}>
        <h2>${t("review.past")}</h2>
        <ul class="rv-list">
          ${past().map((one) => html`
            <li key=${one.id} class="eq-row">
              <a href=${jobPlace(one)}>${jobTitle(one).text}</a><${State} job=${one} />
            </li>`)}
        </ul>
      </section>`;

    const start = () => html`
      <p>${t("review.about")}</p>
      ${isOwner
        ? html`<${Setup} known=${known.value} onStart=${({ id: name }) => go(name)} />`
        : html`<p class="eq-muted">${t("review.guests")}</p>`}
      ${past().length > 0 && pastList()}`;

    const page = () => {
      if (id.value && isGone.value) return html`<p>${t("review.gone")}</p>`;
      return id.value ? job.value && review() : start();
    };

    return () => html`
      ${interruption.value && html`<${Notice} error=${interruption.value} />`}
      ${error.value && id.value && html`<${Notice} error=${error.value} />`}
      ${isOpen.value && page()}`;
  },
};

show(Review, "play", t("review.title"));
