// Reports over boards: the batches that there are, and any other report, which stays in the browser.
import { go, place, said, word } from "../core/address.js";
import { draftOf } from "../core/drafts.js";
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

// The spot that another page sends here: {of, pages, text}, pages as pairs of keys of texts and addresses.
function spotAsked() {
  const [of, draft] = [said().one("of"), said().one("draft")];
  const [kind, name] = [of.slice(0, of.indexOf(":")), of.slice(of.indexOf(":") + 1)];
  if (draft) return { of: "", draft, pages: [["reports.back.spot", place("spot", { draft })]] };
  if (kind === "setup") return { of, pages: [["reports.back.spot", place("spot", { setup: name })]] };
  if (kind !== "solution") return { of: kind === "example" ? of : "", pages: [] };
  const study = ["reports.back.study", place(`study/${word(name)}`)];
  return { of, pages: [study, ["reports.back.spot", place("spot", { solution: name })]] };
}

// The text of the spot of a draft; null where it is not complete, or another browser has it.
async function spotOfDraft(id) {
  const form = draftOf(id);
  return form && (await send("POST", "setup/check", { form })).spot;
}

const Reports = {
  setup() {
    const asked = spotAsked();
    const { document: batches, error } = follow(() => ["reports", { of: asked.of || null }], ready);
    const isIncomplete = ref(false); // whether the draft that the address names is no spot
    const table = shallowRef(null);
    const isOther = ref(false); // whether the file that was chosen is none
    const [form, sources, refusal] = [shallowRef(null), shallowRef([]), shallowRef(null)];
    const texts = reactive({});
    const doomed = shallowRef(null); // the report that is to be deleted

    // What is asked for: as a run was started, or as the address says.
    async function prepare() {
      const id = said().one("job");
      const { of, draft } = asked;
      const wanted = [get("hands"), spots(), id && get(`jobs/${word(id)}`), draft && spotOfDraft(draft)];
      const [forms, found, job, spot] = await Promise.all(wanted);
      isIncomplete.value = Boolean(draft) && !spot;
      const begun = job ? { ...job.options, ...job.keys } : { ...EXAMPLES[KIND][0].texts, of, spot: spot || "" };
      Object.assign(texts, begun);
      const isThere = found.some(([value]) => value === texts.of);
      if (texts.spot && !isThere) found.unshift(["", t("reports.of.text")]);
      if (!isThere && !of) texts.of = texts.spot ? "" : (found[0]?.[0] ?? "");
      form.value = forms.find(({ kind }) => kind === KIND);
      sources.value = found;
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
        batches.value = await get("reports", { of: asked.of || null });
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        refusal.value = problem;
      }
    }

    async function resume(name) {
      refusal.value = null;
      try {
        const { id } = await send("POST", `reports/${word(name)}/resume`);
        go(`runs/${word(id)}`);
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        refusal.value = problem;
        batches.value = await get("reports", { of: asked.of || null });
      }
    }

    // How far a report is that is not done, and what can be done with it.
    function unfinished({ name, status, boards, finished }) {
      const far = boards === null ? t("reports.unfinished") : t("reports.far", { n: finished, all: boards });
      return html`
        <span translate="no">${name}</span>: ${far}${" "}
        ${status === "resumable" && isOwner && html`
          <button class="eq-button eq-small" type="button" aria-label=${t("reports.resume-of", { name })}
            onClick=${() => resume(name)}>${t("job.do.resume")}</button>`}
        ${["elsewhere", "unknown"].includes(status) && html`
          <span class="eq-small eq-muted">${t(`reports.${status}`)}</span>`}`;
    }
    const hasTitle = ({ name, title }) => title && titleText(title) !== name; // of its spot, not its folder
    const batch = (one) => html`
      <li key=${one.name}>
        ${one.is_done
          ? html`<a href=${place(`reports/${word(one.name)}`)} translate="no">${one.name}</a>`
          : unfinished(one)}${" "}
        ${hasTitle(one) && html`<span class="eq-small eq-muted" translate="no">${titleText(one.title)}</span>${" "}`}
        ${one.run && html`
          <a class="eq-small" href=${place(`runs/${word(one.run.job)}`)} aria-label=${t("reports.run-of", one)}>
            ${t("reports.run")}</a>${" "}
          <span class="eq-small eq-muted">${t(`job.state.${one.run.state}`)}</span>`}
        ${isOwner && html`${" "}
          <button class="eq-button eq-small" type="button" aria-label=${t("reports.delete-of", one)}
            onClick=${() => (doomed.value = one.name)}>${t("job.do.delete")}</button>`}
      </li>`;
    const listOf = (found) => found.length > 0 && html`<ul>${found.map(batch)}</ul>`;
    const lists = (found) => {
      const own = found.filter((one) => one.is_of);
      return html`
        ${own.length > 0 && html`<h2>${t("reports.of-spot")}</h2>`}
        ${listOf(own)}
        ${own.length > 0 && own.length < found.length && html`<h2>${t("reports.of-others")}</h2>`}
        ${listOf(found.filter((one) => !one.is_of))}`;
    };
    return () => html`
      <div class="eq-stack eqr">
        <p>${t("reports.about")}</p>
        ${asked.pages.length > 0 && html`
          <p class="eq-row">${asked.pages.map(([key, to]) => html`<a key=${key} href=${to}>${t(key)}</a>`)}</p>`}
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${batches.value && lists(batches.value)}
        ${batches.value?.length === 0 && html`<p class="eq-muted">${t("reports.none")}</p>`}
        ${isOwner && html`
          <h2>${t("reports.new")}</h2>
          ${isIncomplete.value && html`<p class="eq-error" role="alert">${t("reports.incomplete")}</p>`}
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
