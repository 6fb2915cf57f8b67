// Two solutions of the library side by side: what tells them apart, and where their strategies differ.
import { onReturn, place, said, say, word } from "../core/address.js";
import { html, onMounted, reactive, ref, shallowRef, watch } from "../core/html.js";
import { get, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { entryPlace, entryTitle, measureOf, valueOf } from "../parts/entry_texts.js";
import { Field } from "../parts/field.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { chartDifferences, gameDifferences, spotDifferences } from "./compare/differences.js";
import { partName, partText } from "./compare/parts.js";

const ASKED = ["first", "second", "line", "board"];
const OWN = ["kind", "measure", "iterations", "algorithm"]; // parts that stand in the heads anyway

const read = () => Object.fromEntries(ASKED.map((name) => [name, said().one(name)]));

function head(entry, which) {
  const { text, isData } = entryTitle(entry);
  const address = entryPlace(entry);
  const facts = [["value", valueOf(entry)], ["measured", measureOf(entry)]].filter(([, fact]) => fact);
  return html`
    <section class="eq-panel eq-stack cp-head" aria-label=${t(`compare.${which}`)}>
      <h2>${t(`compare.${which}`)}</h2>
      <p>
        ${address ? html`<a href=${address} translate=${isData ? "no" : null}>${text}</a>` : text}
      </p>
      <p class="eq-small eq-muted" translate="no">${[entry.name, entry.algorithm].filter(Boolean).join(", ")}</p>
      <dl class="eqg-facts">
        ${facts.map(([name, fact]) => html`
          <dt key=${`${name}-name`}>${t(`library.fact.${name}`)}</dt>
          <dd key=${name} class="eq-num">${t("library.figure", fact)}</dd>`)}
      </dl>
    </section>`;
}

const parts = (rows) => html`
  <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("compare.parts")}>
    <table class="eq-table cp-parts">
      <thead><tr>
        <th scope="col">${t("compare.part")}</th>
        <th scope="col">${t("compare.first")}</th>
        <th scope="col">${t("compare.second")}</th>
      </tr></thead>
      <tbody>
        ${rows.map(({ part, first, second }) => html`
          <tr key=${part}>
            <th scope="row">${partName(part)}</th>
            <td translate="no">${partText(part, first)}</td>
            <td translate="no">${partText(part, second)}</td>
          </tr>`)}
      </tbody>
    </table>
  </div>`;

const Compare = {
  setup() {
    const form = reactive(read());
    const names = shallowRef([]);
    const [found, error] = [shallowRef(null), shallowRef(null)];
    const [isBusy, isOpen] = [ref(false), ref(false)]; // open once all is there, so that nothing moves
    let turn = 0;

    async function load() {
      turn += 1;
      const mine = turn;
      const { first, second, line, board } = form;
      if (!first || !second) return;
      isBusy.value = true;
      let [answer, refusal] = [null, null];
      try {
        answer = await get(`solutions/${word(first)}/compare`, { other: second, line, board });
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        refusal = problem;
      }
      if (mine !== turn) return;
      [found.value, error.value, isBusy.value] = [answer, refusal, false];
    }

    async function loadNames() {
      const page = await get("solutions").catch((problem) => {
        if (!(problem instanceof Refusal)) throw problem;
        error.value ??= problem;
        return { solutions: [] };
      });
      names.value = page.solutions;
    }

    onMounted(async () => {
      await Promise.all([load(), loadNames()]);
      isOpen.value = true;
    });
    watch(isOpen, ready, { flush: "post" });
    onReturn(() => {
      Object.assign(form, read());
      load();
    });

    function ask(event) {
      event.preventDefault();
      say({ ...form }, true);
      load();
    }

    const field = (name, isShown = true) => isShown && html`
      <${Field} id=${`compare-${name}`} label=${t(`compare.${name}`)} value=${form[name]} isName=${false}
        help=${t(`compare.${name}.help`)} list=${["first", "second"].includes(name) ? "compare-names" : ""}
        error=${error.value?.option === name ? error.value : null} onValue=${(text) => (form[name] = text)} />`;

    const asksLine = () => Boolean(form.line || form.board || found.value?.spots || found.value?.charts);
    const choice = () => html`
      <form class="eq-stack" onSubmit=${ask}>
        <div class="eqg-fields">
          ${field("first")}${field("second")}${field("line", asksLine())}
          ${field("board", Boolean(form.board) || found.value?.first.title.kind === "blueprint")}
        </div>
        <datalist id="compare-names" translate="no">
          ${names.value.map(({ name, title }) => html`
            <option key=${name} value=${name}>${entryTitle({ title }).text}</option>`)}
        </datalist>
        <div class="eq-row">
          <button class="eq-button eq-primary" type="submit" disabled=${isBusy.value}>${t("compare.do")}</button>
          <a href=${place("")}>${t("section.library")}</a>
        </div>
      </form>`;

    function strategies({ why_not: why, spots, games, charts, first, second }) {
      if (why) return html`<p>${t(`compare.why.${why}`)}</p>`;
      if (spots) return spotDifferences(spots, first, second);
      return games ? gameDifferences(games) : chartDifferences(charts);
    }

    const result = () => {
      const { first, second, differences } = found.value;
      const others = differences.filter(({ part }) => !OWN.includes(part));
      return html`
        <div class="eq-split">${head(first, "first")}${head(second, "second")}</div>
        ${others.length > 0 && html`<h2>${t("compare.parts")}</h2>${parts(others)}`}
        ${strategies(found.value)}`;
    };

    const isShownAtField = () => ASKED.includes(error.value.option);
    return () => html`
      <p>${t("compare.about")}</p>
      ${isOpen.value && choice()}
      ${isOpen.value && error.value && !isShownAtField() && html`<${Notice} error=${error.value} />`}
      ${isOpen.value && found.value && result()}`;
  },
};

show(Compare, "library", t("compare.title"));
