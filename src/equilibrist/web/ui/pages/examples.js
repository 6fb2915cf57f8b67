// What comes with Equilibrist: spots and charts that are solved when somebody wants them.
import { place } from "../core/address.js";
import { html, onMounted, ref, shallowRef } from "../core/html.js";
import { get, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { Examples, followExamples } from "../parts/examples.js";
import { ready, show } from "../parts/frame.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";
import { solvedRanges } from "../parts/range_tiles.js";
import { copyText } from "../parts/saving.js";

const Page = {
  setup() {
    const { jobs } = followJobs();
    const found = followExamples(jobs);
    const [error, sets] = [shallowRef(null), shallowRef([])];
    const copied = ref("");
    onMounted(async () => {
      try {
        const [ranges] = await Promise.all([get("ranges"), found.load()]);
        sets.value = ranges.solved;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      ready();
    });
    async function copy(range) {
      copied.value = t((await copyText(range)) ? "range.solved.copied" : "range.solved.not-copied");
    }

    const ranges = () => html`
      <section class="eq-panel eq-stack" aria-label=${t("range.solved.all")}>
        <h2>${t("range.solved.all")}</h2>
        <p class="eq-muted">${t("range.solved.about")} <span role="status">${copied.value}</span></p>
        ${sets.value.map((set) => solvedRanges(set, copy))}
      </section>`;

    return () => html`
      <p class="eq-row">
        <a href=${place("")}>${t("section.library")}</a>
        <a href=${place("trainer")}>${t("play.train")}</a>
      </p>
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${found.examples.value && html`<${Examples} found=${found} isOpen isPage />`}
      ${sets.value.length > 0 && ranges()}`;
  },
};

show(Page, "library", t("example"));
