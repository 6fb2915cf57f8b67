// Curves on axes that are both logarithmic, with target lines; the nearest point is told on hover.
// A curve of several runs has a band between the least and the greatest of them.
import { number } from "./numbers.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [64, 14, 12, 40];
const SHAPES = ["", "7 4", "2 3", "9 3 2 3", "12 5", "4 2", "1 4", "6 2 2 2"];

export const LogPlot = {
  template: `
  <figure class="eqg-plot" ref="figure">
    <svg :viewBox="'0 0 ' + width + ' ' + height" :width="width" :height="height" role="img" :aria-label="label"
      @pointermove="near" @pointerleave="tip = null">
      <g v-for="tick in yTicks" :key="'y' + tick"><line class="eqg-line" :x1="left" :x2="width - right" :y1="y(tick)" :y2="y(tick)"/>
        <text class="eqg-tick" text-anchor="end" :x="left - 6" :y="y(tick) + 4">{{ power(tick) }}</text></g>
      <g v-for="tick in xTicks" :key="'x' + tick"><line class="eqg-line" :y1="top" :y2="height - bottom" :x1="x(tick)" :x2="x(tick)"/>
        <text class="eqg-tick" text-anchor="middle" :x="x(tick)" :y="height - bottom + 16">{{ power(tick) }}</text></g>
      <text class="eqg-tick" text-anchor="middle" :x="(left + width - right) / 2" :y="height - 6">{{ xLabel }}</text>
      <text class="eqg-tick" text-anchor="middle" :transform="'translate(13 ' + (top + height - bottom) / 2 + ') rotate(-90)'">{{ yLabel }}</text>
      <g v-for="level in shownLevels" :key="'v' + level"><line class="eqg-level" :x1="left" :x2="width - right" :y1="y(level)" :y2="y(level)"/>
        <text class="eqg-tick" text-anchor="end" :x="width - right - 2" :y="y(level) - 4">{{ show(level) }}</text></g>
      <g v-for="target in shownTargets" :key="'t' + target"><line class="eqg-target" :x1="left" :x2="width - right" :y1="y(target)" :y2="y(target)"/>
        <text class="eqg-tick" text-anchor="end" :x="width - right - 2" :y="y(target) - 4">target {{ show(target) }}</text></g>
      <g v-for="(one, k) in drawn" :key="one.name">
        <path v-if="one.area" class="eqg-band" :d="one.area" :fill="colour(k)"/>
        <path class="eqg-curve" :d="one.d" :stroke="colour(k)" :stroke-dasharray="dash(k)"/>
        <circle v-if="one.last" :cx="one.last[0]" :cy="one.last[1]" r="3.5" :fill="colour(k)"/>
      </g>
      <g v-if="tip"><circle :cx="tip.x" :cy="tip.y" r="5" class="eqg-tip"/></g>
      <text v-if="!points.flat().length" class="eqg-tick" text-anchor="middle" :x="width / 2" :y="height / 2">nothing measured yet</text>
    </svg>
    <figcaption class="eq-row eq-small">
      <span v-for="(one, k) in series" :key="one.name" class="eqg-key">
        <svg width="26" height="8" aria-hidden="true"><line x1="0" x2="26" y1="4" y2="4" :stroke="colour(k)" stroke-width="2.5" :stroke-dasharray="dash(k)"/></svg>{{ one.name }}</span>
      <span class="eq-grow"></span><span class="eq-num eq-muted" aria-live="off">{{ tip ? tip.text : '' }}</span>
    </figcaption>
  </figure>`,
  props: {
    series: { type: Array, default: () => [] }, // {name, points: [[x, y], ...], band: [[x, low, high], ...]}
    levels: { type: Array, default: () => [] }, // drawn where they fit
    targets: { type: Array, default: () => [] },
    xLabel: String,
    yLabel: String,
    label: { type: String, default: "Convergence" },
    height: { type: Number, default: 380 },
  },
  data: () => ({ width: 640, tip: null, tint: 0, left: LEFT, right: RIGHT, top: TOP, bottom: BOTTOM }),
  computed: {
    points() {
      return this.series.map((one) => one.points.filter(([x, y]) => x > 0 && y > 0));
    },
    bands() {
      return this.series.map((one) => (one.band ?? []).filter(([x, low]) => x > 0 && low > 0));
    },
    bounds() {
      const bands = this.bands.flat();
      const xs = this.points.flat().map(([x]) => x);
      const ys = [
        ...this.points.flat().map(([, y]) => y),
        ...bands.flatMap(([, low, high]) => [low, high]),
        ...this.targets.filter((t) => t > 0),
      ];
      const span = (all, low, high) => {
        if (!all.length) return [low, high];
        const a = Math.floor(Math.log10(Math.min(...all)) + 1e-9);
        const b = Math.ceil(Math.log10(Math.max(...all)) - 1e-9);
        return [a, b > a ? b : a + 1];
      };
      return { x: span(xs, 0, 3), y: span(ys, -3, 0) };
    },
    xTicks() {
      return this.ticks(this.bounds.x, 10);
    },
    yTicks() {
      return this.ticks(this.bounds.y, 8);
    },
    shownTargets() {
      return this.targets.filter((t) => t > 0);
    },
    shownLevels() {
      const [low, high] = this.bounds.y;
      return this.levels.filter((v) => v > 0 && !this.targets.includes(v) && v >= 10 ** low && v <= 10 ** high);
    },
    drawn() {
      const line = (placed) => placed.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
      return this.points.map((points, k) => {
        const placed = points.map(([x, y]) => [this.x(x), this.y(y)]);
        const band = this.bands[k];
        const edge = [...band.map(([x, low]) => [x, low]), ...band.map(([x, , high]) => [x, high]).reverse()];
        const area = band.length > 1 ? `${line(edge.map(([x, y]) => [this.x(x), this.y(y)]))}Z` : "";
        return { name: this.series[k].name, d: line(placed), area, last: placed.at(-1) };
      });
    },
  },
  mounted() {
    this.sizes = new ResizeObserver(([entry]) => {
      this.width = Math.max(280, Math.floor(entry.contentRect.width));
    });
    this.sizes.observe(this.$refs.figure);
    this.repaint = () => (this.tint += 1);
    window.addEventListener("palette", this.repaint);
  },
  beforeUnmount() {
    this.sizes.disconnect();
    window.removeEventListener("palette", this.repaint);
  },
  methods: {
    ticks([low, high], most) {
      const step = Math.max(1, Math.ceil((high - low) / most));
      return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => 10 ** (low + k * step));
    },
    x(value) {
      const [a, b] = this.bounds.x;
      return LEFT + ((Math.log10(value) - a) / (b - a)) * (this.width - LEFT - RIGHT);
    },
    y(value) {
      const [a, b] = this.bounds.y;
      return this.height - BOTTOM - ((Math.log10(value) - a) / (b - a)) * (this.height - TOP - BOTTOM);
    },
    near(event) {
      const box = event.currentTarget.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      let best = null;
      this.points.forEach((points, k) => {
        for (const [x, y] of points) {
          const [qx, qy] = [this.x(x), this.y(y)];
          const far = Math.hypot(qx - px, qy - py);
          if (far < 40 && (!best || far < best.far)) {
            best = { far, x: qx, y: qy, text: `${this.series[k].name}: ${number(y)} at ${number(x)}` };
          }
        }
      });
      this.tip = best;
    },
    colour(k) {
      return this.tint >= 0 ? window.equilibrist.actionColour(`game:${k}/${Math.max(this.series.length, 2)}`) : "";
    },
    dash: (k) => SHAPES[k % SHAPES.length],
    power(x) {
      const e = Math.round(Math.log10(x));
      if (e >= 0 && e < 4) return String(10 ** e);
      return e < 0 && e > -4 ? String(Number((10 ** e).toFixed(3))) : `1e${e}`;
    },
    show: number,
  },
};
