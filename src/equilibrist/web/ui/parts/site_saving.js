// A button that saves games and solutions as a site of files: pages that any web server shows.
import { html, ref, shallowRef } from "../core/html.js";
import { fetchFile, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { Notice } from "./notice.js";
import { saveFile } from "./saving.js";

export const SiteSaving = {
  props: { games: { type: Array, default: () => [] }, solutions: { type: Array, default: () => [] } },
  setup(props) {
    const [isBusy, error] = [ref(false), shallowRef(null)];

    async function save() {
      [isBusy.value, error.value] = [true, null];
      try {
        saveFile(await fetchFile("site", { games: props.games, solutions: props.solutions }), "equilibrist-site.zip");
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
      isBusy.value = false;
    }

    return () => html`
      <button class="eq-button" type="button" title=${t("site.save.about")} onClick=${save}
        disabled=${isBusy.value || !(props.games.length || props.solutions.length)}>
        ${t(isBusy.value ? "site.saving" : "site.save")}
      </button>
      ${error.value && html`<${Notice} error=${error.value} />`}`;
  },
};
