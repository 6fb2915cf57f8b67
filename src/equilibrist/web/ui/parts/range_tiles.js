// Ranges as tiles: a small picture and a name; and those of blueprints that come with Equilibrist.
import { html, onMounted, ref, watch } from "../core/html.js";
import { fixed, number } from "../core/numbers.js";
import { t } from "../core/texts.js";
import { onTaste } from "../core/theme.js";
import { madeText, rangeName } from "../poker/blueprint_ranges.js";
import { WEIGHT_COLOUR } from "../poker/colours.js";

const SIDE = 13;

// A small picture of a range, from the colour of cells to that of weights: 169 digits to base 36.
function picture(canvas, weights) {
  const pen = canvas.getContext("2d");
  pen.globalAlpha = 1;
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--eq-cell").trim();
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = WEIGHT_COLOUR;
  [...weights].forEach((digit, k) => {
    pen.globalAlpha = parseInt(digit, 36) / 35;
    pen.fillRect(k % SIDE, Math.floor(k / SIDE), 1, 1);
  });
}

const Thumbnail = {
  props: { weights: String },
  setup(props) {
    const canvas = ref(null);
    const draw = () => canvas.value && picture(canvas.value, props.weights);
    onMounted(draw);
    onTaste(draw);
    watch(() => props.weights, draw, { flush: "post" });
    return () => html`<canvas ref=${canvas} width=${SIDE} height=${SIDE} aria-hidden="true"></canvas>`;
  },
};

// `use` is told the text of the range. One that somebody has named has a `name`, of which `shown` is a part.
export function rangeTile(range, shown, note, use) {
  const { name, range: text, weights } = range;
  return html`
    <button class="eq-button eqp-use" type="button" title=${name && text.slice(0, 300)} onClick=${() => use(text)}
      aria-label=${note ? `${name ?? shown} ${note}` : name ?? shown} translate=${name ? "no" : null}>
      <${Thumbnail} weights=${weights} /><span>${shown}${note && html`<small>${note}</small>`}</span>
    </button>`;
}

// The ranges of a blueprint, with how it was made.
export function solvedRanges(set, use) {
  const label = t(`range.solved.by.${set.method}`, { seats: set.seats.length, stack: number(set.stack) });
  const row = (range) => {
    const name = rangeName(set, range);
    const note = t("range.preset", { n: fixed(range.combos, 0, 0) });
    return html`<li key=${name}>${rangeTile(range, name, note, use)}</li>`;
  };
  return html`
    <h3 key=${set.name}>${label}</h3>
    <p class="eq-small">${madeText(set)}</p>
    <ul class="eqp-ranges eqp-tiles" aria-label=${label}>${set.ranges.map(row)}</ul>`;
}
