// The report of a batch.
import { go, place, topic, word } from "../core/address.js";
import { html, ref, shallowRef } from "../core/html.js";
import { follow, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Report } from "../parts/report.js";

const Batch = {
  setup() {
    const { document: found, error } = follow(() => [`reports/${word(topic())}`, {}], ready);
    const [isBusy, refusal] = [ref(false), shallowRef(null)];

    async function open(board) {
      [isBusy.value, refusal.value] = [true, null];
      try {
        const { name } = await send("POST", `reports/${word(topic())}/boards/${word(board)}`);
        go(`study/${word(name)}`);
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        [isBusy.value, refusal.value] = [false, problem];
      }
    }
    const keptText = ({ kept }) => isOwner && t(kept.length ? "report.kept" : "report.not-kept");

    return () => html`
      <div class="eq-stack eqr">
        <p class="eq-row">
          <a href=${place("reports")}>${t("reports.all")}</a>
          ${found.value?.has_spot && html`
            <a href=${place("spot", { report: topic() })}>${t("reports.back.spot")}</a>`}
        </p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${!found.value && !error.value && html`<p role="status">${t("reports.reading")}</p>`}
        ${refusal.value && html`<${Notice} error=${refusal.value} />`}
        ${found.value && html`
          <p class="eq-muted">${keptText(found.value)}</p>
          <${Report} table=${found.value} name=${topic()} isAddressed kept=${isOwner ? found.value.kept : []}
            isBusy=${isBusy.value} onOpen=${open} />`}
      </div>`;
  },
};

show(Batch, "library", topic(), true);
