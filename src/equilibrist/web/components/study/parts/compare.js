// Both ranges side by side, with their totals between them.
import { computed, inject } from "vue";
import { chips, number, percent } from "./figures.js";
import { SEAT_COLOURS } from "./graphs.js";
import Grid from "./grid.js";

export default {
  components: { Grid },
  template: `
    <div class="eqs-compare">
      <section><h3>OOP</h3><grid :who="0" /></section>
      <section class="eqs-between" aria-label="Totals of both players">
        <div v-for="row in rows" :key="row.label"><h3>{{ row.label }}</h3>
          <div v-for="who in [0, 1]" :key="who" class="eqs-measure"><span>{{ who ? 'IP' : 'OOP' }}</span>
            <i><b :style="{ width: row.shares[who] + '%', background: seats[who] }"></b></i><span>{{ row.texts[who] }}</span></div></div>
      </section>
      <section><h3>IP</h3><grid :who="1" /></section>
    </div>`,
  setup() {
    const store = inject("study");
    const rows = computed(() => {
      const [oop, ip] = store.totals.value;
      const node = store.node.value;
      const row = (label, values, text, most) => ({
        label,
        texts: values.map(text),
        shares: values.map((value) => Math.min(Math.max((100 * (value ?? 0)) / (most || 1), 0), 100)),
      });
      return [
        row("Combos", [oop.combos, ip.combos], (v) => number(v, 1), Math.max(oop.combos, ip.combos)),
        row("Equity", [oop.equity, ip.equity], (v) => percent(v), 1),
        row("EV", [oop.ev, ip.ev], (v) => chips(v, node.pot), node.pot),
        row("EQR", [oop.eqr, ip.eqr], (v) => percent(v, 0), Math.max(oop.eqr, ip.eqr, 1)),
      ];
    });
    return { rows, seats: SEAT_COLOURS };
  },
};
