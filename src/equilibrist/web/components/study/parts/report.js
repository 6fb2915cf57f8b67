// A report over boards: a row each, their mean, and the strategies of all as a strip.
import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from "vue";
import { RANKS, cardsOf, signOf } from "./cards.js";
import { chips, number, percent } from "./figures.js";
import { ask, colour, sentence } from "./store.js";

const ROW = 28;
const TEXTS = ["board", "line", "acts"];
const NOTHING = { columns: [], rows: [] };

// The rows of a report.csv. Its texts hold no commas.
export function parse(text) {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const columns = head.split(",");
  if (!["board", "line", "frequency", "pot"].every((column) => columns.includes(column))) {
    throw new Error("This file is not the report.csv of a batch.");
  }
  const rows = lines.map((line) => line.split(",").map((cell, k) => (TEXTS.includes(columns[k]) ? cell : cell === "" ? null : Number(cell))));
  return { columns, rows: rows.filter((row) => row[columns.indexOf("board")] !== "all") };
}

// The mean of some boards, weighted by how often play comes to the node on each.
export function together(columns, rows) {
  const place = (name) => columns.indexOf(name);
  const mean = (name, weight) => {
    let [sum, all] = [0, 0];
    for (const row of rows) {
      const count = weight(row);
      if (!(count > 0) || row[place(name)] === null) continue;
      sum += count * row[place(name)];
      all += count;
    }
    return all > 0 ? sum / all : null;
  };
  const reach = (row) => row[place("frequency")];
  const found = Object.fromEntries(columns.map((name) => [name, null]));
  found.frequency = rows.reduce((sum, row) => sum + reach(row), 0);
  found.weight = rows.reduce((sum, row) => sum + row[place("weight")], 0);
  found.pot = rows[0]?.[place("pot")] ?? null;
  for (const name of columns) {
    if (name.startsWith("equity_") || name.startsWith("ev_") || name.endsWith(" freq")) found[name] = mean(name, reach);
    else if (name.endsWith(" ev")) found[name] = mean(name, (row) => reach(row) * (row[place(name.replace(/ ev$/, " freq"))] ?? 0));
  }
  for (const seat of ["oop", "ip"]) {
    const share = found[`equity_${seat}`] * found.pot;
    found[`eqr_${seat}`] = share ? found[`ev_${seat}`] / share : null;
  }
  return found;
}

// On the turn and the river these are words for the most cards of one suit, or of one rank.
const most = (board, from) => Math.max(...[...board].filter((_, k) => k % 2 === from).map((one, _, all) => all.filter((other) => other === one).length));
const suitsOf = (board) => ["rainbow", "two-tone"][most(board, 1) - 1] ?? "monotone";
const ranksOf = (board) => ["unpaired", "paired"][most(board, 0) - 1] ?? "trips";
const highOf = (board) => RANKS[Math.max(...cardsOf(board).map((card) => card >> 2))];

