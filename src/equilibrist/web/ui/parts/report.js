// A report over boards: a row each, their mean, and the strategies of all as a strip.
import { said, say } from "../core/address.js";
import { computed, html, onMounted, reactive, ref, watch } from "../core/html.js";
import { count } from "../core/numbers.js";
import { t } from "../core/texts.js";
import { actionsOf, plainName } from "../poker/actions.js";
import { METRICS, money, number, percent } from "../poker/amounts.js";
import { actionColour } from "../poker/colours.js";
import { hasAll, KINDS, together } from "../poker/reports.js";
import { cards } from "./cards.js";
import { inOrder, roomFor, ROW, seenRows, sortButton, sortedBy, sortOf, wide } from "./rows.js";
import { saveTable } from "./saving.js";

const SHOWN = 36;
const BOARD = 160; // pixels of five cards
const [LOW, HIGH] = [160, 520]; // pixels that the table has at least and at most
const HIDDEN = ["line", "acts", "pot"];
const PLAIN = { maximumFractionDigits: 2 };
const FILTERS = ["line", "suits", "ranks", "high", "find"];
const TYPING = 300; // milliseconds without a key after which the address has what was typed

// What a column is called, and how its figures are written.
function labelOf(name) {
  const [, metric, seat] = /^(equity|ev|eqr)_(oop|ip)$/.exec(name) ?? [];
  if (metric) return t("runouts.brief", { metric: t(`metric.${metric}.brief`), seat: t(`seat.${seat}`) });
  if (name.endsWith(" freq")) return plainName(name.slice(0, -5));
  if (name.endsWith(" ev")) return t("runouts.action-ev", { action: plainName(name.slice(0, -3)) });
  return null;
}
const KNOWN = {
  board: "report.board", frequency: "report.frequency", weight: "report.weight",
  exploitability_percent: "report.exploitability", mean_gain_percent: "report.gain",
  iterations: "report.iterations", seconds: "report.seconds",
};
function textOf(name, pot) {
  const [, metric] = /^(equity|ev|eqr)_/.exec(name) ?? [];
  if (metric) return (value) => METRICS[metric](value, pot);
  if (name.endsWith(" freq")) return (value) => percent(value);
  if (name.endsWith(" ev")) return (value) => money(value, pot);
  if (name === "frequency") return (value) => percent(value, 2);
  if (name.endsWith("_percent")) return (value) => (value === null ? "–" : `${number(value, 2)}%`);
  return (value) => (typeof value === "number" ? value.toLocaleString("en", PLAIN) : value ?? "");
}

