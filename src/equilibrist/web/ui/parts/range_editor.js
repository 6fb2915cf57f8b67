// A range to paint on: its grid, the weight of the brush, the best hands, and the suits of a hand.
import { computed, html, nextTick, ref, shallowRef } from "../core/html.js";
import { fixed, percent, percentage } from "../core/numbers.js";
import { t } from "../core/texts.js";
import { CLASS_NAMES, cardName, comboName, FIRST, SECOND } from "../poker/cards.js";
import { WEIGHT_COLOUR } from "../poker/colours.js";
import {
  ALL_SUITS, best, changed, classWeights, COMBOS, combosOf, inverted, isAll, isEven, noHands, NUM_COMBOS, reweighted,
  total,
} from "../poker/ranges.js";
import { cards } from "./cards.js";
import { barCell, emptyCell, Grid } from "./grid.js";
import { SuitBrush } from "./suit_brush.js";

const BRUSHES = [1, 0.75, 0.5, 0.25];
const BAR = [{ colour: WEIGHT_COLOUR, from: 0, to: 100 }];
const shareIn = (text) => Math.min(Math.max(Number(text) || 0, 0), 100) / 100;

// `weights` are those of the combos; `ranking` has the classes from the best on, none while it is not
// there. `paint` is told each change that was made: from weights to weights, so that it can be made to
// others that come meanwhile.
export const RangeEditor = {
  props: { weights: Float64Array, ranking: Array, label: String },
  emits: ["paint"],
  setup(props, { emit }) {
    const [brush, top] = [ref(100), ref(0)]; // in percent
    const suited = shallowRef(ALL_SUITS); // which combos of a hand are painted
    const strokes = shallowRef(new Map()); // of the stroke that is under way: from combos to weights
    const preview = shallowRef(null); // weights that are looked at while a slider moves
    const opened = ref(0); // the class whose suits are shown
    const [root, dialog] = [ref(null), ref(null)];
    let painting = 0;

    const shown = computed(() => preview.value ?? changed(props.weights, strokes.value));
    const spoken = (place, weight) => {
      const values = { hand: CLASS_NAMES[place], weight: percent(weight) };
      return t(isEven(shown.value, place) ? "range.cell" : "range.cell.suits", values);
    };
    const cells = computed(() =>
      classWeights(shown.value).map((weight, place) =>
        (weight > 0 ? barCell(BAR, weight, spoken(place, weight)) : emptyCell(spoken(place, 0)))));

    const paint = (changes) => emit("paint", (weights) => changed(weights, changes));
    const all = (combos, weight) => new Map(combos.map((combo) => [combo, weight]));

    // The first hand decides: where what is painted has the weight of the brush it is cleared, else set.
    function stroke(place, isFirst) {
      const [weight, combos] = [shareIn(brush.value), combosOf(place, suited.value)];
      if (isFirst) painting = combos.length && isAll(shown.value, combos, weight) ? 0 : weight;
      strokes.value = new Map([...strokes.value, ...all(combos, painting)]);
    }
    function rest() {
      if (strokes.value.size) paint(strokes.value);
      strokes.value = new Map();
    }

    const bestOf = (text) => best(props.ranking, shareIn(text));
    function look(event) {
      top.value = event.target.value;
      preview.value = bestOf(top.value);
    }
    function take(event) {
      top.value = event.target.value;
      const found = bestOf(top.value);
      preview.value = null;
      emit("paint", () => found);
    }

    function open(place) {
      opened.value = place;
      nextTick(() => dialog.value.showModal());
    }
    const flip = (combo) => {
      const weight = shareIn(brush.value);
      paint(all([combo], isAll(shown.value, [combo], weight) ? 0 : weight));
    };
    const fill = (weight) => paint(all(COMBOS[opened.value], weight));
    const toGrid = () => root.value?.querySelector(`[data-place="${opened.value}"]`).focus({ preventScroll: true });

    const suit = (combo) => html`
      <button key=${combo} type="button" aria-pressed=${String(shown.value[combo] > 0)} onClick=${() => flip(combo)}
        aria-label=${t("range.cell", { hand: comboName(combo), weight: percent(shown.value[combo]) })}>
        <i class="eqp-fill" style=${{ height: `${100 * shown.value[combo]}%` }}></i>
        <span class="eqp-pair">${cards([SECOND[combo], FIRST[combo]].map(cardName))}</span>
        <small>${percent(shown.value[combo])}</small>
      </button>`;
    const suits = () => html`
      <dialog class="eq-dialog eqp-suits" ref=${dialog} onClose=${toGrid}
        onClick=${(event) => event.target === dialog.value && dialog.value.close()}
        aria-label=${t("range.suits", { hand: CLASS_NAMES[opened.value] })}>
        <div class="eq-row">
          <b translate="no">${CLASS_NAMES[opened.value]}</b>
          <button class="eq-button" type="button" onClick=${() => fill(shareIn(brush.value))}>
            ${t("range.suits.all", { weight: percent(shareIn(brush.value)) })}
          </button>
          <button class="eq-button" type="button" onClick=${() => fill(0)}>${t("range.suits.none")}</button>
          <button class="eq-button" type="button" onClick=${() => dialog.value.close()}>${t("dialog.done")}</button>
        </div>
        <div class=${`eqp-suits-grid eqp-of-${COMBOS[opened.value].length}`}>
          ${[...COMBOS[opened.value]].reverse().map(suit)}
        </div>
      </dialog>`;

    const numSuits = () => suited.value.filter(Boolean).length;
    const suitTools = () => html`
      <details class="eqp-suit-brush">
        <summary>
          ${numSuits() < ALL_SUITS.length ? t("range.suited.some", { n: numSuits() }) : t("range.suited")}
        </summary>
        <${SuitBrush} chosen=${suited.value} label=${t("range.suited")} onChoose=${(next) => (suited.value = next)} />
        <button class="eq-button" type="button"
          onClick=${() => emit("paint", (weights) => reweighted(weights, suited.value, shareIn(brush.value)))}>
          ${t("range.suited.apply")}
        </button>
      </details>`;
    const tools = () => html`
      <div class="eqp-tools">
        <label class="eqp-slider">
          <span>${t("range.weight")}</span>
          <input type="range" min="0" max="100" step="5" value=${brush.value} aria-label=${t("range.weight.slider")}
            onInput=${(event) => (brush.value = event.target.value)} />
          <input class="eq-field" type="number" min="0" max="100" step="any" value=${brush.value}
            aria-label=${t("range.weight.percent")} onInput=${(event) => (brush.value = event.target.value)} />
          <span aria-hidden="true">${"%"}</span>
        </label>
        <label class="eqp-slider">
          <span>${t("range.best")}</span>
          <input type="range" min="0" max="100" step="0.5" value=${top.value} disabled=${!props.ranking.length}
            aria-label=${t("range.best.slider")} onInput=${look} onChange=${take} />
          <input class="eq-field" type="number" min="0" max="100" step="any" value=${top.value}
            disabled=${!props.ranking.length} aria-label=${t("range.best.percent")} onChange=${take} />
          <span aria-hidden="true">${"%"}</span>
        </label>
        <div class="eq-row eqp-brushes">
          ${BRUSHES.map((weight) => html`
            <button class="eq-button" type="button" key=${weight} onClick=${() => (brush.value = 100 * weight)}
              aria-label=${t("range.brush", { weight: percent(weight) })}
              aria-pressed=${String(shareIn(brush.value) === weight)}>${percent(weight)}</button>`)}
          <button class="eq-button" type="button" onClick=${() => emit("paint", noHands)}>${t("range.clear")}</button>
          <button class="eq-button" type="button" onClick=${() => emit("paint", inverted)}>${t("range.invert")}</button>
        </div>
        ${suitTools()}
      </div>`;

    const combos = () => {
      const n = total(shown.value);
      return t("range.combos", { n: fixed(n, 2, 0), share: percentage(n / NUM_COMBOS) });
    };

    return () => html`
      <div class="eqp-range" role="group" aria-label=${props.label} ref=${root}>
        <${Grid} cells=${cells.value} label=${t("range.grid", { range: props.label })} isPainted
          onStroke=${stroke} onRest=${rest} onOpen=${open} />
        <div class="eqp-count eq-num" aria-live="polite">${combos()}</div>
        ${tools()}${suits()}
        <p class="eq-small eq-muted">${t("range.keys")}</p>
      </div>`;
  },
};
