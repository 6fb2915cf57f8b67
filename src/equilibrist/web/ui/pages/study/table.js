// The table of hands: sortable, only the rows that are seen are there.
import { computed, html, ref, watch } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { METRICS, money, number, percent } from "../../poker/amounts.js";
import { CLASS, CLASS_NAMES, comboName } from "../../poker/cards.js";
import { actionColour, stacked } from "../../poker/colours.js";
import { means } from "../../poker/figures.js";
import { cards } from "../../parts/cards.js";
import { inOrder, roomFor, ROW, seenRows, sortButton, sortedBy, sortOf, wide } from "../../parts/rows.js";

const SHOWN = 32;

// The parts of a bar with the colours of actions.
export const bar = (actions, shares) => html`
  <div class="eqs-bar" aria-hidden="true">
    ${stacked(actions.map(actionColour), (a) => shares[a] ?? 0).map(({ colour, from, to }) => html`
      <i style=${{ width: `${to - from}%`, background: colour }}></i>`)}
  </div>`;

export const HandTable = {
  props: { store: Object },
  setup({ store }) {
    const { node, player: who, view, focus, masks, nameOf, isOfThree } = store;
    const scroller = ref(null);
    const top = ref(0);
    const by = ref({ key: "hand", down: true });
    const acts = computed(() => node.value.player === who.value);
    // From the most aggressive action on, as everywhere.
    const actions = computed(() =>
      (acts.value ? node.value.actions.map((action, a) => ({ ...action, a })).reverse() : []));
    // Of three there are EVs of the one who acts alone.
    const figures = computed(() => (!isOfThree ? ["equity", "ev", "eqr"] : acts.value ? ["ev"] : []));
    const narrowed = computed(() => focus.pinned ?? focus.hover);
    const mask = computed(() => {
      const base = masks.value[who.value];
      if (narrowed.value === null) return base;
      const { combos } = node.value.hands[who.value];
      return base.map((one, k) => one && CLASS[combos[k]] === narrowed.value);
    });
    const total = computed(() => means(node.value, who.value, mask.value));
    const rooms = computed(() => {
      const { pot, hands, action_evs: evs } = node.value;
      const ofActions = acts.value && view.columns === "ev" ? evs.flat() : [];
      const text = (value) => money(value, pot);
      return { ev: roomFor(hands[who.value].ev, text), action: roomFor(ofActions, text) };
    });
    const columns = computed(() => [
      { key: "hand", label: t("study.hand"), least: 70 },
      ...(acts.value ? [{ key: "strategy", label: t("study.strategy"), least: 90 }] : []),
      { key: "weight", label: t("metric.weight.brief"), about: t("metric.weight"), least: 78 },
      ...figures.value.map((key) => ({
        key, label: t(`metric.${key}.brief`), about: t(`metric.${key}`),
        least: key === "ev" ? Math.max(82, rooms.value.ev) : 74,
      })),
      ...actions.value.map((action) => ({
        key: `action${action.a}`, label: nameOf(action), least: Math.max(78, rooms.value.action),
      })),
    ].map((column) => ({ ...column, width: wide(column.label, column.least) })));
    const width = computed(() => columns.value.reduce((sum, column) => sum + column.width, 0));
    const sizeOf = ({ key, width: size }) => (key === "strategy" ? `minmax(${size}px, 1fr)` : `${size}px`);
    const template = computed(() => columns.value.map(sizeOf).join(" "));

    function keyOf(k) {
      const { key } = by.value;
      const hands = node.value.hands[who.value];
      if (key === "hand") return -k;
      if (key === "strategy") return node.value.strategy.reduce((sum, shares, a) => sum + a * shares[k], 0);
      if (!key.startsWith("action")) return hands[key][k];
      return (view.columns === "ev" ? node.value.action_evs : node.value.strategy)[Number(key.slice(6))]?.[k];
    }
    const rows = computed(() => {
      const found = [];
      mask.value.forEach((one, k) => one && found.push(k));
      return inOrder(found, keyOf, by.value.down);
    });
    const figure = (share, ev) => (view.columns === "ev" ? money(ev, node.value.pot) : percent(share));

    watch([() => node.value, narrowed], () => {
      if (scroller.value && top.value) scroller.value.scrollTop = top.value = 0; // forces no layout otherwise
    });
    watch(columns, (now) => {
      if (!now.some((column) => column.key === by.value.key)) by.value = { key: "hand", down: true };
    });

    const sort = (key) => (by.value = sortedBy(by.value, key));
    const head = (column) => html`
      <div key=${column.key} role="columnheader" class=${column.key === "strategy" ? "eqp-left" : null}
        aria-sort=${sortOf(by.value, column.key)}>
        ${sortButton(by.value, column.key, column.label, () => sort(column.key), column.about)}
      </div>`;
    const sums = ({ combos, equity, ev, eqr, frequency, actionEv }) => html`
      <div class="eqp-tr eqp-total" role="row">
        <div role="cell" translate=${narrowed.value === null ? null : "no"}>
          ${narrowed.value === null ? t("study.total") : CLASS_NAMES[narrowed.value]}
        </div>
        ${acts.value && html`<div role="cell">${bar(node.value.actions, frequency)}</div>`}
        <div role="cell">${number(combos, 1)}</div>
        ${figures.value.map((key) => html`
          <div role="cell" key=${key}>${METRICS[key]({ equity, ev, eqr }[key], node.value.pot)}</div>`)}
        ${actions.value.map(({ a }) => html`<div role="cell" key=${a}>${figure(frequency[a], actionEv[a])}</div>`)}
      </div>`;
    // While locks are painted, a hand is a button that paints it alone.
    function handOf(combo) {
      const drawn = cards(comboName(combo).match(/../g));
      if (!store.painting.isOn.value || !acts.value) return drawn;
      return html`
        <button type="button" class="eqs-paint" aria-pressed=${String(combo in store.painting.here())}
          onClick=${() => store.painting.dab(combo)}>${drawn}</button>`;
    }
    function row([at, k], n) {
      const { pot, strategy, action_evs: evs, actions: all } = node.value;
      const hands = node.value.hands[who.value];
      const combo = hands.combos[k];
      const isLost = hands.arrives?.[k] === false; // it does not come here
      return html`
        <div key=${n} role="row"
          class=${{ "eqp-tr": true, "eqp-lit": combo === focus.hand, "eq-muted": isLost }}
          style=${{ transform: `translateY(${at * ROW}px)` }} onPointerenter=${() => (focus.hand = combo)}>
          <div role="cell" class="eqp-hand" title=${isLost ? t("study.not-reached") : null}>
            ${handOf(combo)}
          </div>
          ${acts.value && html`<div role="cell">${bar(all, strategy.map((shares) => shares[k]))}</div>`}
          <div role="cell">${number(hands.weight[k], 3)}</div>
          ${figures.value.map((key) => html`
            <div role="cell" key=${key} title=${key === "ev" ? hands.ev[k] : null}>
              ${METRICS[key](hands[key][k], pot)}
            </div>`)}
          ${actions.value.map(({ a }) => html`<div role="cell" key=${a}>${figure(strategy[a][k], evs[a][k])}</div>`)}
        </div>`;
    }
    return () => html`
      <div class="eqp-table">
        <div class="eqp-scroll" ref=${scroller} tabindex="0" role="region" aria-label=${t("study.table")}
          onScrollPassive=${() => (top.value = scroller.value.scrollTop)}>
          <div role="table" aria-label=${t("grid.of", { seat: store.seat(who.value) })}
            aria-rowcount=${rows.value.length + 2}
            style=${{ "--columns": template.value, "--width": `${width.value}px` }}>
            <div class="eqp-tr eqp-head" role="row">${columns.value.map(head)}</div>
            ${sums(total.value)}
            ${rows.value.length > 0 && html`
              <div role="rowgroup" class="eqp-body" style=${{ height: `${rows.value.length * ROW}px` }}>
                ${seenRows(rows.value, top.value, SHOWN).map(row)}
              </div>`}
          </div>
          ${rows.value.length === 0 && html`<p class="eqp-none">${t("study.none")}</p>`}
        </div>
      </div>`;
  },
};
