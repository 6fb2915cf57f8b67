// What every next card does: as a grid of cards, as a chart, and as a table. A click deals the card.
import { computed, inject, onBeforeUnmount, ref, watch } from "vue";
import { RANKS, signOf } from "./cards.js";
import { METRICS, chips, heat, percent } from "./figures.js";
import { colour, sentence } from "./store.js";

const SUITS = ["s", "h", "d", "c"];
const SEATS = ["oop", "ip"];

export default {
  template: `
    <div class="eqs-runouts">
      <div class="eqs-tools">
        <label>Colour by <select class="eq-field" v-model="what"><option value="equity">EQ</option><option value="ev">EV</option><option value="eqr">EQR</option><option value="strategy" :disabled="!actions.length">Strategy</option></select></label>
        <label>Values of <select class="eq-field" v-model="seat"><option value="oop">OOP</option><option value="ip">IP</option></select></label>
        <span v-if="busy" role="status">Computing every card…</span><span v-if="isUnkept" class="eq-muted">The file does not keep the next street: choose a card.</span><span v-if="problem" role="alert" class="eq-error">{{ problem }}</span>
      </div>
      <div class="eqs-cards" role="group" aria-label="Next card" @keydown="key">
        <button v-for="card in cards" :key="card.name" type="button" :disabled="card.dead" :style="card.style" :aria-label="card.said" @click="deal(card.name)" @pointerenter="ahead(card.name)" @focus="ahead(card.name)">
          <span :class="card.style.background ? '' : 'eq-' + card.name[1]">{{ card.name[0] }}{{ sign(card.name[1]) }}</span><small>{{ card.text }}</small></button>
      </div>
      <div v-if="rows.length" class="eqs-chart" role="img" :aria-label="'By card, ' + label">
        <div v-for="column in columns" :key="column.rank" class="eqs-columns"><div>
          <span v-for="one in column.bars" :key="one.name" class="eqs-column" :title="one.title"><i v-for="part in one.parts" :style="part"></i></span></div><em>{{ column.rank }}</em></div>
      </div>
      <div v-if="rows.length" class="eq-scroll" tabindex="0" role="region" aria-label="Table of cards"><table class="eq-table eqs-report"><thead><tr>
        <th v-for="head in heads" :key="head.key" :aria-sort="by.key !== head.key ? 'none' : by.down ? 'descending' : 'ascending'"><button type="button" @click="sort(head.key)">{{ head.label }}<span aria-hidden="true">{{ by.key !== head.key ? '' : by.down ? ' ▾' : ' ▴' }}</span></button></th></tr></thead>
        <tbody><tr v-for="row in ordered" :key="row.card"><td v-for="head in heads" :key="head.key">
          <button v-if="head.key === 'card'" type="button" class="eqs-link" @click="deal(row.card)"><span :class="'eqs-card eq-' + row.card[1]">{{ row.card[0] }}{{ sign(row.card[1]) }}</span></button><template v-else>{{ head.text(row[head.key]) }}</template></td></tr></tbody></table></div>
    </div>`,
  setup() {
    const store = inject("study");
    const what = ref("ev");
    const seat = ref("oop");
    const rows = ref([]);
    const busy = ref(false);
    const problem = ref("");
    const by = ref({ key: "card", down: true });
    const isUnkept = computed(() => store.node.value.way.filter((place) => place.card).length >= store.props.cards);
    let latest = 0;

    async function load() {
      const node = store.node.value;
      store.nodes.leaveRunouts();
      const number = ++latest;
      if (!node.deals_a_card) return;
      if (isUnkept.value) {
        rows.value = [];
        return;
      }
      rows.value = [];
      problem.value = "";
      busy.value = true;
      try {
        const found = await store.nodes.runouts(node.line);
        if (number === latest) rows.value = found.runouts;
      } catch (error) {
        if (number === latest) problem.value = sentence(error);
      } finally {
        if (number === latest) busy.value = false;
      }
    }
    watch(() => store.node.value.line, load, { immediate: true });
    onBeforeUnmount(() => store.nodes.leaveRunouts());

    const byCard = computed(() => new Map(rows.value.map((row) => [row.card, row])));
    const actions = computed(() => {
      const row = rows.value[0];
      if (!row) return [];
      const names = Object.keys(row).filter((key) => key.endsWith(" freq")).map((key) => key.slice(0, -5));
      const bets = names.filter((name) => /\d/.test(name));
      return names.map((name) => ({ name, role: name === "Fold" ? "fold" : /\d/.test(name) ? `bet:${bets.indexOf(name)}/${bets.length}` : "passive" }));
    });
    const label = computed(() => (what.value === "strategy" ? "strategy of who acts first" : `${METRICS[what.value].long} of ${seat.value.toUpperCase()}`));
    const figure = (row) => (row && what.value !== "strategy" ? row[`${what.value}_${seat.value}`] : null);
    const range = computed(() => {
      const found = rows.value.map(figure).filter((value) => value !== null);
      return [Math.min(...found), Math.max(...found)];
    });
    function tint(row) {
      store.state.palette;
      if (!row) return {};
      if (what.value === "strategy") {
        let from = 0;
        const stops = [...actions.value].reverse().map((action) => {
          const to = from + 100 * (row[`${action.name} freq`] ?? 0);
          const stop = `${colour(action.role)} ${from}% ${to}%`;
          from = to;
          return stop;
        });
        return { background: `linear-gradient(to right,${stops.join(",")})`, color: "#000" };
      }
      const value = figure(row);
      const t = heat(what.value, value, row.pot);
      if (t === null) return {};
      const found = window.equilibrist.heatColour(t);
      return { background: found, color: window.equilibrist.ink(found) };
    }
    const cards = computed(() => {
      const node = store.node.value;
      return SUITS.flatMap((suit) =>
        [...RANKS].reverse().map((rank) => {
          const name = rank + suit;
          const row = byCard.value.get(name);
          const dead = node.board.includes(name);
          const value = figure(row);
          const text = value === null ? "" : METRICS[what.value].text(value, node.pot, 3);
          return { name, dead, style: tint(row), text, said: `${name}${dead ? ", on the board" : text ? `, ${label.value} ${text}` : ""}` };
        }),
      );
    });
    const columns = computed(() =>
      [...RANKS].reverse().map((rank) => ({
        rank,
        bars: SUITS.map((suit) => {
          const row = byCard.value.get(rank + suit);
          store.state.palette;
          if (!row) return { name: rank + suit, parts: [], title: "" };
          if (what.value === "strategy") {
            const parts = actions.value.map((action) => ({ height: `${100 * (row[`${action.name} freq`] ?? 0)}%`, background: colour(action.role) }));
            const title = `${rank}${suit}: ${actions.value.map((action) => `${action.name} ${percent(row[`${action.name} freq`])}`).join(", ")}`;
            return { name: rank + suit, parts: parts.reverse(), title };
          }
          const value = figure(row);
          const most = what.value === "equity" ? 1 : what.value === "ev" ? Math.max(row.pot, range.value[1]) : Math.max(1.5, range.value[1]);
          return { name: rank + suit, parts: [{ height: `${Math.max((100 * value) / most, 0)}%`, background: tint(row).background }], title: `${rank}${suit}: ${METRICS[what.value].text(value, row.pot)}` };
        }),
      })),
    );
    const heads = computed(() => [
      { key: "card", label: "Card" },
      ...Object.entries(METRICS).flatMap(([key, one]) => SEATS.map((who) => ({ key: `${key}_${who}`, label: `${one.label} ${who.toUpperCase()}`, text: (v) => one.text(v, store.node.value.pot) }))),
      ...actions.value.map((action) => ({ key: `${action.name} freq`, label: action.name, text: (v) => percent(v) })),
      ...actions.value.map((action) => ({ key: `${action.name} ev`, label: `${action.name} EV`, text: (v) => chips(v, store.node.value.pot) })),
    ]);
    const ordered = computed(() => {
      const { key, down } = by.value;
      const value = (row, k) => (key === "card" ? rows.value.length - k : row[key]);
      return rows.value
        .map((row, k) => [value(row, k), row])
        .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : down ? b - a : a - b))
        .map(([, row]) => row);
    });
    const sort = (key) => (by.value = { key, down: by.value.key === key ? !by.value.down : true });
    const STEPS = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
    function key(event) {
      const by = STEPS[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const buttons = [...event.currentTarget.querySelectorAll("button")];
      let at = buttons.indexOf(event.target) + by;
      while (buttons[at]?.disabled) at += by;
      buttons[at]?.focus();
    }
    const after = (card) => `${store.node.value.line}|${card}`;
    const deal = (card) => store.go(after(card));
    const ahead = (card) => store.ahead(after(card));
    return { store, isUnkept, what, seat, rows, busy, problem, by, actions, cards, columns, heads, ordered, sort, deal, ahead, key, label, sign: signOf };
  },
};