export default {
  props: { name: String },
  template: `
    <div class="eqs eqs-report-page">
      <label v-if="!name" class="eqs-file">report.csv of a batch <input class="eq-field" type="file" accept=".csv,text/csv" @change="open"></label>
      <p v-if="problem" role="alert" class="eq-error">{{ problem }}</p>
      <p v-if="busy" role="status">Reading the report…</p>
      <template v-if="data.columns.length">
        <div class="eqs-tools">
          <label v-if="lines.length > 1">Node <select class="eq-field" v-model="line"><option v-for="one in lines" :key="one" :value="one">{{ one || 'the root' }}</option></select></label>
          <label v-for="(group, key) in groups" :key="key">{{ group.label }} <select class="eq-field" v-model="filter[key].value"><option value="">all</option><option v-for="one in group.items" :key="one" :value="one">{{ one }}</option></select></label>
          <label>Board <input class="eq-field" type="search" v-model="find" placeholder="AK, 7h" size="10" spellcheck="false"></label>
          <span role="status">{{ rows.length.toLocaleString('en') }} of {{ all.length.toLocaleString('en') }} boards</span>
          <span class="eq-grow"></span><button type="button" class="eq-button" @click="save">Save as CSV</button>
        </div>
        <div v-if="actions.length" class="eqs-tools"><span v-for="action in actions" :key="action.name" class="eqs-key"><i class="eqs-dot" :style="{ background: tint(action) }"></i>{{ action.name }}</span></div>
        <canvas v-if="actions.length" ref="canvas" width="1400" height="120" class="eqs-boards" role="img" aria-label="Strategy on each board, in the order of the table"></canvas>
        <div class="eqs-table"><div class="eqs-scroll" ref="scroller" @scroll.passive="top = $event.target.scrollTop" tabindex="0" role="region" aria-label="Boards">
          <div role="table" :aria-rowcount="rows.length + 2" aria-label="Boards" :style="{ '--columns': template, '--width': width + 'px' }">
            <div class="eqs-tr eqs-head" role="row"><div v-for="head in heads" :key="head.key" role="columnheader" :aria-sort="by.key !== head.key ? 'none' : by.down ? 'descending' : 'ascending'"><button type="button" @click="sort(head.key)">{{ head.label }}<span aria-hidden="true">{{ by.key !== head.key ? '' : by.down ? ' ▾' : ' ▴' }}</span></button></div></div>
            <div class="eqs-tr eqs-total" role="row"><div v-for="head in heads" :key="head.key" role="cell">{{ head.key === 'board' ? 'Average' : head.text(mean[head.key]) }}</div></div>
            <div v-if="rows.length" role="rowgroup" class="eqs-body" :style="{ height: rows.length * 28 + 'px' }">
              <div v-for="row in seen" :key="row.at" class="eqs-tr" role="row" :style="{ transform: 'translateY(' + row.at * 28 + 'px)' }"><div v-for="head in heads" :key="head.key" role="cell">
                <template v-if="head.key === 'board'"><span v-for="card in row.cards" :class="'eqs-card eq-' + card[1]">{{ card[0] }}{{ sign(card[1]) }}</span></template><template v-else>{{ head.text(row.of[head.place]) }}</template></div></div>
            </div>
          </div>
          <p v-if="!rows.length" class="eqs-none">No matching boards.</p>
        </div></div>
      </template>
    </div>`,
  setup(props) {
    const data = shallowRef(NOTHING);
    const problem = ref("");
    const busy = ref(false);
    const line = ref("");
    const find = ref("");
    const top = ref(0);
    const palette = ref(0);
    const by = ref({ key: "board", down: false });
    const canvas = ref(null);
    const scroller = ref(null);
    const filter = { suits: ref(""), ranks: ref(""), high: ref("") };
    const groups = {
      suits: { label: "Suits", items: ["rainbow", "two-tone", "monotone"], of: suitsOf },
      ranks: { label: "Ranks", items: ["unpaired", "paired", "trips"], of: ranksOf },
      high: { label: "High card", items: [...RANKS].reverse(), of: highOf },
    };
    async function load() {
      busy.value = true;
      try {
        data.value = await ask(`/api/reports/${encodeURIComponent(props.name)}`);
        line.value = lines.value[0];
      } catch (error) {
        problem.value = sentence(error);
      } finally {
        busy.value = false;
      }
    }
    async function open(event) {
      problem.value = "";
      const [file] = event.target.files;
      if (!file) return;
      try {
        data.value = parse(await file.text());
        line.value = lines.value[0];
      } catch (error) {
        data.value = NOTHING;
        problem.value = error.message;
      }
    }
    const place = (name) => data.value.columns.indexOf(name);
    const lines = computed(() => [...new Set(data.value.rows.map((row) => row[place("line")]))]);
    const all = computed(() => data.value.rows.filter((row) => row[place("line")] === line.value));
    const chosen = computed(() => {
      const parts = find.value.trim().toLowerCase().split(/[\s,]+/).filter(Boolean);
      return all.value.filter((row) => {
        const board = row[place("board")];
        if (Object.entries(groups).some(([key, group]) => filter[key].value && group.of(board) !== filter[key].value)) return false;
        return parts.every((part) => (/[cdhs]/.test(part) ? board.toLowerCase().includes(part) : [...part].every((rank) => board.toLowerCase().includes(rank))));
      });
    });
    // Actions that no board of the node has are left out.
    const columns = computed(() => data.value.columns.filter((_, k) => all.value.some((row) => row[k] !== null && row[k] !== "")));
    const actions = computed(() => {
      const names = columns.value.filter((name) => name.endsWith(" freq")).map((name) => name.slice(0, -5));
      const bets = names.filter((name) => /\d/.test(name)).sort((a, b) => Number(a.match(/[\d.]+/)) - Number(b.match(/[\d.]+/)));
      return names.map((name) => ({ name, place: place(`${name} freq`), role: name === "Fold" ? "fold" : bets.includes(name) ? `bet:${bets.indexOf(name)}/${bets.length}` : "passive" }));
    });
    const tint = (action) => (palette.value, colour(action.role));
    const mean = computed(() => together(data.value.columns, chosen.value));
    function textOf(name) {
      if (name.startsWith("equity_") || name.endsWith(" freq")) return (v) => percent(v);
      if (name.startsWith("eqr_")) return (v) => percent(v, 0);
      if (name.startsWith("ev_") || name.endsWith(" ev")) return (v) => chips(v, mean.value.pot);
      if (name === "frequency") return (v) => percent(v, 2);
      if (name.endsWith("_percent")) return (v) => (v === null ? "–" : `${number(v, 2)}%`);
      return (v) => (v === null ? "" : typeof v === "number" ? v.toLocaleString("en", { maximumFractionDigits: 2 }) : v);
    }
    const LABELS = { equity_oop: "EQ OOP", equity_ip: "EQ IP", ev_oop: "EV OOP", ev_ip: "EV IP", eqr_oop: "EQR OOP", eqr_ip: "EQR IP", frequency: "Reach", exploitability_percent: "Exploit.", mean_gain_percent: "Mean gain" };
    const heads = computed(() =>
      columns.value
        .filter((name) => !["line", "acts", "pot"].includes(name))
        .map((name) => ({ key: name, place: place(name), label: LABELS[name] ?? (name.endsWith(" freq") ? name.slice(0, -5) : name[0].toUpperCase() + name.slice(1).replace(/ ev$/, " EV")), text: textOf(name), wide: name === "board" ? 96 : 92 })),
    );
    const template = computed(() => heads.value.map((head) => `minmax(${head.wide}px,1fr)`).join(" "));
    const width = computed(() => heads.value.reduce((sum, head) => sum + head.wide, 0));
    const rows = computed(() => {
      const { key, down } = by.value;
      if (key === "board") return down ? [...chosen.value].reverse() : chosen.value;
      const k = place(key);
      return [...chosen.value].sort((a, b) => (a[k] === null) - (b[k] === null) || (down ? b[k] - a[k] : a[k] - b[k]));
    });
    const seen = computed(() => {
      const from = Math.max(Math.floor(top.value / ROW) - 4, 0);
      return rows.value.slice(from, from + 36).map((of, n) => ({ at: from + n, of, cards: of[place("board")].match(/../g) }));
    });
    const sort = (key) => (by.value = { key, down: by.value.key === key ? !by.value.down : key !== "board" });
    function draw() {
      if (!canvas.value) return;
      const pen = canvas.value.getContext("2d");
      const { width: wide, height } = canvas.value;
      pen.clearRect(0, 0, wide, height);
      const step = wide / Math.max(rows.value.length, 1);
      const colours = actions.value.map(tint);
      rows.value.forEach((row, n) => {
        let y = height;
        actions.value.forEach((action, a) => {
          const part = (row[action.place] ?? 0) * height;
          pen.fillStyle = colours[a];
          pen.fillRect(n * step, (y -= part), step + 0.6, part);
        });
      });
    }
    watch([rows, actions, palette], draw, { flush: "post" });
    watch([chosen, by], () => scroller.value && (scroller.value.scrollTop = top.value = 0));
    function save() {
      const text = [data.value.columns, ...rows.value].map((row) => row.map((cell) => cell ?? "").join(",")).join("\n");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text + "\n"], { type: "text/csv" }));
      link.download = `${props.name ?? "report"}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }
    const repaint = () => palette.value++;
    onMounted(() => {
      window.addEventListener("palette", repaint);
      if (props.name) load();
    });
    onBeforeUnmount(() => window.removeEventListener("palette", repaint));
    return { data, problem, busy, line, find, filter, groups, lines, all, rows, seen, actions, tint, mean, heads, template, width, by, top, canvas, scroller, open, sort, save, sign: signOf };
  },
};
