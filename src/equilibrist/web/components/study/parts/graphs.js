// Hands of both players sorted by a metric, and below them what they do.
import { computed, inject, onMounted, ref, watch } from "vue";
import { comboName } from "./cards.js";
import { METRICS } from "./figures.js";
import { colour } from "./store.js";

const [WIDE, HIGH, LEFT, BOTTOM] = [760, 320, 52, 26];
export const SEAT_COLOURS = ["#0284c7", "#65a30d"];

export function sorted(hands, mask, metric) {
  const found = [];
  hands.combos.forEach((combo, k) => {
    if (mask[k] && hands[metric][k] !== null) found.push(k);
  });
  found.sort((a, b) => hands[metric][a] - hands[metric][b] || a - b);
  const total = found.reduce((sum, k) => sum + hands.weight[k], 0) || 1;
  let at = 0;
  return found.map((k) => {
    const from = at;
    at += hands.weight[k] / total;
    return { k, from, to: at, value: hands[metric][k] };
  });
}

export default {
  template: `
    <div class="eqs-graphs">
      <div class="eqs-tools" role="group" aria-label="Sorted by">
        <button v-for="(one, key) in METRICS" :key="key" type="button" class="eq-button" :aria-pressed="by === key ? 'true' : 'false'" @click="by = key">{{ one.long }}</button>
        <span class="eqs-key"><i :style="{ background: seats[0] }"></i>OOP</span><span class="eqs-key"><i :style="{ background: seats[1] }"></i>IP</span>
      </div>
      <div class="eqs-plot">
        <svg :viewBox="'0 0 ' + wide + ' ' + high" role="img" :aria-label="label" @pointermove="move" @pointerleave="at = null" preserveAspectRatio="none">
          <g class="eqs-axis"><template v-for="tick in ticks" :key="tick.text"><line :x1="left" :x2="wide" :y1="tick.y" :y2="tick.y" /></template>
            <template v-for="x in [0, 25, 50, 75, 100]" :key="x"><line :x1="xOf(x / 100)" :x2="xOf(x / 100)" :y1="6" :y2="high - bottom" /></template></g>
          <path v-for="who in [1 - player, player]" :key="who" :d="paths[who]" fill="none" :stroke="seats[who]" :stroke-width="who === player ? 3 : 1.5" vector-effect="non-scaling-stroke" />
          <line v-if="at !== null" :x1="xOf(at)" :x2="xOf(at)" :y1="6" :y2="high - bottom" class="eqs-cursor" vector-effect="non-scaling-stroke" />
        </svg>
        <span v-for="tick in ticks" :key="tick.text" class="eqs-tick-y" :style="{ top: 100 * tick.y / high + '%' }">{{ tick.text }}</span>
        <span v-for="x in [0, 25, 50, 75, 100]" :key="x" class="eqs-tick-x" :style="{ left: 100 * xOf(x / 100) / wide + '%' }">{{ x }} %</span>
      </div>
      <div v-if="acts" class="eqs-strategy-strip"><canvas ref="canvas" width="1400" height="44" role="img" aria-label="Strategy in the same order" @pointermove="move" @pointerleave="at = null"></canvas></div>
      <p class="eqs-said" aria-live="off">{{ said }}</p>
    </div>`,
  setup() {
    const store = inject("study");
    const by = ref("equity");
    const at = ref(null);
    const canvas = ref(null);
    const player = computed(() => store.player.value);
    const curves = computed(() => [0, 1].map((who) => sorted(store.node.value.hands[who], store.masks.value[who], by.value)));
    const acts = computed(() => store.node.value.player === player.value);
    const range = computed(() => {
      if (by.value === "equity") return [0, 1];
      const values = curves.value.flat().map((one) => one.value);
      if (by.value === "eqr") return [0, Math.min(Math.max(...values, 1), 4)];
      return [Math.min(0, ...values), Math.max(...values, 1)];
    });
    const xOf = (x) => LEFT + x * (WIDE - LEFT - 4);
    const yOf = (value) => {
      const [low, high] = range.value;
      return 6 + (1 - (Math.min(Math.max(value, low), high) - low) / (high - low)) * (HIGH - BOTTOM - 6);
    };
    const paths = computed(() =>
      curves.value.map((curve) =>
        curve.map((one, n) => `${n ? "L" : "M"}${xOf(one.from).toFixed(2)} ${yOf(one.value).toFixed(2)}L${xOf(one.to).toFixed(2)} ${yOf(one.value).toFixed(2)}`).join(""),
      ),
    );
    const ticks = computed(() => {
      const [low, high] = range.value;
      return [0, 1, 2, 3, 4].map((n) => {
        const value = low + (n / 4) * (high - low);
        return { y: yOf(value), text: METRICS[by.value].text(value, store.node.value.pot, 3) };
      });
    });
    function move(event) {
      const box = event.currentTarget.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width;
      at.value = Math.min(Math.max(event.currentTarget.tagName === "CANVAS" ? x : (x * WIDE - LEFT) / (WIDE - LEFT - 4), 0), 1);
    }
    const find = (who) => (at.value === null ? null : curves.value[who].find((one) => at.value <= one.to) ?? curves.value[who].at(-1) ?? null);
    const said = computed(() => {
      if (at.value === null) return "Point at the graph to read a hand.";
      const parts = [0, 1].map((who) => {
        const one = find(who);
        if (!one) return "";
        return `${who ? "IP" : "OOP"} ${comboName(store.node.value.hands[who].combos[one.k])}: ${METRICS[by.value].text(one.value, store.node.value.pot)}`;
      });
      return `${Math.round(100 * at.value)} % of the range. ${parts.filter(Boolean).join("; ")}`;
    });
    watch(at, () => {
      const one = find(player.value);
      store.focus.hand = one ? store.node.value.hands[player.value].combos[one.k] : null;
    });
    function draw() {
      if (!canvas.value || !acts.value) return;
      const { node } = store;
      const pen = canvas.value.getContext("2d");
      const { width, height } = canvas.value;
      const colours = node.value.actions.map((action) => colour(action.role));
      pen.clearRect(0, 0, width, height);
      for (const one of curves.value[player.value]) {
        const [x, wide] = [one.from * width, Math.max((one.to - one.from) * width, 0.5)];
        let y = height;
        for (let a = 0; a < colours.length; a++) {
          const part = node.value.strategy[a][one.k] * height;
          pen.fillStyle = colours[a];
          pen.fillRect(x, (y -= part), wide + 0.5, part);
        }
      }
    }
    onMounted(draw);
    watch([curves, player, acts, () => store.state.palette], draw, { flush: "post" });
    const label = computed(() => `${METRICS[by.value].long} of the hands of both players, from the worst to the best`);
    return { store, by, at, canvas, player, acts, paths, ticks, xOf, move, said, label, METRICS, seats: SEAT_COLOURS, wide: WIDE, high: HIGH, left: LEFT, bottom: BOTTOM };
  },
};
