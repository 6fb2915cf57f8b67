// The folders of the library, of which one is chosen.
import { html } from "../../core/html.js";
import { count } from "../../core/numbers.js";
import { t } from "../../core/texts.js";

const NONE = `/`; // what the server calls solutions in no folder

// The first argument is an answer of the library, `chosen` the folder that was asked for; `choose` is told another.
export function folders({ folders: named, total }, chosen, choose) {
  if (!named.length && !chosen) return null;
  const free = total - named.reduce((sum, folder) => sum + folder.count, 0);
  const item = (name, text, number, isData) => html`
    <li key=${name}>
      <button class="eq-button eq-small lb-folder" type="button" aria-pressed=${String(name === chosen)}
        onClick=${() => choose(name)}>
        <span translate=${isData ? "no" : null}>${text}</span><span class="eq-num">${count(number)}</span>
      </button>
    </li>`;
  return html`
    <section class="eq-stack" aria-label=${t("library.folders")}>
      <h2>${t("library.folders")}</h2>
      <ul class="lb-list lb-folders">
        ${item("", t("library.folder.all"), total, false)}
        ${named.map((folder) => item(folder.name, folder.name, folder.count, true))}
        ${free > 0 && named.length > 0 && item(NONE, t("library.folder.none"), free, false)}
      </ul>
    </section>`;
}
