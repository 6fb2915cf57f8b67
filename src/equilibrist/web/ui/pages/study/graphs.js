// Hands of both players sorted by a metric, and below them what they do.
import { computed, html, onMounted, ref, watch } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { METRICS, percent } from "../../poker/amounts.js";
import { METRIC_NAMES } from "../../poker/actions.js";
import { comboName } from "../../poker/cards.js";
import { actionColour, SEAT_COLOURS } from "../../poker/colours.js";
import { sorted } from "../../poker/figures.js";

const [WIDE, HIGH, LEFT, BOTTOM] = [760, 320, 52, 26];
const SHARES = [0, 25, 50, 75, 100];
const xOf = (x) => LEFT + x * (WIDE - LEFT - 4);
const spot = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;

export const Graphs = {
  props: { store: Object },
  setup({ store }) {
    const { node, player, masks, focus, seat } = store;
    const by = ref("equity");
    const at = ref(null);
    const canvas = ref(null);
    const curves = computed(() =>
      [0, 1].map((who) => sorted(node.value.hands[who], masks.value[who], by.value)));
    const acts = computed(() => node.value.player === player.value);
    const range = computed(() => {
      if (by.value === "equity") return [0, 1];
      const values = curves.value.flat().map((one) => one.value);
      if (by.value === "eqr") return [0, Math.min(Math.max(...values, 1), 4)];
      return [Math.min(0, ...values), Math.max(...values, node.value.pot / 100)];
    });
    function yOf(value) {
      const [low, high] = range.value;
      return 6 + (1 - (Math.min(Math.max(value, low), high) - low) / (high - low)) * (HIGH - BOTTOM - 6);
    }
    const paths = computed(() => curves.value.map((curve) => curve.map(({ from, to, value }, n) =>
      `${n ? "L" : "M"}${spot(xOf(from), yOf(value))}L${spot(xOf(to), yOf(value))}`).join("")));
    const text = (value, digits) => METRICS[by.value](value, node.value.pot, digits);
    const ticks = computed(() => [0, 1, 2, 3, 4].map((n) => {
      const [low, high] = range.value;
      const value = low + (n / 4) * (high - low);
      return { y: yOf(value), text: text(value, 3) };
    }));

    function move(event) {
      const box = event.currentTarget.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width;
      const isStrip = event.currentTarget.tagName === "CANVAS";
      at.value = Math.min(Math.max(isStrip ? x : (x * WIDE - LEFT) / (WIDE - LEFT - 4), 0), 1);
    }
    const leave = () => (at.value = null);
    function find(who) {
      const curve = curves.value[who];
      return at.value === null ? null : curve.find((one) => at.value <= one.to) ?? curve.at(-1) ?? null;
    }
    const hand = (who, { k }) => node.value.hands[who].combos[k];
    function said() {
      if (at.value === null) return t("graphs.point");
      const share = Math.round(100 * at.value);
      const hands = [0, 1].flatMap((who) => {
        const one = find(who);
        if (!one) return [];
        const value = text(one.value);
        return [t("graphs.hand", { seat: seat(who), hand: comboName(hand(who, one)), value })];
      });
      return [t("graphs.at", { share }), ...hands].join(" ");
    }
    watch(at, () => {
      const one = find(player.value);
      focus.hand = one ? hand(player.value, one) : null;
    });

    function draw() {
      if (!canvas.value || !acts.value) return;
      const pen = canvas.value.getContext("2d");
      const { width, height } = canvas.value;
      const colours = node.value.actions.map(actionColour);
      pen.clearRect(0, 0, width, height);
      for (const { k, from, to } of curves.value[player.value]) {
        let y = height;
        colours.forEach((colour, a) => {
          const part = node.value.strategy[a][k] * height;
          pen.fillStyle = colour;
          pen.fillRect(from * width, (y -= part), Math.max((to - from) * width, 0.5) + 0.5, part);
        });
      }
    }
    onMounted(draw);
    watch([curves, player, acts, () => node.value.actions.map(actionColour).join()], draw, { flush: "post" });

    const curve = (who) => html`
      <path key=${who} d=${paths.value[who]} fill="none" stroke=${SEAT_COLOURS[who]}
        stroke-width=${who === player.value ? 3 : 1.5} vector-effect="non-scaling-stroke" />`;
    const line = (x, name) => html`<line x1=${x} x2=${x} y1="6" y2=${HIGH - BOTTOM} class=${name} />`;
    const label = () => t("graphs.label", { metric: t(`metric.${by.value}`) });
    return () => html`
      <div class="eqs-graphs">
        <div class="eqs-tools" role="group" aria-label=${t("graphs.by")}>
          ${METRIC_NAMES.map((name) => html`
            <button key=${name} type="button" class="eq-button" aria-pressed=${String(by.value === name)}
              onClick=${() => (by.value = name)}>${t(`metric.${name}`)}</button>`)}
          ${[0, 1].map((who) => html`
            <span key=${who} class="eqs-key"><i style=${{ background: SEAT_COLOURS[who] }}></i>${seat(who)}</span>`)}
        </div>
        <div class="eqs-plot">
          <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label=${label()} preserveAspectRatio="none"
            onPointermove=${move} onPointerleave=${leave}>
            <g class="eqs-axis">
              ${ticks.value.map(({ y }) => html`<line x1=${LEFT} x2=${WIDE} y1=${y} y2=${y} />`)}
              ${SHARES.map((x) => line(xOf(x / 100), null))}
            </g>
            ${[1 - player.value, player.value].map(curve)}
            ${at.value !== null && line(xOf(at.value), "eqs-cursor")}
          </svg>
          ${ticks.value.map(({ y, text: value }) => html`
            <span class="eqs-tick-y" style=${{ top: `${(100 * y) / HIGH}%` }}>${value}</span>`)}
          ${SHARES.map((x) => html`
            <span class="eqs-tick-x" style=${{ left: `${(100 * xOf(x / 100)) / WIDE}%` }}>
              ${percent(x / 100, 0)}
            </span>`)}
        </div>
        ${acts.value && html`
          <div class="eqs-strategy-strip">
            <canvas ref=${canvas} width="1400" height="44" role="img" aria-label=${t("graphs.strategy")}
              onPointermove=${move} onPointerleave=${leave}></canvas>
          </div>`}
        <p class="eqs-said" aria-live="off">${said()}</p>
      </div>`;
  },
};
