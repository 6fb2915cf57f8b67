// Charts before the flop: the way to a decision, and what each of the 169 classes does there.
import { onReturn, place, said, say, topic, word } from "../core/address.js";
import { computed, html, nextTick, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { count, fixed } from "../core/numbers.js";
import { can, get, Refusal } from "../core/source.js";
import { t } from "../core/texts.js";
import { plainName } from "../poker/actions.js";
import { percent } from "../poker/amounts.js";
import { CLASS_NAMES } from "../poker/cards.js";
import { actionColour, heatColour, stacked } from "../poker/colours.js";
import { titleText } from "../poker/titles.js";
import { ready, show } from "../parts/frame.js";
import { barCell, emptyCell, Grid } from "../parts/grid.js";
import { Notice } from "../parts/notice.js";

const LEAST = 0.001; // of a class, for its hands to be held
const NEVER = 0.0001; // how often an action is taken that no bar shows
const title = ref(topic());
const own = (text) => html`<span translate="no">${text}</span>`;

// With a sign, unless it rounds to zero.
function signed(value, digits = 2) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value).toFixed(digits);
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
}

// Values of a file in thousandths of a big blind, or in percent of the prize pool.
function scaled(head, value, digits) {
  const isPool = head.unit === "prize-pool";
  const size = Number((value * (isPool ? 100 : 1000)).toPrecision(digits));
  return t(isPool ? "charts.pool" : "charts.mbb", { value: size });
}

// What is known of a file: pairs of a word and a text.
function factsOf({ head, seats }) {
  const facts = [];
  if (head.values) facts.push(["ev", seats.map((seat, k) => `${seat} ${scaled(head, head.values[k], 4)}`).join(", ")]);
  if (head.measure !== null) {
    const value = scaled(head, head.measure, 3);
    const text = head.is_bound ? t("charts.bound", { value }) : value;
    const [low, high] = (head.interval ?? []).map((bound) => scaled(head, bound, 3));
    facts.push([head.measure_name, head.interval ? t("charts.interval", { value: text, low, high }) : text]);
  }
  if (head.algorithm) facts.push(["algorithm", head.algorithm]);
  for (const name of ["iterations", "deals", "boards"]) {
    if (head[name]) facts.push([name, count(head[name])]);
  }
  if (head.buckets) facts.push(["buckets", head.buckets.join("–")]);
  if (head.seed !== null) facts.push(["seed", String(head.seed)]);
  return facts;
}

