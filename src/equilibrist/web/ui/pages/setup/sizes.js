// Bet sizes: a field for each player, kind and street, what they may be, and examples of whole menus.
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { faultNote, SpotField } from "./field.js";
import { SIZES, STREETS } from "./store.js";

const KINDS = ["bets", "raises"];
const OF_THREE = ["oop_bets", "oop_raises"]; // those of all three players
// Menus of all streets and both players, without donk bets: [bets, raises].
const EXAMPLES = { one: ["66%", "2.5x"], two: ["33%, 75%", "2.5x"], three: ["25%, 66%, 125%", "2.5x, a"] };
// What sizes look like, by the words that explain them.
const SAMPLES = { pot: "50%", raise: "2.5x", chips: "100c", shares: "2e", "all-in": "a" };

// Values that fill in a menu.
function menu(name) {
  const [bets, raises] = EXAMPLES[name];
  const found = {};
  for (const street of STREETS) {
    for (const seat of ["oop", "ip"]) {
      found[`${seat}_bets_${street}`] = bets;
      found[`${seat}_raises_${street}`] = raises;
    }
    found[`donks_${street}`] = "";
  }
  return found;
}

// What in the sizes may not be meant; the fields that are left out by their names.
function warningText({ code, lists }) {
  const named = lists.map(({ seat, kind, street }) =>
    t("size.of", { street: t(`street.${street}`), kind: t(`size.long.${seat}_${kind}`) }));
  return t(`spot.warning.${code}`, { lists: named.join(", ") });
}

export const Sizes = {
  props: { store: Object },
  setup({ store }) {
    const { form, first } = store;
    // What a list of sizes is called: with three players it is that of all of them.
    const nameOfList = (name, how) => t(`size.${how}.${store.isOfThree.value ? name.replace("oop", "all") : name}`);
    const nameOf = (street) => t(`street.${street}`);
    // Nobody has called before the first street, so that nobody donks there.
    const isOpen = (name, at) => (name === "donks" ? at > (first.value ?? 0) : at >= (first.value ?? 0));

    // Copy bets and raises of a player to the other.
    function copy(from, to, streets) {
      const values = {};
      for (const street of streets) {
        for (const kind of KINDS) values[`${to}_${kind}_${street}`] = form.value[`${from}_${kind}_${street}`];
      }
      store.change(values);
    }
    // Copy all sizes of a street to others; the flop has no donk bets.
    function spread(street, others) {
      const values = {};
      for (const other of others) {
        for (const name of SIZES) {
          if (name !== "donks" || street !== STREETS[0]) {
            values[`${name}_${other}`] = form.value[`${name}_${street}`];
          }
        }
      }
      store.change(values);
    }

    const cell = (name) => (street, at) => {
      if (name === "donks" && street === STREETS[0]) {
        return html`<span key=${street} class="eq-muted" aria-hidden="true">${"–"}</span>`;
      }
      const label = t("size.of", { street: nameOf(street), kind: nameOfList(name, "long") });
      return html`
        <${SpotField} key=${street} store=${store} name=${`${name}_${street}`} label=${label} isBare
          placeholder=${t(name === "donks" ? "size.as-bets" : "size.none")} isDisabled=${!isOpen(name, at)} />`;
    };
    const spreadText = (what) => t(store.isOfThree.value ? "size.spread.of.three" : "size.spread.of", what);
    function copies(street, at) {
      const [later, isOff] = [STREETS.slice(at + 1), at < (first.value ?? 0)];
      const button = (text, label, act) => html`
        <button key=${text} class="eq-button" type="button" disabled=${isOff} aria-label=${label} onClick=${act}>
          ${text}
        </button>`;
      const others = later.map(nameOf).join(", ");
      const [out, back] = [["oop", "ip"], ["ip", "oop"]].map(([from, to]) => {
        const text = t("size.copy", { from: t(`seat.${from}`), to: t(`seat.${to}`) });
        return button(text, t("size.copy.of", { street: nameOf(street), what: text }), () => copy(from, to, [street]));
      });
      return html`
        <div key=${street} class="su-copy">
          ${!store.isOfThree.value && [out, back]}
          ${later.length > 0 && button(t("size.spread", { streets: others }),
            spreadText({ street: nameOf(street), streets: others }), () => spread(street, later))}
        </div>`;
    }
    const whole = (from, to) => html`
      <button class="eq-button" type="button" onClick=${() => copy(from, to, STREETS)}>
        ${t("size.copy.all", { from: t(`seat.${from}`), to: t(`seat.${to}`) })}
      </button>`;
    const example = (name) => html`
      <button key=${name} class="eq-button" type="button" onClick=${() => store.change(menu(name))}>
        ${t(`size.example.${name}`)}
      </button>`;
    // What is wrong in a row stands below it, where there is room for it.
    function notes(name) {
      const found = STREETS.filter((street) => store.faultOf(`${name}_${street}`));
      return found.length > 0 && html`
        <div class="su-notes">
          ${found.map((street) => html`
            <div key=${street}>${faultNote(store, `${name}_${street}`, nameOf(street))}</div>`)}
        </div>`;
    }
    const row = (name) => html`
      <span key=${name} class="su-name">${nameOfList(name, "name")}</span>${STREETS.map(cell(name))}${notes(name)}`;

    return () => html`
      <section class=${["eq-panel eq-stack", { "su-wide": !store.isOfThree.value }]} aria-label=${t("size.title")}>
        <div class="eq-row">
          <h2 class="eq-grow">${t("size.title")}</h2>
          ${!store.isOfThree.value && [whole("oop", "ip"), whole("ip", "oop")]}
        </div>
        <div class="su-sizes">
          <span></span>${STREETS.map((street) => html`<span key=${street} class="su-head">${nameOf(street)}</span>`)}
          ${(store.isOfThree.value ? OF_THREE : SIZES).map(row)}
          <span class="su-name">${t("size.copies")}</span>${STREETS.map(copies)}
        </div>
        <div class="eq-row">
          <span class="eq-small eq-muted">${t(store.isOfThree.value ? "size.examples.three" : "size.examples")}</span>
          ${Object.keys(EXAMPLES).map(example)}
        </div>
        <details>
          <summary class="eq-small">${t("size.about")}</summary>
          <dl class="eqg-facts eq-small">
            ${Object.entries(SAMPLES).map(([name, sample]) => html`
              <dt key=${name} class="eq-mono" translate="no">${sample}</dt><dd>${t(`size.about.${name}`)}</dd>`)}
          </dl>
          <p class="eq-small eq-muted">${t("size.about.empty")}</p>
        </details>
        ${(store.checked.value?.warnings ?? []).map((warning) => html`
          <p key=${warning.code} class="eq-warn eq-small" data-option=${warning.option}>${warningText(warning)}</p>`)}
      </section>`;
  },
};