// `table` is {columns, rows}; `name` that of the file in which it is saved; `isAddressed` that the address
// of the page has the filters, and nothing else.
export const Report = {
  props: { table: Object, name: String, isAddressed: Boolean, kept: Array, isBusy: Boolean },
  emits: ["open"],
  setup(props, { emit }) {
    const kept = (name) => (props.isAddressed ? said().one(name) : "");
    const state = reactive({ top: 0, ...Object.fromEntries(FILTERS.map((name) => [name, kept(name)])) });
    for (const [name, { kinds: known }] of Object.entries(KINDS)) {
      if (!known.includes(state[name])) state[name] = "";
    }
    const filters = () => Object.fromEntries(FILTERS.map((name) => [name, state[name]]));
    let typing = 0;
    watch(filters, () => {
      clearTimeout(typing);
      if (props.isAddressed) typing = setTimeout(() => say(filters()), TYPING);
    });
    const by = ref({ key: "board", down: false });
    const [canvas, scroller] = [ref(null), ref(null)];
    const at = (name) => props.table.columns.indexOf(name);
    const lines = computed(() => [...new Set(props.table.rows.map((row) => row[at("line")]))]);
    const line = computed(() => (lines.value.includes(state.line) ? state.line : lines.value[0]));
    const all = computed(() => props.table.rows.filter((row) => row[at("line")] === line.value));
    const isOf = (board) => ([name, { of }]) => !state[name] || of(board) === state[name];
    const chosen = computed(() => all.value.filter((row) => {
      const board = row[at("board")];
      return Object.entries(KINDS).every(isOf(board)) && hasAll(board, state.find);
    }));
    // Actions that no board of the node has are left out.
    const columns = computed(() => props.table.columns.filter((_, k) =>
      all.value.some((row) => row[k] !== null && row[k] !== "")));
    const actions = computed(() => actionsOf(columns.value));
    const colours = computed(() => actions.value.map(actionColour));
    const mean = computed(() => together(props.table.columns, chosen.value));
    const heads = computed(() => columns.value.filter((name) => !HIDDEN.includes(name)).map((name) => {
      const label = labelOf(name) ?? (name in KNOWN ? t(KNOWN[name]) : name);
      const isOwn = labelOf(name) === null && !(name in KNOWN);
      const [place, text] = [at(name), textOf(name, mean.value.pot)];
      const room = name === "board" ? BOARD : roomFor(all.value.map((row) => row[place]), text);
      return { name, label, isOwn, wide: wide(label, Math.max(92, room)), at: place, text };
    }));
    const template = computed(() => heads.value.map(({ wide }) => `minmax(${wide}px, 1fr)`).join(" "));
    // Room for the heads, the mean and a bar to scroll; filters do not change it.
    const high = computed(() => Math.min(HIGH, Math.max(LOW, (all.value.length + 3) * ROW)));
    const width = computed(() => heads.value.reduce((sum, { wide }) => sum + wide, 0));
    const rows = computed(() => {
      const { key, down } = by.value;
      return inOrder(chosen.value, (row, k) => (key === "board" ? k : row[at(key)]), down);
    });

    function draw() {
      if (!canvas.value) return;
      const pen = canvas.value.getContext("2d");
      const { width: wide, height } = canvas.value;
      pen.clearRect(0, 0, wide, height);
      const step = wide / Math.max(rows.value.length, 1);
      rows.value.forEach((row, n) => {
        let y = height;
        actions.value.forEach((action, a) => {
          const part = (row[at(`${action.name} freq`)] ?? 0) * height;
          pen.fillStyle = colours.value[a];
          pen.fillRect(n * step, (y -= part), step + 0.6, part);
        });
      });
    }
    onMounted(draw);
    watch([rows, actions, colours], draw, { flush: "post" });
    watch([chosen, by], () => {
      if (scroller.value) scroller.value.scrollTop = state.top = 0;
    });

    const choice = (name, label, values) => html`
      <label>${label}
        <select class="eq-field" value=${state[name]} onChange=${(event) => (state[name] = event.target.value)}>
          ${values.map(([value, text, isOwn]) => html`
            <option value=${value} translate=${isOwn ? "no" : null}>${text}</option>`)}
        </select>
      </label>`;
    const kinds = ([name, { kinds: found }]) => {
      const text = (kind) => (name === "high" ? kind : t(`report.kind.${kind}`));
      return choice(name, t(`report.${name}`), [["", t("report.all")], ...found.map((kind) => [kind, text(kind)])]);
    };
    const nodes = () => {
      const texts = lines.value.map((one) => [one, one || t("report.root"), Boolean(one)]);
      return html`
        <label>${t("report.node")}
          <select class="eq-field" value=${line.value} onChange=${(event) => (state.line = event.target.value)}>
            ${texts.map(([value, text, isOwn]) => html`
              <option value=${value} translate=${isOwn ? "no" : null}>${text}</option>`)}
          </select>
        </label>`;
    };
    const tools = () => html`
      <div class="eqs-tools">
        ${lines.value.length > 1 && nodes()}
        ${Object.entries(KINDS).map(kinds)}
        <label>${t("report.board")}
          <input class="eq-field" type="search" size="10" spellcheck="false" value=${state.find}
            onInput=${(event) => (state.find = event.target.value)} />
        </label>
        <span role="status">
          ${t("report.shown", { shown: count(rows.value.length), n: all.value.length, all: count(all.value.length) })}
        </span>
        <span class="eq-grow"></span>
        <button type="button" class="eq-button"
          onClick=${() => saveTable([props.table.columns, ...rows.value], `${props.name}.csv`)}>
          ${t("file.csv")}
        </button>
      </div>`;
    const strip = () => html`
      <div class="eqs-tools">
        ${actions.value.map(({ name }, a) => html`
          <span key=${name} class="eqg-key" translate=${plainName(name) === name ? "no" : null}>
            <i style=${{ background: colours.value[a] }}></i>${plainName(name)}
          </span>`)}
      </div>
      <canvas ref=${canvas} width="1400" height="120" class="eqp-boards" role="img"
        aria-label=${t("report.strip")}></canvas>`;
    const head = ({ name, label, isOwn }) => html`
      <div key=${name} role="columnheader" translate=${isOwn ? "no" : null} aria-sort=${sortOf(by.value, name)}>
        ${sortButton(by.value, name, label, () => (by.value = sortedBy(by.value, name, name !== "board")))}
      </div>`;
    const total = ({ name, text }) => html`
      <div key=${name} role="cell">${name === "board" ? t("report.average") : text(mean.value[name])}</div>`;
    // A board; where its solution is kept, a button that opens it.
    function board(name) {
      const shown = cards(name.match(/../g) ?? []);
      if (!props.kept?.includes(name)) return shown;
      return html`
        <button type="button" class="eqp-open" disabled=${props.isBusy} title=${t("report.study", { board: name })}
          aria-label=${t("report.study", { board: name })} onClick=${() => emit("open", name)}>${shown}</button>`;
    }
    const row = ([place, values]) => html`
      <div key=${place} class="eqp-tr" role="row" style=${{ transform: `translateY(${place * ROW}px)` }}>
        ${heads.value.map(({ name, at: column, text }) => html`
          <div key=${name} role="cell">
            ${name === "board" ? board(values[column]) : text(values[column])}
          </div>`)}
      </div>`;
    const table = () => html`
      <div class="eqp-table">
        <div class="eqp-scroll" ref=${scroller} tabindex="0" role="region" aria-label=${t("report.boards")}
          style=${{ height: `${high.value}px` }}
          onScrollPassive=${() => (state.top = scroller.value.scrollTop)}>
          <div role="table" aria-rowcount=${rows.value.length + 2} aria-label=${t("report.boards")}
            style=${{ "--columns": template.value, "--width": `${width.value}px` }}>
            <div class="eqp-tr eqp-head" role="row">${heads.value.map(head)}</div>
            <div class="eqp-tr eqp-total" role="row">${heads.value.map(total)}</div>
            ${rows.value.length > 0 && html`
              <div role="rowgroup" class="eqp-body" style=${{ height: `${rows.value.length * ROW}px` }}>
                ${seenRows(rows.value, state.top, SHOWN).map(row)}
              </div>`}
          </div>
          ${rows.value.length === 0 && html`<p class="eqp-none">${t("report.none")}</p>`}
        </div>
      </div>`;
    return () => html`
      <div class="eq-stack">
        ${tools()}
        ${actions.value.length > 0 && strip()}
        ${table()}
      </div>`;
  },
};
