// How a node is shown, and which of its hands: choices and filters.
import { computed, html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { number, percent } from "../../poker/amounts.js";
import { signOf, SUITS } from "../../poker/cards.js";
import { Undoing } from "../../parts/undoing.js";
import { NO_FILTERS } from "./store.js";

const FIGURES = ["equity", "ev", "eqr"];
const UNKNOWN_OF_THREE = ["equity", "eqr"];
const CHOICES = {
  display: ["strategy", "weight", ...FIGURES],
  metric: ["none", ...FIGURES, "evs"],
  heights: ["normalized", "absolute", "full"],
  suits: ["grouped", "individual"],
  columns: ["frequency", "ev"],
};

// What a made hand or a draw is called.
export function kindName(group, name) {
  const code = name.replaceAll(" ", "-");
  return group === "made" ? t(`made.${code}`) : t(`draw.${code}`);
}

// Made hands and draws of the player, with how many combos each has.
const Filters = {
  props: { store: Object },
  setup({ store }) {
    const { filters, filter, node, player, isFiltered, edits } = store;
    function count(column, names) {
      const hands = node.value.hands[player.value];
      const sums = names.map(() => 0);
      hands[column].forEach((kind, k) => (sums[kind] += hands.weight[k]));
      const all = sums.reduce((sum, combos) => sum + combos, 0);
      return names.map((name, at) => ({ name, at, combos: sums[at], share: all ? sums[at] / all : null }));
    }
    const groups = computed(() => {
      const { made_hands: made, draws, board } = node.value;
      const found = [["made", count("made", made)]];
      return board.length === 10 ? found : [...found, ["draws", count("draw", draws)]];
    });
    function turn(key, value, isOn) {
      filter({ [key]: isOn ? [...filters[key], value] : filters[key].filter((one) => one !== value) });
    }
    const box = (key, value, text) => html`
      <label key=${value}>
        <input type="checkbox" checked=${filters[key].includes(value)}
          onChange=${(event) => turn(key, value, event.target.checked)} />
        ${text}
      </label>`;
    const kinds = ([key, items]) => html`
      <fieldset key=${key}>
        <legend>${t(`filters.${key}`)}</legend>
        ${items.filter(({ combos, at }) => combos > 0 || filters[key].includes(at)).map(({ name, at, combos, share }) =>
          box(key, at, html`
            ${kindName(key, name)}
            <em>${t("filters.count", { combos: number(combos, 1), share: percent(share) })}</em>`))}
      </fieldset>`;
    const suit = (at) => html`
      <span class=${`eq-${SUITS[at]}`} aria-hidden="true">${signOf(SUITS[at])}</span>
      ${t(`suit.${SUITS[at]}`)}`;
    return () => html`
      <details class="eqs-filters">
        <summary>
          ${t("filters")}${isFiltered.value && html`<span class="eqs-badge">${t("filters.on")}</span>`}
        </summary>
        <div class="eqs-filter-body">
          <label>${t("filters.find")}
            <input class="eq-field" type="search" value=${filters.text} autocomplete="off" spellcheck="false"
              size="12" onInput=${(event) => filter({ text: event.target.value }, "text")} />
          </label>
          ${groups.value.map(kinds)}
          <fieldset>
            <legend>${t("filters.suits")}</legend>
            ${[3, 2, 1, 0].map((at) => box("suits", at, suit(at)))}
          </fieldset>
          <button class="eq-button" type="button" disabled=${!isFiltered.value}
            onClick=${() => filter(NO_FILTERS)}>${t("filters.clear")}</button>
          <${Undoing} history=${edits} />
        </div>
      </details>`;
  },
};

// `names` are those of the choices that mean something in a view.
export const Tools = {
  props: { store: Object, names: Array },
  setup(props) {
    const { view, seat, seats, isOfThree } = props.store;
    const players = () => [["auto", t("study.player.auto")], ...seats.map((_, who) => [`${who}`, seat(who)])];
    const isThere = (value) => !isOfThree || !UNKNOWN_OF_THREE.includes(value);
    const choicesOf = (name) =>
      (name === "player"
        ? players()
        : CHOICES[name].filter(isThere).map((value) => [value, t(`study.${name}.${value}`)]));
    const choice = (name) => html`
      <label key=${name}>${t(`study.${name}`)}
        <select class="eq-field" aria-label=${t(`study.${name}`)} value=${view[name]}
          onChange=${(event) => (view[name] = event.target.value)}>
          ${choicesOf(name).map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
        </select>
      </label>`;
    return () => html`
      <div class="eqs-tools">
        ${props.names.map(choice)}
        <${Filters} store=${props.store} />
      </div>`;
  },
};
