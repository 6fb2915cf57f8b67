// The figures of a session: its score, and the parts of it by spot, street and position.
import { html } from "../../core/html.js";
import { count, percentage } from "../../core/numbers.js";
import { t } from "../../core/texts.js";
import { titleText } from "../../poker/titles.js";
import { grade } from "../play/coach.js";
import { streetName } from "../play/words.js";

const share = (p, digits) => (p === null ? t("play.unknown") : percentage(p, digits));

// The mean EV loss of a score as a share of the pot.
export const lossText = ({ share: mean }) => share(mean && mean.mean, 2);
export const rightText = ({ right }) => share(right, 1);

export function intervalText({ share: mean }) {
  if (!mean || mean.low === null) return t("score.no-interval");
  return t("score.interval", { low: percentage(Math.max(0, mean.low), 2), high: percentage(mean.high, 2) });
}

const fact = (name, value, part, below = null) => html`
  <dt>${name}</dt><dd data-part=${part}>${value}${below !== null && html`<small>${below}</small>`}</dd>`;

// The score of a session, with how many answers had each grade.
export function scorePanel({ score, settings, thresholds }) {
  const most = Math.max(1, ...Object.values(score.grades));
  const of = settings.questions;
  const row = ({ grade: name }) => html`
    <div key=${name}>
      ${grade(name)}
      <i style=${{ width: `${(100 * score.grades[name]) / most}%` }} aria-hidden="true"></i>
      <span data-grade-count=${name}>${score.grades[name]}</span>
    </div>`;
  const answers = of === null ? count(score.answers) : t("training.of", { n: score.answers, all: count(of) });
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("score")}</h2>
      <dl class="pl-figures">
        ${fact(t("score.answers"), answers, "answers")}
        ${fact(t("grades.right"), rightText(score), "right")}
        ${fact(t("training.loss"), lossText(score), "loss", intervalText(score))}
        ${settings.seconds !== null && fact(t("training.late"), count(score.late), "late")}
      </dl>
      <div class="pl-counts">${thresholds.map(row)}</div>
      <p class="eq-small eq-muted">${t("training.about")}</p>
    </section>`;
}

function parts(label, rows) {
  const row = ([name, score, isData]) => html`
    <tr key=${name}>
      <td translate=${isData ? "no" : null}>${name}</td>
      <td class="pl-n">${count(score.answers)}</td>
      <td class="pl-n">${rightText(score)}</td>
      <td class="pl-n">${lossText(score)}</td>
      <td class="pl-n">${intervalText(score)}</td>
    </tr>`;
  return html`
    <section class="eq-panel eq-stack">
      <h2>${label}</h2>
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${label}>
        <table class="pl-table tr-parts">
          <thead><tr>
            <td></td>
            <th scope="col" class="pl-n">${t("score.answers")}</th>
            <th scope="col" class="pl-n">${t("grades.right")}</th>
            <th scope="col" class="pl-n">${t("training.loss")}</th>
            <th scope="col" class="pl-n">${t("training.interval")}</th>
          </tr></thead>
          <tbody>${rows.map(row)}</tbody>
        </table>
      </div>
    </section>`;
}

// What the answers of a session come to by position, street and spot.
export function partPanels({ by_position: positions, by_street: streets, by_source: sources, settings }) {
  const title = ({ source }) => titleText(settings.sources[source].title);
  return [
    parts(t("training.by-position"), positions.map((one) => [one.name, one, true])),
    streets.some(({ name }) => name) &&
      parts(t("training.by-street"), streets.map((one) => [one.name ? streetName(one.name) : t("play.unknown"), one])),
    parts(t("training.by-spot"), sources.map((one) => [title(one), one, true])),
  ];
}
