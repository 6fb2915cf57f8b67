// The report of a batch.
import { place, topic, word } from "../core/address.js";
import { html } from "../core/html.js";
import { follow } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Report } from "../parts/report.js";

const Batch = {
  setup() {
    const { document: found, error } = follow(() => [`reports/${word(topic())}`, {}], ready);
    return () => html`
      <div class="eq-stack eqr">
        <p><a href=${place("reports")}>${t("reports.all")}</a></p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${!found.value && !error.value && html`<p role="status">${t("reports.reading")}</p>`}
        ${found.value && html`<${Report} table=${found.value} name=${topic()} isAddressed />`}
      </div>`;
  },
};

show(Batch, "library", topic(), true);
