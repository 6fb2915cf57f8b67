// Reports over boards: the batches that there are, and any other report, which stays in the browser.
import { place, word } from "../core/address.js";
import { html, ref, shallowRef } from "../core/html.js";
import { follow } from "../core/source.js";
import { t } from "../core/texts.js";
import { parse } from "../poker/reports.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Report } from "../parts/report.js";

const Reports = {
  setup() {
    const { document: batches, error } = follow(() => ["reports", {}], ready);
    const table = shallowRef(null);
    const isOther = ref(false); // whether the file that was chosen is none

    async function open(event) {
      const [file] = event.target.files;
      if (!file) return;
      table.value = parse(await file.text());
      isOther.value = table.value === null;
    }
    const batch = ({ name, is_done: isDone }) => html`
      <li key=${name}>
        ${isDone
          ? html`<a href=${place(`reports/${word(name)}`)} translate="no">${name}</a>`
          : html`<span translate="no">${name}</span>: ${t("reports.unfinished")}`}
      </li>`;
    return () => html`
      <div class="eq-stack eqr">
        <p>${t("reports.about")}</p>
        <p class="eq-mono eq-small" translate="no">${t("reports.command")}</p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${batches.value?.length > 0 && html`<ul>${batches.value.map(batch)}</ul>`}
        ${batches.value?.length === 0 && html`<p class="eq-muted">${t("reports.none")}</p>`}
        <h2>${t("reports.other")}</h2>
        <p>${t("reports.other.about")}</p>
        <label class="eq-row">${t("reports.file")}
          <input class="eq-field" type="file" accept=".csv,text/csv" onChange=${open} />
        </label>
        ${isOther.value && html`<p role="alert" class="eq-error">${t("reports.wrong")}</p>`}
        ${table.value && html`<${Report} table=${table.value} name="report" />`}
      </div>`;
  },
};

show(Reports, "library", t("reports"));
