// Curves on axes that are both logarithmic, with target lines; the nearest point is told on hover.
// A curve of several runs has a band between the least and the greatest of them.
import { html, onBeforeUnmount, onMounted, ref, shallowRef } from "../core/html.js";
import { number } from "../core/numbers.js";
import { t } from "../core/texts.js";
import { savePicture } from "./picture.js";
import { scaleOf, spanOf, ticksOf } from "./scale.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [68, 14, 12, 40];
const LABEL = 62; // pixels that a number below the axis has: 1,000,000
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 5", "4 2", "1 4", "6 2 2 2"];
const COLOURS = 8;
const NEAR = 40; // pixels between the pointer and a point that is told

// Colour and dashes of a curve: no two have both in common.
const colour = (k) => `eqp-${k % COLOURS}`;
const dashes = (k) => DASHES[(k + Math.floor(k / COLOURS)) % DASHES.length] || null;

const path = (places) => places.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
// A round number on an axis: 1e-6, not 1.000e-6.
const short = (v) => (v > 0 && v < 1e-4 ? Number(v.toPrecision(3)).toExponential() : number(v, 3));
const seen = ([x, ...ys]) => x > 0 && ys.every((y) => y > 0);

export const Plot = {
  props: {
    series: { type: Array, default: () => [] }, // {name, points: [[x, y], ...], band: [[x, low, high], ...]}
    levels: { type: Array, default: () => [] }, // drawn where they fit
    targets: { type: Array, default: () => [] },
    xLabel: String,
    yLabel: String,
    label: String,
    csv: String, // the address of what was measured, as a file
    file: String, // how the file of a picture is called
    height: { type: Number, default: 380 },
  },
  setup(props) {
    const [figure, drawing] = [ref(null), ref(null)];
    const [width, tip] = [ref(640), shallowRef(null)];
    const sizes = new ResizeObserver(([entry]) => {
      width.value = Math.max(280, Math.floor(entry.contentRect.width));
    });
    onMounted(() => sizes.observe(figure.value));
    onBeforeUnmount(() => sizes.disconnect());

    // What is drawn: curves and bands of what a logarithmic axis can have, and the axes.
    function drawn() {
      const curves = props.series.map(({ points }) => points.filter(seen));
      const bands = props.series.map(({ band }) => (band ?? []).filter(seen));
      const targets = props.targets.filter((target) => target > 0);
      const edges = [...curves, ...bands].flat();
      const xs = spanOf(edges.map(([x]) => x), 1, 1000);
      const ys = spanOf([...edges.flatMap(([, ...y]) => y), ...targets], 1e-3, 1);
      const x = scaleOf(xs, LEFT, width.value - RIGHT);
      const y = scaleOf(ys, props.height - BOTTOM, TOP);
      const most = Math.max(2, Math.min(10, Math.floor((width.value - LEFT - RIGHT) / LABEL)));
      const levels = props.levels.filter((v) => v >= ys[0] && v <= ys[1] && !targets.includes(v));
      return { curves, bands, targets, levels, x, y, xTicks: ticksOf(xs, most), yTicks: ticksOf(ys, 8) };
    }

    const tick = (text, how) => html`<text class="eqp-tick" ...${how}>${text}</text>`;

    function axes({ x, y, xTicks, yTicks }) {
      const [right, bottom] = [width.value - RIGHT, props.height - BOTTOM];
      return html`
        ${yTicks.map((v) => html`
          <g key=${`y${v}`}>
            <line class="eqp-line" x1=${LEFT} x2=${right} y1=${y(v)} y2=${y(v)} />
            ${tick(short(v), { x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" })}
          </g>`)}
        ${xTicks.map((v) => html`
          <g key=${`x${v}`}>
            <line class="eqp-line" x1=${x(v)} x2=${x(v)} y1=${TOP} y2=${bottom} />
            ${tick(short(v), { x: x(v), y: bottom + 16, "text-anchor": "middle" })}
          </g>`)}
        ${tick(props.xLabel, { x: (LEFT + right) / 2, y: props.height - 6, "text-anchor": "middle" })}
        ${tick(props.yLabel, {
          transform: `translate(13 ${(TOP + bottom) / 2}) rotate(-90)`, "text-anchor": "middle",
        })}`;
    }

    const height = (v, kind, text, y) => html`
      <g key=${`${kind}${v}`}>
        <line class=${kind} x1=${LEFT} x2=${width.value - RIGHT} y1=${y(v)} y2=${y(v)} />
        ${tick(text, { x: width.value - RIGHT - 2, y: y(v) - 4, "text-anchor": "end" })}
      </g>`;

    function curve({ curves, bands, x, y }, k) {
      const places = curves[k].map(([a, b]) => [x(a), y(b)]);
      const band = bands[k];
      const edge = [...band.map(([a, low]) => [x(a), y(low)]), ...band.map(([a, , high]) => [x(a), y(high)]).reverse()];
      const last = places.at(-1);
      return html`
        <g key=${props.series[k].name} class=${colour(k)}>
          ${band.length > 1 && html`<path class="eqp-band" d=${`${path(edge)}Z`} />`}
          <path class="eqp-curve" data-curve d=${path(places)} stroke-dasharray=${dashes(k)} />
          ${last && html`<circle class="eqp-end" cx=${last[0]} cy=${last[1]} r="3.5" />`}
        </g>`;
    }

    function near(event, { curves, x, y }) {
      const box = event.currentTarget.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      let best = null;
      curves.forEach((points, k) => {
        for (const [a, b] of points) {
          const far = Math.hypot(x(a) - px, y(b) - py);
          if (far < (best?.far ?? NEAR)) best = { far, x: x(a), y: y(b), name: props.series[k].name, at: [a, b] };
        }
      });
      tip.value = best;
    }

    const told = ({ name, at: [a, b] }) => t("plot.point", { name, x: number(a), axis: props.xLabel, y: number(b) });

    const keep = () => savePicture(drawing.value, props.file, props.series.map(({ name }) => name));

    const keys = () => html`
      ${props.series.map(({ name }, k) => html`
        <span key=${name} class=${["eqg-key", colour(k)]} translate="no">
          <svg width="26" height="8" aria-hidden="true">
            <line class="eqp-curve" x1="0" x2="26" y1="4" y2="4" stroke-dasharray=${dashes(k)} />
          </svg>
          ${name}
        </span>`)}`;

    return () => {
      const all = drawn();
      return html`
        <figure class="eqp-plot" ref=${figure}>
          <svg ref=${drawing} width=${width.value} height=${props.height} role="img"
            viewBox=${`0 0 ${width.value} ${props.height}`} aria-label=${props.label}
            onPointermove=${(event) => near(event, all)} onPointerleave=${() => (tip.value = null)}>
            ${axes(all)}
            ${all.levels.map((v) => height(v, "eqp-level", short(v), all.y))}
            ${all.targets.map((v) => height(v, "eqp-target", t("plot.target", { target: short(v) }), all.y))}
            ${props.series.map((_, k) => curve(all, k))}
            ${tip.value && html`<circle class="eqp-tip" cx=${tip.value.x} cy=${tip.value.y} r="5" />`}
            ${!all.curves.flat().length
              && tick(t("plot.empty"), { x: width.value / 2, y: props.height / 2, "text-anchor": "middle" })}
          </svg>
          <figcaption class="eq-row eq-small">
            ${keys()}
            <span class="eq-grow eq-num eq-muted eqp-told" translate="no">${tip.value && told(tip.value)}</span>
            <span class="eqp-files">
              ${props.csv && html`<a href=${props.csv} download>${t("plot.csv")}</a>`}
              <button class="eqg-link" type="button" onClick=${keep}>${t("file.picture")}</button>
            </span>
          </figcaption>
        </figure>`;
    };
  },
};
