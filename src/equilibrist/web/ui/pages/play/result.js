// What a hand was worth to the reader.
import { html } from "../../core/html.js";
import { t } from "../../core/texts.js";
import { amountsOf } from "./amounts.js";

export const tone = (payoff) => (payoff > 0 ? "pl-win" : payoff < 0 ? "pl-lose" : null);

export function result({ payoff }, place) {
  const { won, withUnit } = amountsOf(place);
  const amount = withUnit(won(Math.abs(payoff)));
  return html`
    <span class=${["pl-result", tone(payoff)]} data-part="result" role="status">
      ${t(payoff < 0 ? "play.lose" : "play.win", { amount })}
    </span>`;
}
