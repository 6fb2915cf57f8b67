// Chips, rake, and what is less common: limits of bets, the deck, and ranges of players who folded.
import { html } from "../../core/html.js";
import { fixed } from "../../core/numbers.js";
import { hasText, t } from "../../core/texts.js";
import { SpotField, switchField, wordsOf } from "./field.js";
import { STACKS } from "./store.js";

const RAKE = ["rake", "rake_cap"];
const KINDS = ["chips", "share", "count", "deck", "ranges"];
const NUMBERS = ["chips", "count"];

// A key of a spot that is newer than this page has its own name.
const nameOf = (name) => (hasText(`spot.name.${name}`) ? wordsOf(name) : name.replaceAll("_", " "));
const optional = (key) => (hasText(key) ? t(key) : "");

export const Chips = {
  props: { store: Object },
  setup({ store }) {
    const of = (kinds) =>
      Object.keys(store.kinds).filter((name) => kinds.includes(store.kinds[name]) && store.has(name));
    const main = () => ["pot", ...(store.isOfThree.value ? STACKS : ["stack"]), ...RAKE];
    const further = () => of(KINDS).filter((name) => !main().includes(name));
    const field = (name) => html`
      <${SpotField} key=${name} store=${store} name=${name} label=${nameOf(name)} help=${optional(`spot.help.${name}`)}
        placeholder=${optional(`spot.default.${name}`)} isNumber=${NUMBERS.includes(store.kinds[name])} />`;
    function ratio() {
      const { pot, stacks, stack = Math.max(...new Set(stacks)) } = store.checked.value?.estimate ?? {};
      return pot && (!stacks || new Set(stacks).size === 1) ? t("spot.ratio", { ratio: fixed(stack / pot, 2) }) : "";
    }
    const isWrong = () => further().some((name) => store.faultOf(name));
    const isUsed = further().some((name) => store.form.value[name]);
    return () => html`
      <section class="eq-panel eq-stack" aria-label=${t("spot.chips")}>
        <div class="eq-row">
          <h2 class="eq-grow">${t("spot.chips")}</h2>
          <span class="eq-small eq-muted eq-num">${ratio()}</span>
        </div>
        <div class="su-fields">${main().map(field)}</div>
        <details open=${isUsed || isWrong() || null}>
          <summary>${t(store.isOfThree.value ? "spot.more.three" : "spot.more")}</summary>
          <div class="su-fields">${further().map(field)}</div>
          ${of(["switch"]).map((name) => switchField(store, name, nameOf(name)))}
        </details>
      </section>`;
  },
};
