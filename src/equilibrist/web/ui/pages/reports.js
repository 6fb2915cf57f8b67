// Reports over boards: the batches that there are, and any other report, which stays in the browser.
import { place, said, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { follow, get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { parse } from "../poker/reports.js";
import { Question } from "../parts/dialog.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { Report } from "../parts/report.js";
import { titleText } from "../poker/titles.js";
import { EXAMPLES } from "./hands/examples.js";
import { HandForm } from "./hands/form.js";

const KIND = "flops";
const MOST = 100; // solutions that a report may begin with

// What a report may be of: saved set-ups, solved spots and examples, as pairs of values and texts.
async function spots() {
  const [setups, { solutions }, { examples }] = await Promise.all([
    get("setups"), get("solutions", { count: MOST }), get("examples"),
  ]);
  return [
    ...setups.map((name) => [`setup:${name}`, t("reports.of.setup", { name })]),
    ...solutions
      .filter(({ title }) => title.kind === "spot")
      .map(({ name, title }) => [`solution:${name}`, t("reports.of.solution", { title: titleText(title) })]),
    ...examples.map(({ name, title }) => [`example:${name}`, t("reports.of.example", { title: titleText(title) })]),
  ];
}

const Reports = {
  setup() {
    const { document: batches, error } = follow(() => ["reports", {}], ready);
    const table = shallowRef(null);
    const isOther = ref(false); // whether the file that was chosen is none
    const [form, sources, refusal] = [shallowRef(null), shallowRef([]), shallowRef(null)];
    const texts = reactive({});
    const doomed = shallowRef(null); // the report that is to be deleted

    // What is asked for: as a run was started, or as the address says.
    async function prepare() {
      const id = said().one("job");
      const [forms, found, job] = await Promise.all([get("hands"), spots(), id && get(`jobs/${word(id)}`)]);
      form.value = forms.find(({ kind }) => kind === KIND);
      sources.value = found;
      const of = said().one("of");
      const begun = job ? { ...job.options, ...job.keys } : { ...EXAMPLES[KIND][0].texts, ...(of && { of }) };
      Object.assign(texts, begun);
      texts.of ||= found[0]?.[0] ?? "";
    }
    onMounted(() => prepare().catch((problem) => {
      if (!(problem instanceof Refusal)) throw problem;
      refusal.value = problem;
    }));

    async function open(event) {
      const [file] = event.target.files;
      if (!file) return;
      table.value = parse(await file.text());
      isOther.value = table.value === null;
    }
    async function answer(isYes) {
      const name = doomed.value;
      doomed.value = null;
      if (!isYes) return;
      try {
        await send("DELETE", `reports/${word(name)}`);
        batches.value = await get("reports");
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        refusal.value = problem;
      }
    }

    const batch = ({ name, is_done: isDone, run }) => html`
      <li key=${name}>
        ${isDone
          ? html`<a href=${place(`reports/${word(name)}`)} translate="no">${name}</a>`
          : html`<span translate="no">${name}</span>: ${t("reports.unfinished")}`}${" "}
        ${run && html`
          <a class="eq-small" href=${place(`runs/${word(run.job)}`)} aria-label=${t("reports.run-of", { name })}>
            ${t("reports.run")}</a>${" "}<span class="eq-small eq-muted">${t(`job.state.${run.state}`)}</span>`}
        ${isOwner && html`${" "}
          <button class="eq-button eq-small" type="button" aria-label=${t("reports.delete-of", { name })}
            onClick=${() => (doomed.value = name)}>${t("job.do.delete")}</button>`}
      </li>`;
    return () => html`
      <div class="eq-stack eqr">
        <p>${t("reports.about")}</p>
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${batches.value?.length > 0 && html`<ul>${batches.value.map(batch)}</ul>`}
        ${batches.value?.length === 0 && html`<p class="eq-muted">${t("reports.none")}</p>`}
        ${isOwner && html`
          <h2>${t("reports.new")}</h2>
          <div class="eqr-new">
            ${form.value && html`
              <${HandForm} form=${form.value} texts=${texts} examples=${EXAMPLES[KIND]} sources=${sources.value} />`}
          </div>
          ${refusal.value && html`<${Notice} error=${refusal.value} />`}`}
        ${doomed.value && html`
          <${Question} question=${t("reports.ask", { name: doomed.value })} note=${t("reports.ask.note")}
            action=${t("job.do.delete")} onAnswer=${answer} />`}
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
