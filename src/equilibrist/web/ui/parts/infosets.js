// The infosets of a solution: searched, sorted and cut into pages by the server.
import { place, word } from "../core/address.js";
import { computed, html, onBeforeUnmount, ref, watch } from "../core/html.js";
import { count, number, probability } from "../core/numbers.js";
import { infosetRows } from "../core/packs.js";
import { can, follow, get } from "../core/source.js";
import { t } from "../core/texts.js";
import { actionColour, playerColour } from "../core/theme.js";
import { shownName } from "./labels.js";
import { Notice } from "./notice.js";
import { picturePoints, pictureText, tablePicture } from "./picture.js";
import { saveFile, saveTable, saveText } from "./saving.js";
import { dot } from "./walk.js";

const PAGE = 25;
const PAUSE = 250; // milliseconds after a key, before what is typed is looked for
const ORDERS = {
  infoset: "infoset", player: "player", average: "mixing", regret: "regret", "cf-value": "cf_value",
  value: "value", reach: "reach", "cf-reach": "counterfactual_reach", histories: "histories",
};
const BY_NAME = ["infoset", "player"]; // the others begin with the largest numbers

// What stands in columns that have a figure for each action, and in those with one of the infoset.
const OF_ACTIONS = {
  action: (row, label) => label,
  current: (row, label) => probability(row.current?.[label]),
  regret: (row, label) => number(row.regrets?.[label]),
  "cf-action": (row, label) => number(row.cf_action_values?.[label]),
};
const figureOf = (row, name) => (name === "histories" ? count(row.histories) : number(row[ORDERS[name]]));

// A colour of the styles as other programs have it.
const plainColour = (colour) =>
  getComputedStyle(document.documentElement).getPropertyValue(colour.slice("var(".length, -1)).trim();

// The columns of a table, from the left.
function columnsOf({ num_players: players, state_iteration: state, has_values: hasValues, is_sortable: isSortable }) {
  const names = ["infoset", "player", "action", "average"];
  if (state !== null) names.push("current", "regret");
  if (hasValues) names.push("cf-action", "cf-value", "value", "reach", "cf-reach", "histories");
  return names.map((name) => {
    const order = isSortable && (name !== "player" || players) ? ORDERS[name] : undefined;
    return { name, order, isText: name === "infoset" || name === "action" };
  });
}

const ALL = 1_000_000; // infosets

