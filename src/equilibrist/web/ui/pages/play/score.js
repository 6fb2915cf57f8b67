// The score of a table or a drill: payoffs with intervals, AIVAT, grades.
import { html } from "../../core/html.js";
import { count, fixed, percentage } from "../../core/numbers.js";
import { hasText, t } from "../../core/texts.js";
import { amountsOf, unitName } from "./amounts.js";
import { grade } from "./coach.js";
import { gradeName, holdingsOf, stakeName } from "./words.js";

const fact = (name, value, part = null, below = null) => html`
  <dt>${name}</dt><dd data-part=${part}>${value}${below !== null && html`<small>${below}</small>`}</dd>`;

const share = (p, digits) => (p === null ? t("play.unknown") : percentage(p, digits));

// What was won at a table, its document.
export function won(table) {
  const { score } = table;
  const { mean, interval, payoff } = amountsOf(table);
  const own = score.hands ? score.payoff : null;
  const aivat = score.hands ? score.aivat : null;
  const hasAivat = score.aivat !== null;
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("score")}</h2>
      <dl class="pl-figures">
        ${fact(t("score.hands"), count(score.hands), "hands")}
        ${fact(t(`score.won.${unitName(table)}`), payoff(score.total), "total")}
        ${fact(t("score.hand"), mean(own), "mean", interval(own))}
        ${fact(t("score.hundred"), mean(own, 100), null, interval(own, 100))}
        ${hasAivat && fact(t("score.aivat"), mean(aivat), "aivat", interval(aivat))}
        ${hasAivat && fact(t("score.aivat.hundred"), mean(aivat, 100), null, interval(aivat, 100))}
        ${score.revealed > 0 && fact(t("score.revealed"), t("score.revealed.hands", { n: score.revealed }))}
        ${score.expected !== null && fact(t("score.expected"), mean({ mean: score.expected }))}
      </dl>
      <p class="eq-small eq-muted">${t(hasAivat ? "score.about.aivat" : "score.about")}</p>
    </section>`;
}

// How many answers a drill, a document, has had.
export function answered(drill) {
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("score")}</h2>
      <dl class="pl-figures">
        ${fact(t("score.answers"), count(drill.score.answers), "hands")}
        ${fact(t("score.drilled"), holdingsOf(drill, drill.infosets))}
      </dl>
    </section>`;
}

function limits(thresholds) {
  const one = ({ grade: name, most }) => {
    const values = { grade: gradeName(name), most: most === null ? "" : `${fixed(100 * most, 2, 0)}` };
    return t(most === null ? "grades.beyond" : "grades.to", values);
  };
  return thresholds.map(one).join(", ");
}

function graded(place) {
  const { value } = amountsOf(place);
  const played = percentage(place.played, 0);
  const values = { stake: stakeName(place.stake_name), limits: limits(place.thresholds), played };
  if (!(place.error > 0)) return t("grades.about", values);
  const measure = `measured.${place.measure_name}`;
  const name = hasText(measure) ? t(measure) : t("measured.error");
  return t("grades.about.error", { ...values, measure: name, error: value(place.error) });
}

// How the choices at a table or in a drill were graded.
export function choices(place) {
  const { score } = place;
  const { value, withUnit } = amountsOf(place);
  const most = Math.max(1, ...Object.values(score.grades));
  const loss = score.ev_loss ? withUnit(value(score.ev_loss.mean)) : t("play.unknown");
  const below = score.share
    ? t("grades.share", { share: percentage(score.share.mean, 2), stake: stakeName(place.stake_name) })
    : "";
  const row = ({ grade: name }) => html`
    <div key=${name}>
      ${grade(name)}
      <i style=${{ width: `${(100 * score.grades[name]) / most}%` }} aria-hidden="true"></i>
      <span data-grade-count=${name}>${score.grades[name]}</span>
    </div>`;
  return html`
    <section class="eq-panel eq-stack">
      <h2>${t("grades")}</h2>
      <dl class="pl-figures">
        ${fact(t("grades.right"), share(score.right, 1), "right")}
        ${fact(t("grades.loss"), loss, "loss", below)}
      </dl>
      <div class="pl-counts">${place.thresholds.map(row)}</div>
      <p class="eq-small eq-muted">${graded(place)}</p>
    </section>`;
}
