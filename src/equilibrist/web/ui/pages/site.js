// What a site of files has: solutions, games and lessons. Its first page.
import { place, word } from "../core/address.js";
import { html, onMounted, ref, shallowRef } from "../core/html.js";
import { count, measured } from "../core/numbers.js";
import { can, get, Refusal } from "../core/source.js";
import { hasText, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { isNamed, titleText } from "../poker/titles.js";

const PARTS = ["games", "learn", "lessons"];
const partName = (name) => t(name === "lessons" ? "course" : `section.${name}`);
const PAGES = { spot: "study", game: "explore" }; // of all others charts are shown
const addressOf = ({ name, title }) => place(`${PAGES[title.kind] ?? "charts"}/${word(name)}`);
const measure = (name) => (hasText(`measured.${name}`) ? t(`measured.${name}`) : name);

const Site = {
  setup() {
    const solutions = shallowRef([]);
    const error = shallowRef(null);
    const isAsked = ref(false); // until then nothing stands where the table will push it down
    onMounted(async () => {
      try {
        ({ solutions: solutions.value } = await get("solutions"));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isAsked.value = true;
      ready();
    });

    const row = (entry) => html`
      <tr key=${entry.name}>
        <td><a href=${addressOf(entry)} translate="no">${entry.name}</a></td>
        <td translate=${isNamed(entry.title) ? "no" : null}>${titleText(entry.title)}</td>
        <td translate="no">${entry.algorithm}</td>
        <td class="eq-right">${count(entry.iterations)}</td>
        <td class="eq-right">${measure(entry.measure_name)} ${measured(entry.measure)}</td>
      </tr>`;

    const table = () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("site.solutions")}>
        <table class="eq-table">
          <thead><tr>
            <th scope="col">${t("site.solution")}</th>
            <th scope="col">${t("explore.of")}</th>
            <th scope="col">${t("solve.algorithm")}</th>
            <th scope="col" class="eq-right">${t("solve.iterations")}</th>
            <th scope="col" class="eq-right">${t("play.measure")}</th>
          </tr></thead>
          <tbody>${solutions.value.map(row)}</tbody>
        </table>
      </div>`;

    return () => html`
      <div class="eq-stack">
        <p>${t("site.about")}</p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${solutions.value.length > 0 && table()}
        ${isAsked.value && PARTS.filter(can).map((name) => html`
          <p key=${name}><a href=${place(name)}>${partName(name)}</a>: ${t(`site.${name}`)}</p>`)}
      </div>`;
  },
};

show(Site, "library", t("section.library"));
