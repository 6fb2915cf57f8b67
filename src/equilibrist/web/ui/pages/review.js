// Reviews of played hands: hands are given, judged by a run, and their decisions listed, the worst first.
import { onReturn, place, said, say, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef, watch } from "../core/html.js";
import { interruption } from "../core/live.js";
import { get, isOwner, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { dropNote, takeDrops } from "../parts/dropping.js";
import { ready, show } from "../parts/frame.js";
import { Actions } from "../parts/job_actions.js";
import { jobPlace, jobTitle, State, whyText } from "../parts/job_texts.js";
import { followJob, followJobs, isActive } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { Results } from "./review/results.js";
import { judges, Setup } from "./review/setup.js";

const BUTTONS = ["pause", "resume", "stop", "cancel", "again", "delete"];
const REVIEW = /\.json$/i; // a file of a review, not of hands
const MOST_PAST = 10; // reviews that are listed

// Whether a document is a review, as far as it is shown.
const TOTALS = ["total", "by_street", "by_position", "by_player", "grades", "unjudged"];
const WORDS = ["hand", "player", "position", "street", "cards", "board", "line", "played"];
const isObject = (value) => typeof value === "object" && value !== null;
const areTexts = (decision) => WORDS.every((name) => typeof decision[name] === "string");
const areLists = (document, names) => names.every((name) => Array.isArray(document[name]));
const isDecision = (one) => isObject(one) && areTexts(one) && areLists(one, ["notes", "actions"]);
const isReview = (document) =>
  isObject(document) && TOTALS.every((name) => isObject(document[name]))
  && areLists(document, ["decisions", "players", "left_out"]) && document.decisions.every(isDecision);

// The names of the solutions that have judged, and of those that were kept, as they are now.
const names = ({ against, renamed }) => [...against.filter((name) => !(name in renamed)), ...Object.values(renamed)];

const Review = {
  setup() {
    const id = ref(said().one("job"));
    const { job, error, isGone, load } = followJob(() => id.value);
    const { jobs } = followJobs();
    const [known, found, refused] = [shallowRef(null), shallowRef(null), shallowRef(null)];
    const [isOpen, chooser] = [ref(false), ref(null)];
    const given = shallowRef(null); // a review that was opened as a file: {name, review}
    const isNone = ref(false); // whether a file is no review

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

    // A document of `hands review --json`.
    function open(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) read(file);
    }
    async function read(file) {
      const review = await file.text().then(JSON.parse).catch(() => null);
      isNone.value = !isReview(review);
      given.value = isNone.value ? null : { name: file.name, review };
    }

    // Where one begins: what is no review is read as hands, which owners have a form for.
    const isBeginning = () => isOpen.value && !id.value && !given.value;
    const dropped = shallowRef(null); // a file of hands
    const isOver = takeDrops(([file]) => {
      if (!file || !isBeginning()) return;
      if (isOwner && !REVIEW.test(file.name)) [dropped.value, isNone.value] = [file, false];
      else read(file);
    });

    function go(name) {
      given.value = null;
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
      ${found.value && html`<${Results} key=${job.value.id} review=${found.value} job=${job.value.id}
        judges=${names(job.value.review)} />`}`;

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

    const opening = () => html`
      <div class="eq-row">
        <button class="eq-button" type="button" onClick=${() => chooser.value.click()}>${t("review.open")}</button>
        <input ref=${chooser} hidden type="file" accept=".json" aria-label=${t("review.open")} onChange=${open} />
        <span class="eq-small eq-muted">${t("review.open.about")}</span>
      </div>
      ${isNone.value && html`<p class="eq-error" role="alert">${t("review.open.none")}</p>`}`;

    const file = () => html`
      <div class="eq-row">
        <h2 class="eq-grow" translate="no">${given.value.name}</h2>
        <button class="eq-button" type="button" onClick=${() => (given.value = null)}>${t("library.close")}</button>
      </div>
      <${Results} review=${given.value.review} judges=${known.value.map(({ name }) => name)} />`;

    const start = () => html`
      <p>${t("review.about")}</p>
      ${isOwner
        ? html`<${Setup} known=${known.value} file=${dropped.value} onStart=${({ id: name }) => go(name)} />`
        : html`<p class="eq-muted">${t("review.guests")}</p>`}
      ${opening()}
      ${past().length > 0 && pastList()}`;

    const page = () => {
      if (id.value && isGone.value) return html`<p>${t("review.gone")}</p>`;
      if (id.value) return job.value && review();
      return given.value ? file() : start();
    };

    return () => html`
      ${interruption.value && html`<${Notice} error=${interruption.value} />`}
      ${error.value && id.value && html`<${Notice} error=${error.value} />`}
      ${isOver.value && isBeginning() && dropNote(t("review.drop"))}
      ${isOpen.value && page()}`;
  },
};

show(Review, "play", t("review.title"));
