// What comes with Equilibrist, spots and charts: each is solved when somebody wants it.
import { place, word } from "../core/address.js";
import { html, ref, shallowRef, watch } from "../core/html.js";
import { roughly } from "../core/numbers.js";
import { get, isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { titleText } from "../poker/titles.js";
import { entryPlace, measureOf } from "./entry_texts.js";
import { Notice } from "./notice.js";

const AT_ONCE = 3; // runs that wait or go on while all are solved
const KINDS = ["push-fold", "multiway", "spot"];

// Which examples are to be solved next while all of them are wanted: none of those that were `asked` already.
function nextOnes(examples, asked) {
  const active = examples.filter(({ state }) => state === "queued" || state === "running").length;
  const open = examples.filter(({ name, solution, job }) => !solution && !job && !asked.has(name));
  return open.slice(0, Math.max(0, AT_ONCE - active)).map(({ name }) => name);
}

const isKind = (kind) => (example) => example.kind === kind;

// The examples as they are solved, by the runs that `jobs` has: {examples, load, error, isBusy, solve, solveAll, all}.
// `loaded` is told whenever one may have been solved; `all` is the kind of which all are wanted.
export function followExamples(jobs, loaded = () => {}) {
  const [examples, error] = [shallowRef(null), shallowRef(null)];
  const [isBusy, all] = [ref(false), ref("")];
  let asked = new Set(); // a run that has failed is not begun again by itself

  async function load() {
    ({ examples: examples.value } = await get("examples"));
  }

  async function attempt(act) {
    [isBusy.value, error.value] = [true, null];
    try {
      await act();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      [error.value, all.value] = [refusal, ""];
    }
    isBusy.value = false;
  }

  // Solve what is next while all of a kind are wanted.
  async function goOn() {
    const wanted = examples.value.filter(isKind(all.value));
    const names = nextOnes(wanted, asked);
    for (const name of names) {
      asked.add(name);
      await send("POST", `examples/${word(name)}`);
    }
    if (names.length) await load();
    if (wanted.every(({ name, solution }) => solution || asked.has(name))) all.value = "";
  }

  const changed = () => (jobs.value ?? []).map(({ id, state, is_saved: saved }) => [id, state, saved]).join();
  watch(changed, () => examples.value && attempt(async () => {
    await load();
    await goOn();
    await loaded();
  }));

  const solve = (name) => attempt(async () => {
    await send("POST", `examples/${word(name)}`);
    await load();
  });

  function solveAll(kind) {
    [all.value, asked] = [kind, new Set()];
    return attempt(goOn);
  }
  return { examples, load, error, isBusy, solve, solveAll, all };
}

// The examples that `found`, of `followExamples`, has of some kinds. Lists are open at first if `isOpen`.
export const Examples = {
  props: { found: Object, kinds: { type: Array, default: () => KINDS }, isOpen: Boolean, isPage: Boolean },
  setup(props) {
    const of = (kind) => props.found.examples.value.filter(isKind(kind));
    const missing = (kind) => of(kind).filter(({ solution }) => !solution);
    const open = ref(Object.fromEntries(props.kinds.map((kind) => [kind, props.isOpen])));

    function what(example) {
      const { name, title, solution, job, state, seconds } = example;
      if (solution) return html`<a href=${entryPlace({ name: solution, title })}>${t("example.look")}</a>`;
      if (job) return html`<a href=${place(`runs/${word(job)}`)}>${t(`job.state.${state}`)}</a>`;
      if (!isOwner) return html`<span class="eq-muted">${t("example.open")}</span>`;
      return html`
        <button class="eq-button" type="button" aria-label=${t("example.solve", { what: titleText(title) })}
          disabled=${props.found.isBusy.value} onClick=${() => props.found.solve(name)}>
          ${t("example.solve-it", { time: roughly(seconds) })}
        </button>`;
    }

    function measured(example) {
      const found = example.solution && measureOf(example);
      return found && html`<span>${found.figure}</span><span class="eq-small eq-muted">${found.about}</span>`;
    }

    const row = (example) => html`
      <tr key=${example.name}>
        <td translate="no">${titleText(example.title)}</td>
        <td class="eq-num ex-measured">${measured(example)}</td>
        <td>${what(example)}</td>
      </tr>`;

    function all(kind) {
      const left = missing(kind);
      const values = { n: left.length, time: roughly(left.reduce((sum, { seconds }) => sum + seconds, 0)) };
      return html`
        <button class="eq-button" type="button" disabled=${props.found.isBusy.value || props.found.all.value !== ""}
          onClick=${() => props.found.solveAll(kind)}>${t(`example.all.${kind}`, values)}</button>`;
    }

    function counts(kind) {
      const [n, left] = [of(kind).length, missing(kind).length];
      return t(`example.count.${kind}`, { n, solved: n - left });
    }

    const rows = (kind) => html`
      ${isOwner && html`<div class="ex-all">${missing(kind).length > 0 && all(kind)}</div>`}
      <table class="eq-table ex-list" aria-label=${t(`example.kind.${kind}`)}>
        <tbody>${of(kind).map(row)}</tbody>
      </table>`;

    const list = (kind) => html`
      <details key=${kind} open=${open.value[kind]} onToggle=${(event) => (open.value[kind] = event.target.open)}>
        <summary>${counts(kind)}</summary>
        <p class="eq-muted eq-small">${t(`example.about.${kind}`)}</p>
        ${open.value[kind] && rows(kind)}
      </details>`;

    return () => html`
      <section class="eq-panel eq-stack" aria-label=${t("example")}>
        ${!props.isPage && html`<h2>${t("example")}</h2>`}
        <p class="eq-muted">${t("example.about")}</p>
        ${props.found.error.value && html`<${Notice} error=${props.found.error.value} />`}
        ${props.kinds.map(list)}
      </section>`;
  },
};