const Charts = {
  setup() {
    const file = shallowRef(null);
    const error = shallowRef(null);
    const node = shallowRef(null);
    const strip = ref(null);
    const state = reactive({
      isBusy: false, wanted: "", board: "", display: "strategy", heights: "reach", hover: null, pinned: null,
    });
    let latest = 0;

    async function attempt(act) {
      error.value = null;
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    async function go(line, push = true) {
      latest += 1;
      const mine = latest;
      Object.assign(state, { isBusy: true, wanted: line });
      await attempt(async () => {
        const { name, stamp } = file.value;
        const values = { line, board: state.board.trim(), stamp };
        const found = await get(`solutions/${word(name)}/chart`, values);
        if (mine !== latest) return;
        node.value = found;
        if (!hasEv.value) state.display = "strategy";
        if (push) say({ line: found.line, board: state.board.trim() }, true);
        await nextTick();
        strip.value?.querySelector(".eqs-here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      });
      if (mine === latest) state.isBusy = false;
    }
    async function open() {
      const found = await get(`solutions/${word(topic())}/charts`, { stamp: said().one("stamp") });
      if (found.name !== topic()) history.replaceState({}, "", place(`charts/${word(found.name)}`) + location.search);
      title.value = found.name;
      file.value = found;
    }
    function read() {
      state.board = said().one("board");
      return go(said().one("line"), false);
    }
    onReturn(read);
    onMounted(async () => {
      await attempt(open);
      if (file.value) await read();
      ready();
    });

    const here = computed(() => node.value.way[node.value.way.length - 1]);
    const all = computed(() => CLASS_NAMES.map((name) => node.value.classes[name] ?? null));
    const hasEv = computed(() => all.value.some((one) => one && one.ev !== null));
    const hasActionEv = computed(() => all.value.some((one) => one?.action_ev));
    const lookedAt = computed(() => state.hover ?? state.pinned);
    const looked = computed(() => (lookedAt.value === null ? null : all.value[lookedAt.value]));
    const combos = computed(() => here.value.actions.map((_, a) =>
      all.value.reduce((sum, one) => sum + (one ? one.combos * one.reach * one.strategy[a] : 0), 0)));
    const scale = computed(() => Math.max(...all.value.map((one) => Math.abs(one?.ev ?? 0)), 1e-9));

    const nameOf = ({ name }) => plainName(name);
    function partsOf(one) {
      if (state.display === "strategy") {
        const taken = (a) => (one.strategy[a] > NEVER ? one.strategy[a] : 0);
        return stacked(here.value.actions.map(actionColour), taken);
      }
      if (one.ev === null) return [];
      const value = 0.5 + 0.5 * Math.sign(one.ev) * Math.sqrt(Math.abs(one.ev) / scale.value);
      return [{ colour: heatColour(value), from: 0, to: 100 }];
    }
    function cell(name, at) {
      const one = all.value[at];
      if (!one || one.reach < LEAST) return emptyCell(`${name}: ${t("charts.unreached")}`);
      const mixture = here.value.actions.map((action, a) => `${nameOf(action)} ${percent(one.strategy[a])}`);
      const ev = one.ev === null ? [] : [t("metric.ev.of", { ev: signed(one.ev) })];
      const share = state.heights === "full" ? 1 : Math.min(one.reach, 1);
      const text = state.display === "ev" ? signed(one.ev) : "";
      return barCell(partsOf(one), share, `${name}: ${[...mixture.reverse(), ...ev].join(", ")}`, text);
    }
    const cells = computed(() => CLASS_NAMES.map(cell));

    function action(one, at, chosen) {
      const content = html`
        <i style=${{ background: actionColour(one) }}></i>
        <span>${nameOf(one)}</span><em>${percent(one.frequency)}</em>`;
      if (one.line === null) return html`<div key=${one.code} class="eqs-action eqc-end">${content}</div>`;
      return html`
        <button key=${one.code} type="button" class=${{ "eqs-action": true, "eqs-chosen": chosen === at }}
          onClick=${() => go(one.line)}>${content}</button>`;
    }
    function spot({ line, seat, street, actions, chosen }, k) {
      const isHere = k === node.value.way.length - 1;
      return html`
        <div key=${line} class=${{ "eqs-spot": true, "eqs-here": isHere }}>
          <button type="button" class="eqs-spot-title" aria-current=${isHere ? "step" : null} onClick=${() => go(line)}>
            ${own(seat)}
            ${street !== "preflop" && html`<span class="eqs-pot">${t(`street.${street}`)}</span>`}
          </button>
          ${actions.map((one, at) => action(one, at, chosen)).reverse()}
        </div>`;
    }
    const choice = (name, values, texts) => html`
      <label>${t(`charts.${name}`)}
        <select class="eq-field" value=${state[name]} onChange=${(event) => (state[name] = event.target.value)}>
          ${values.map((value, k) => html`<option value=${value}>${texts[k]}</option>`)}
        </select>
      </label>`;
    function tools() {
      const views = hasEv.value ? ["strategy", "ev"] : ["strategy"];
      const meaning = file.value.kind === "blueprint" ? "none" : /^push/.test(file.value.kind) ? "gain" : "wins";
      return html`
        <div class="eqs-tools">
          ${choice("display", views, [t("study.strategy"), t("metric.ev")])}
          ${choice("heights", ["reach", "full"], [t("charts.heights.reach"), t("study.heights.full")])}
          <span class="eq-muted eq-small">${t(`charts.ev.${meaning}`)}</span>
        </div>`;
    }
    function about() {
      if (lookedAt.value === null) return t("charts.point");
      const name = CLASS_NAMES[lookedAt.value];
      const one = looked.value;
      if (!one) return t("charts.no-hand", { hand: name });
      const reach = percent(one.reach);
      if (one.ev === null) return t("charts.hand", { hand: name, reach });
      return t("charts.hand.ev", { hand: name, reach, ev: signed(one.ev, 3) });
    }
    const column = (text) => html`<th scope="col" class="eq-right">${text}</th>`;
    const row = (one, a) => html`
      <tr key=${one.code}>
        <th scope="row"><i class="eqs-dot" style=${{ background: actionColour(one) }}></i> ${nameOf(one)}</th>
        <td class="eq-right">${percent(one.frequency)}</td>
        <td class="eq-right">${fixed(combos.value[a], 1)}</td>
        <td class="eq-right">${looked.value ? percent(looked.value.strategy[a]) : "–"}</td>
        ${hasActionEv.value && html`
          <td class="eq-right">${looked.value?.action_ev ? signed(looked.value.action_ev[a], 3) : "–"}</td>`}
      </tr>`;
    const range = (one, a) => one.role !== "fold" && html`
      <div key=${one.code} class="eqc-range">
        <h3>${nameOf(one)}</h3>
        <p class="eq-mono eq-small" role="group" translate=${node.value.ranges[a] ? "no" : null}
          aria-label=${t("charts.range", { action: nameOf(one) })}>${node.value.ranges[a] || t("charts.no-hands")}</p>
      </div>`;
    const table = () => html`
      <table class="eq-table eqc-actions">
        <caption class="eq-hidden">${t("charts.actions", { seat: node.value.seat })}</caption>
        <thead><tr>
          <th scope="col">${t("charts.action")}</th>
          ${column(t("charts.all"))}
          ${column(t("metric.combos"))}
          <th scope="col" class="eq-right" translate=${looked.value ? "no" : null}>
            ${looked.value ? CLASS_NAMES[lookedAt.value] : t("study.hand")}
          </th>
          ${hasActionEv.value && column(t("charts.its-ev"))}
        </tr></thead>
        <tbody>${here.value.actions.map(row).reverse()}</tbody>
      </table>`;
    const decision = () => html`
      <div class="eqs-strip eqc-strip" ref=${strip} role="group" aria-label=${t("charts.way")} tabindex="0">
        ${node.value.way.map(spot)}
      </div>
      ${tools()}
      <div class="eqs-hands">
        <${Grid} cells=${cells.value} label=${t("grid.of", { seat: node.value.seat })} hover=${state.hover}
          pinned=${state.pinned} onHover=${(at) => (state.hover = at)}
          onPin=${(at) => (state.pinned = state.pinned === at ? null : at)} />
        <div class="eqs-right">
          ${table()}
          <p class="eq-muted" aria-live="polite">${about()}</p>
          ${here.value.actions.map(range).reverse()}
        </div>
      </div>`;

    function board() {
      const give = (event) => {
        event.preventDefault();
        go(state.wanted);
      };
      return html`
        <form class="eq-row" onSubmit=${give}>
          <label class="eq-row">${t("study.board")}
            <input class="eq-field" size="12" placeholder=${"Td9d6h"} translate="no" value=${state.board}
              aria-describedby="eqc-board" onInput=${(event) => (state.board = event.target.value)} />
          </label>
          <button type="submit" class="eq-button">${t("charts.show")}</button>
          <span id="eqc-board" class="eq-muted eq-small">${t("charts.board")}</span>
        </form>`;
    }
    const facts = () => html`
      <p class="eq-muted eqc-title">${titleText(file.value.called ?? { text: file.value.title })}</p>
      ${file.value.is_later && html`<p class="eq-muted eq-small">${t("explore.later")}</p>`}
      <dl class="eqs-facts">
        ${factsOf(file.value).map(([name, text]) => html`
          <div key=${name}><dt>${t(`charts.fact.${name}`)}</dt><dd translate="no">${text}</dd></div>`)}
      </dl>
      ${file.value.takes_board && can("questions") && board()}`;
    function problem() {
      const isGone = !file.value || error.value.status === 404;
      return html`
        <div class="eq-panel eqs-problem">
          <${Notice} error=${error.value} otherwise=${"charts.refused"} />
          ${isGone
            ? html`<a class="eq-button" href=${place("")}>${t("study.library")}</a>`
            : html`
              <button type="button" class="eq-button" onClick=${() => go("")}>${t("charts.first")}</button>`}
        </div>`;
    }
    const download = () => html`
      <a href=${place(`api/solutions/${word(file.value.name)}/file`)} download>${t("charts.download")}</a>`;
    return () => html`
      <div class="eqs eqc" aria-busy=${String(state.isBusy)} data-line=${node.value?.line ?? null}>
        <div class="eqs-title"><h1 translate="no">${title.value}</h1>${file.value && can("csv") && download()}</div>
        ${file.value && facts()}
        ${error.value && problem()}
        ${node.value && decision()}
        ${!node.value && !error.value && html`<p role="status">${t("charts.opening")}</p>`}
      </div>`;
  },
};

show(Charts, "library", title, true, true);
