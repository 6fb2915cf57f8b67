// The last hands at a table: what was won over them, each to be replayed, and files of all.
import { place } from "../../core/address.js";
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { amountsOf } from "./amounts.js";
import { tone } from "./result.js";
import { gradeName } from "./words.js";

// What was won, summed up from hand to hand: points in a box of 100 x 40, and the height of nothing.
function curveOf(payoffs) {
  const sums = [0];
  for (const payoff of payoffs) sums.push(sums.at(-1) + payoff);
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const y = (value) => (38 - (36 * (value - low)) / (high - low || 1)).toFixed(2);
  const points = sums.map((value, k) => `${((100 * k) / (sums.length - 1)).toFixed(2)},${y(value)}`);
  return { points: points.join(" "), zero: y(0) };
}

function curve(hands) {
  const { points, zero } = curveOf(hands.map((hand) => hand.payoff).reverse());
  return html`
    <svg class="pl-curve" viewBox="0 0 100 40" preserveAspectRatio="none" role="img"
      aria-label=${t("hands.curve", { n: hands.length })}>
      <line x1="0" x2="100" y1=${zero} y2=${zero} stroke="var(--eq-line)" vector-effect="non-scaling-stroke" />
      <polyline points=${points} fill="none" stroke="var(--eq-accent)" stroke-width="2"
        vector-effect="non-scaling-stroke" />
    </svg>`;
}

function remarks(hand, { value }) {
  const said = [];
  if (hand.worst) said.push(gradeName(hand.worst));
  if (hand.ev_loss) said.push(t("hands.loss", { loss: value(hand.ev_loss) }));
  if (hand.revealed) said.push(t("hands.revealed"));
  return said.join(", ");
}

// Of `table`, a document; requests of it begin with `name`. `replay` is told a hand.
export function hands(table, name, replay) {
  const amounts = amountsOf(table);
  const row = (hand) => html`
    <li key=${hand.hand}>
      <button type="button" aria-label=${t("hands.replay", { hand: hand.hand })} onClick=${() => replay(hand.hand)}>
        <span class="eq-muted">${hand.hand}</span>
        <span>${remarks(hand, amounts)}</span>
        <span class=${tone(hand.payoff)}>${amounts.payoff(hand.payoff)}</span>
      </button>
    </li>`;
  const file = (ending, text) => html`
    <a class="eq-small" href=${place(`api/${name}/hands.${ending}`)} download>${text}</a>`;
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("hands")}</h2>
      ${table.recent.length > 1 && curve(table.recent)}
      <ul class="pl-list">${table.recent.map(row)}</ul>
      <div class="eq-row">
        <span class="eq-small eq-muted">${t("hands.save")}</span>
        ${file("jsonl", t("hands.lines"))}
        ${table.has_histories && file("phhs", t("hands.phh"))}
      </div>
    </section>`;
}