// `rows` is what is shown, {match, player, order, descending, start}; what is chosen is told as `rows`.
export const Infosets = {
  props: { facts: Object, rows: Object, lit: String },
  emits: ["rows"],
  setup(props, { emit }) {
    const text = ref(props.rows.match);
    let waiting = null;
    const chosen = computed(() => {
      const { match, player, order, descending } = props.rows;
      const isExact = props.lit !== "" && match === props.lit; // an infoset that was linked to
      const glob = match && !/[*?]/.test(match) ? `*${match}*` : match;
      return { ...(isExact ? { key: match } : { match: glob }), player, order, descending, stamp: props.facts.stamp };
    });
    const source = computed(() => `solutions/${word(props.facts.name)}/infosets`);
    const { document: page, error } = follow(() => [
      source.value, { ...chosen.value, start: props.rows.start, count: PAGE, values: true, state: true },
    ]);
    const total = computed(() => page.value?.total ?? 0);
    watch(() => props.rows.match, (match) => (text.value = match));
    onBeforeUnmount(() => clearTimeout(waiting));

    function apply(change) {
      clearTimeout(waiting);
      emit("rows", { ...props.rows, ...change });
    }

    function later(event) {
      text.value = event.target.value;
      clearTimeout(waiting);
      waiting = setTimeout(() => apply({ start: 0, match: text.value }), PAUSE);
    }

    function search(event) {
      event.preventDefault();
      apply({ start: 0, match: text.value });
    }

    function sort(order) {
      const isAgain = props.rows.order === order;
      apply({ start: 0, order, descending: isAgain ? !props.rows.descending : !BY_NAME.includes(order) });
    }

    function told() {
      if (!page.value) return error.value ? "" : t("infosets.loading");
      if (!total.value) return t("infosets.none");
      const { start } = props.rows;
      const last = Math.min(start + PAGE, total.value);
      return t("infosets.shown", { first: count(start + 1), last: count(last), total: count(total.value) });
    }

    const form = () => html`
      <form class="eq-row" role="search" onSubmit=${search}>
        <label class="eq-row">${t("infosets.search")}
          <input class="eq-field eq-mono" type="search" value=${text.value} onInput=${later}
            aria-describedby="eqg-search" />
        </label>
        <span id="eqg-search" class="eq-small eq-muted">${t("infosets.search.help")}</span>
        <label class="eq-row">${t("infosets.player")}
          <select class="eq-field" value=${props.rows.player}
            onChange=${(event) => apply({ start: 0, player: event.target.value })}>
            <option value="">${t("infosets.all")}</option>
            ${Array.from({ length: props.facts.num_players }, (_, p) => html`
              <option value=${String(p)} translate="no">${props.facts.player_names[p] || p}</option>`)}
          </select>
        </label>
        <span class="eq-grow"></span>
        <span class="eq-muted" role="status">${told()}</span>
      </form>`;

    // All that fit, where no server writes the table.
    async function saveRows() {
      const { infosets } = await get(source.value, { ...chosen.value, count: ALL });
      saveTable(infosetRows(infosets), `${props.facts.name}-infosets.csv`);
    }

    function picture() {
      const columns = columnsOf(props.facts);
      const heads = columns.map(({ name, isText }) => ({ label: t(`infosets.column.${name}`), isText }));
      const rows = page.value.infosets.flatMap((row) => {
        const labels = Object.keys(row.strategy);
        return labels.map((label, k) => columns.map(({ name }) => drawnCell(row, label, k, name)));
      });
      return tablePicture(`${props.facts.name}: ${told()}`, heads, rows);
    }

    // What a picture has in a cell: of the infoset in its first row alone, and of each action.
    function drawnCell(row, label, k, name) {
      if (name === "average") {
        const share = row.strategy[label];
        return { text: probability(share), share, colour: plainColour(actionColour(k)) };
      }
      if (name in OF_ACTIONS) return { text: OF_ACTIONS[name](row, label) };
      if (k) return null;
      if (name === "infoset") return { text: shownName(props.facts.shown_names, row.infoset) };
      if (name === "player") return { text: String(props.facts.player_names[row.player] || row.player) };
      return { text: figureOf(row, name) };
    }

    const files = () => html`
      ${can("csv")
        ? html`<a href=${place(`api/${source.value}.csv`, chosen.value)} download>${t("file.csv")}</a>`
        : html`<button class="eq-button" type="button" onClick=${saveRows}>${t("file.csv")}</button>`}
      <button class="eq-button" type="button"
        onClick=${async () => saveFile(await picturePoints(picture()), `${props.facts.name}-infosets.png`)}>
        ${t("save.points")}
      </button>
      <button class="eq-button" type="button"
        onClick=${() => saveText(pictureText(picture()), `${props.facts.name}-infosets.svg`, "image/svg+xml")}>
        ${t("save.drawing")}
      </button>`;

    function head({ name, order, isText }) {
      const isSorted = order && props.rows.order === order;
      const direction = props.rows.descending ? "descending" : "ascending";
      const arrow = isSorted ? (props.rows.descending ? " ↓" : " ↑") : "";
      const label = t(`infosets.column.${name}`);
      const button = () => html`
        <button class="eqg-sort" type="button" onClick=${() => sort(order)}>
          ${label}<span aria-hidden="true">${arrow}</span>
        </button>`;
      return html`
        <th scope="col" key=${name} class=${{ "eq-right": !isText }} aria-sort=${isSorted ? direction : null}>
          ${order ? button() : label}
        </th>`;
    }

    const bar = (p, k) => html`
      <div class="eqg-bar" aria-hidden="true">
        <i style=${{ width: `${100 * p}%`, background: actionColour(k) }}></i>
      </div>`;
    const playerOf = ({ player }) => html`<span translate="no">${props.facts.player_names[player] || player}</span>`;

    // What stands in a row: of the infoset in its first row alone, and of each action.
    function cell(row, label, k, size, name) {
      const once = (content) => (k ? null : html`<td class="eq-right" rowspan=${size}>${content}</td>`);
      const each = (content) => html`<td class="eq-right">${content}</td>`;
      if (name === "infoset") {
        const shown = shownName(props.facts.shown_names, row.infoset);
        return k ? null : html`
          <th scope="rowgroup" class="eq-mono eqg-infoset" translate="no" rowspan=${size}>
            ${row.player !== null && dot(playerColour(row.player))}${shown}
            ${shown !== row.infoset && html`${" "}<span class="eq-muted eq-small">${row.infoset}</span>`}
          </th>`;
      }
      if (name === "player") return once(playerOf(row));
      if (name === "action") return html`<td translate="no">${label}</td>`;
      if (name === "average") return each([probability(row.strategy[label]), bar(row.strategy[label], k)]);
      return name in OF_ACTIONS ? each(OF_ACTIONS[name](row, label)) : once(figureOf(row, name));
    }

    function group(row, columns) {
      const labels = Object.keys(row.strategy);
      return html`
        <tbody key=${row.infoset} class=${{ "eqg-lit": row.infoset === props.lit }}>
          ${labels.map((label, k) => html`
            <tr key=${label}>${columns.map(({ name }) => cell(row, label, k, labels.length, name))}</tr>`)}
        </tbody>`;
    }

    function table() {
      const columns = columnsOf(props.facts);
      return html`
        <div class="eq-scroll eqg-rows" role="region" tabindex="0" aria-label=${t("infosets.table")}>
          <table class="eq-table">
            <thead><tr>${columns.map(head)}</tr></thead>
            ${page.value?.infosets.map((row) => group(row, columns))}
          </table>
        </div>`;
    }

    const why = (key, sentence) => sentence && html`
      <span class="eq-small eq-muted">${t(key)} <span lang="en" translate="no">${sentence}</span></span>`;

    const pages = () => html`
      <nav class="eq-row" aria-label=${t("infosets.pages")}>
        <button class="eq-button" type="button" disabled=${props.rows.start === 0}
          onClick=${() => apply({ start: Math.max(0, props.rows.start - PAGE) })}>${t("infosets.previous")}</button>
        <button class="eq-button" type="button" disabled=${props.rows.start + PAGE >= total.value}
          onClick=${() => apply({ start: props.rows.start + PAGE })}>${t("infosets.next")}</button>
        ${total.value > 0 && files()}
        ${why("solution.no-values", props.facts.why_no_values)}
        ${why("solution.no-state", props.facts.why_no_state)}
      </nav>`;

    return () => html`
      <section class="eq-stack" aria-label=${t("infosets")}>
        ${form()}
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${page.value ? table() : html`<div class="eqg-rows"></div>`}
        ${page.value && pages()}
      </section>`;
  },
};
