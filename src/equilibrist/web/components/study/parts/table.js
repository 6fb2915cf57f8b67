// The table of hands: sortable, only the rows that are seen are there.
import { computed, inject, ref, watch } from "vue";
import { CLASS, CLASS_NAMES, comboName, signOf } from "./cards.js";
import { chips, means, number, percent } from "./figures.js";
import { colour } from "./store.js";

const ROW = 28;
const SEATS = ["OOP", "IP"];

export default {
  template: `
    <div class="eqs-table"><div class="eqs-scroll" ref="scroller" @scroll.passive="scrolled" tabindex="0" role="region" aria-label="Table of hands">
      <div role="table" :aria-label="'Hands of ' + SEATS[who]" :aria-rowcount="rows.length + 2" :style="{ '--columns': template, '--width': width + 'px' }">
        <div class="eqs-tr eqs-head" role="row">
          <div v-for="column in columns" :key="column.key" :class="{ 'eqs-left-head': column.key === 'strategy' }" role="columnheader" :aria-sort="sortOf(column)">
            <button type="button" @click="sort(column)" :title="column.long">{{ column.label }}<span aria-hidden="true">{{ arrow(column) }}</span></button></div>
        </div>
        <div class="eqs-tr eqs-total" role="row">
          <div role="cell">{{ title }}</div>
          <div role="cell" v-if="acts"><div class="eqs-bar" aria-hidden="true"><i v-for="part in bar(total.frequency)" :style="part"></i></div></div>
          <div role="cell">{{ number(total.combos, 1) }}</div><div role="cell">{{ percent(total.equity) }}</div><div role="cell">{{ chips(total.ev, pot) }}</div><div role="cell">{{ percent(total.eqr, 0) }}</div>
          <div role="cell" v-for="(_, a) in actions" :key="a">{{ store.view.columns === 'ev' ? chips(total.actionEv[a], pot) : percent(total.frequency[a]) }}</div>
        </div>
        <div role="rowgroup" class="eqs-body" v-if="rows.length" :style="{ height: rows.length * 28 + 'px' }">
          <div v-for="(row, n) in seen" :key="n" class="eqs-tr" role="row" :style="{ transform: 'translateY(' + row.at * 28 + 'px)' }" :class="{ 'eqs-lit': row.combo === store.focus.hand }" @pointerenter="store.focus.hand = row.combo">
            <div role="cell" class="eqs-hand"><span v-for="card in row.cards" :class="'eqs-card eq-' + card[1]">{{ card[0] }}{{ sign(card[1]) }}</span></div>
            <div role="cell" v-if="acts"><div class="eqs-bar" aria-hidden="true"><i v-for="part in bar(row.strategy)" :style="part"></i></div></div>
            <div role="cell">{{ number(row.weight, 3) }}</div><div role="cell">{{ percent(row.equity) }}</div><div role="cell" :title="row.ev">{{ chips(row.ev, pot) }}</div><div role="cell">{{ percent(row.eqr, 0) }}</div>
            <div role="cell" v-for="(_, a) in actions" :key="a">{{ store.view.columns === 'ev' ? chips(row.evs[a], pot) : percent(row.strategy[a]) }}</div>
          </div>
        </div>
      </div>
      <p v-if="!rows.length" class="eqs-none">No matching hands in this range.</p>
    </div></div>`,
  setup() {
    const store = inject("study");
    const scroller = ref(null);
    const top = ref(0);
    const order = ref({ key: "hand", down: true });
    const who = computed(() => store.player.value);
    const node = computed(() => store.node.value);
    const pot = computed(() => node.value.pot);
    const acts = computed(() => node.value.player === who.value);
    const actions = computed(() => (acts.value ? node.value.actions : []));
    const narrowed = computed(() => store.focus.pinned ?? store.focus.hover);
    const mask = computed(() => {
      const base = store.masks.value[who.value];
      const place = narrowed.value;
      if (place === null) return base;
      const { combos } = node.value.hands[who.value];
      return base.map((one, k) => one && CLASS[combos[k]] === place);
    });
    const total = computed(() => means(node.value, who.value, mask.value));
    const title = computed(() => (narrowed.value === null ? "Total" : CLASS_NAMES[narrowed.value]));
    const columns = computed(() => [
      { key: "hand", label: "Hand", long: "Hand", wide: "70px" },
      ...(acts.value ? [{ key: "strategy", label: "Strategy", long: "Strategy", wide: "minmax(90px,1fr)" }] : []),
      { key: "weight", label: "Weight", long: "Weight in the range here", wide: "76px" },
      { key: "equity", label: "EQ", long: "Equity", wide: "68px" },
      { key: "ev", label: "EV", long: "EV in chips", wide: pot.value < 1 ? "96px" : "72px" },
      { key: "eqr", label: "EQR", long: "Equity realisation", wide: "64px" },
      ...actions.value.map((action, a) => ({ key: `action${a}`, label: action.name, long: `${action.name}: ${store.view.columns === "ev" ? "EV" : "frequency"}`, wide: "104px" })),
    ]);
    const width = computed(() => columns.value.reduce((sum, column) => sum + parseInt(column.wide.match(/\d+/)[0]), 0));
    const template = computed(() => columns.value.map((column) => column.wide).join(" "));
    const keyOf = (k) => {
      const hands = node.value.hands[who.value];
      const { key } = order.value;
      if (key === "hand") return -k;
      if (key === "strategy") return actions.value.reduce((sum, _, a) => sum + a * node.value.strategy[a][k], 0);
      if (key.startsWith("action")) {
        const a = Number(key.slice(6));
        return (store.view.columns === "ev" ? node.value.action_evs : node.value.strategy)[a]?.[k];
      }
      return hands[key][k];
    };
    const rows = computed(() => {
      const found = [];
      mask.value.forEach((one, k) => one && found.push(k));
      const keys = new Map(found.map((k) => [k, keyOf(k)]));
      const sign = order.value.down ? -1 : 1;
      return found.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        if (x == null || y == null) return (x == null) - (y == null);
        return sign * (x - y) || a - b;
      });
    });
    const seen = computed(() => {
      const hands = node.value.hands[who.value];
      const from = Math.max(Math.floor(top.value / ROW) - 4, 0);
      return rows.value.slice(from, from + 28).map((k, n) => {
        const combo = hands.combos[k];
        return {
          at: from + n,
          combo,
          cards: comboName(combo).match(/../g),
          weight: hands.weight[k],
          equity: hands.equity[k],
          ev: hands.ev[k],
          eqr: hands.eqr[k],
          strategy: actions.value.map((_, a) => node.value.strategy[a][k]),
          evs: actions.value.map((_, a) => node.value.action_evs[a][k]),
        };
      });
    });
    function bar(shares) {
      store.state.palette;
      const parts = [];
      for (let a = actions.value.length - 1; a >= 0; a--) {
        if (shares[a] > 0) parts.push({ width: `${100 * shares[a]}%`, background: colour(actions.value[a].role) });
      }
      return parts;
    }
    function sort(column) {
      const same = order.value.key === column.key;
      order.value = { key: column.key, down: same ? !order.value.down : true };
    }
    const sortOf = (column) => (order.value.key !== column.key ? "none" : order.value.down ? "descending" : "ascending");
    const arrow = (column) => (order.value.key !== column.key ? "" : order.value.down ? " ▾" : " ▴");
    const scrolled = () => (top.value = scroller.value.scrollTop);
    watch([() => node.value, narrowed], () => {
      if (scroller.value && top.value) scroller.value.scrollTop = top.value = 0; // forces no layout otherwise
    });
    watch(columns, (now) => {
      if (!now.some((column) => column.key === order.value.key)) order.value = { key: "hand", down: true };
    });
    return { store, pot, scroller, who, acts, actions, columns, template, width, rows, seen, total, title, bar, sort, sortOf, arrow, scrolled, SEATS, number, percent, chips, sign: signOf };
  },
};
