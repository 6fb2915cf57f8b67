// One decision of a review: what the solution does there, and where that is looked at.
import { place, word } from "../../core/address.js";
import { html } from "../../core/html.js";
import { number, percent, percentage } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { plainName } from "../../poker/actions.js";
import { Replay } from "./replay.js";

export const Grade = {
  props: { grade: String },
  setup: (props) => () => html`<span class="rv-grade" data-grade=${props.grade}>${t(`grade.${props.grade}`)}</span>`,
};

// What was played and what is best, in words.
export const named = ({ played, best }) => ({ played: plainName(played), best: best === null ? "" : plainName(best) });

// The loss in big blinds, with its share of the pot; empty where it was not judged.
export function lossText({ loss_bb: loss, loss_percent: share }) {
  if (loss === null) return "";
  return t("review.loss-of", { amount: number(loss, 3), share: percent(share / 100) });
}

// The page that shows the decision in the solution; null for a spot that the review has solved and not kept.
function studyPlace({ against, place: at }, judges, job) {
  const isKept = job && against?.startsWith(`review-${job}-`);
  if (!at || !(judges.includes(against) || isKept)) return null;
  const { kind, line, board, hand } = at;
  if (kind === "spot") return place(`study/${word(against)}`, { line, hand });
  return place(`charts/${word(against)}`, { line, board });
}

const actions = ({ actions: all, best, big_blind: blind }) => html`
  <table class="eq-table rv-actions">
    <thead><tr>
      <th scope="col">${t("review.action")}</th>
      <th scope="col" class="eq-right">${t("review.solution")}</th>
      <th scope="col" class="eq-right">${t("review.loss")}</th>
    </tr></thead>
    <tbody>
      ${all.map(({ action, frequency, loss }) => html`
        <tr key=${action} class=${{ "rv-best": action === best }}>
          <th scope="row">${plainName(action)}</th>
          <td class="eq-right eq-num">${percentage(frequency)}</td>
          <td class="eq-right eq-num">${t("review.bb", { amount: number(loss / blind, 3) })}</td>
        </tr>`)}
    </tbody>
  </table>`;

const noteList = (notes) => html`
  <ul class="eq-small rv-list" lang="en" translate="no">
    ${notes.map((note) => html`<li key=${note}>${note}</li>`)}
  </ul>`;

export const Decision = {
  props: { decision: Object, judges: Array, job: String },
  setup: (props) => () => {
    const { decision, judges, job } = props;
    const study = studyPlace(decision, judges, job);
    const { line, reason, why, notes, against, frequency, pot, big_blind: blind } = decision;
    return html`
      <div class="rv-decision">
        <div class="eq-stack">
          <p class="eq-small">
            ${t("review.pot", { pot: number(pot / blind, 4) })}
            ${line && html`<span class="eq-mono rv-line" translate="no"> ${line}</span>`}
          </p>
          ${reason && html`
            <p>${t(`review.reason.${reason}`)}: <span lang="en" translate="no">${why}</span></p>`}
          ${!reason && actions(decision)}
          ${!reason && html`
            <p class="eq-small eq-muted">
              ${t("review.frequency", { share: percentage(frequency) })}${" "}
              ${t("review.against")} <span translate="no">${against}</span>
            </p>`}
          ${notes.length > 0 && noteList(notes)}
          ${study && html`<a href=${study}>${t("review.study")}</a>`}
        </div>
        ${job && html`<${Replay} job=${job} decision=${decision} />`}
      </div>`;
  },
};
