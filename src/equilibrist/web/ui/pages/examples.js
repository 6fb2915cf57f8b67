// What comes with Equilibrist: spots and charts that are solved when somebody wants them.
import { place } from "../core/address.js";
import { html, onMounted, shallowRef } from "../core/html.js";
import { Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { Examples, followExamples } from "../parts/examples.js";
import { ready, show } from "../parts/frame.js";
import { followJobs } from "../parts/jobs.js";
import { Notice } from "../parts/notice.js";

const Page = {
  setup() {
    const { jobs } = followJobs();
    const found = followExamples(jobs);
    const error = shallowRef(null);
    onMounted(async () => {
      try {
        await found.load();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      ready();
    });
    return () => html`
      <p class="eq-row">
        <a href=${place("")}>${t("section.library")}</a>
        <a href=${place("trainer")}>${t("play.train")}</a>
      </p>
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${found.examples.value && html`<${Examples} found=${found} isOpen isPage />`}`;
  },
};

show(Page, "library", t("example"));
