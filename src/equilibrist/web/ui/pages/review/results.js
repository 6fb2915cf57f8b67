// What a review says: totals, and the decisions that fit the filters, the worst first.
import { onReturn, said, say } from "../../core/address.js";
import { computed, html, reactive, ref, watch } from "../../core/html.js";
import { hasHelp } from "../../core/help.js";
import { count, number, percent } from "../../core/numbers.js";
import { hasText, language, pieces, t } from "../../core/texts.js";
import { cards } from "../../parts/cards.js";
import { saveTable } from "../../parts/saving.js";
import { Decision, Grade, lossText, named } from "./decision.js";

const STREETS = ["preflop", "flop", "turn", "river"];
const GRADES = ["best", "correct", "inaccuracy", "mistake", "blunder"];
const FILTERS = ["street", "position", "player", "grade"];
const COLUMNS = [
  "hand", "player", "position", "street", "cards", "board", "line", "played", "best", "loss", "loss_bb", "loss_percent",
  "prize_loss", "error", "frequency", "grade", "pot", "big_blind", "against", "notes", "reason", "why",
]; // as `hands review --csv` has them
const PAGE = 50; // decisions that are shown at a time
const UNJUDGED = "unjudged";

function read() {
  const filters = FILTERS.map((name) => [name, said().one(name)]);
  return { ...Object.fromEntries(filters), open: said().number("open", -1) };
}

const TOTALS = {
  street: ({ by_street: totals }) => Object.entries(totals),
  position: ({ by_position: totals }) => Object.entries(totals),
  player: ({ by_player: totals }) => Object.entries(totals),
};

const nameOf = (kind, name) => (kind === "street" && hasText(`street.${name}`) ? t(`street.${name}`) : name);

function totals(review, kind) {
  const rows = TOTALS[kind](review);
  const label = t(`review.by.${kind}`);
  return html`
    <div class="eq-scroll" role="region" tabindex="0" aria-label=${label}>
      <table class="eq-table rv-totals">
        <thead><tr>
          <th scope="col">${label}</th>
          <th scope="col" class="eq-right">${t("review.decisions")}</th>
          <th scope="col" class="eq-right">${t("review.loss")}</th>
          <th scope="col" class="eq-right">${t("review.mean")}</th>
        </tr></thead>
        <tbody>
          ${rows.map(([name, total]) => html`
            <tr key=${name}>
              <th scope="row" translate=${kind === "street" ? null : "no"}>${nameOf(kind, name)}</th>
              <td class="eq-right">${count(total.judged)}</td>
              <td class="eq-right">${t("review.bb", { amount: number(total.loss_bb, 3) })}</td>
              <td class="eq-right">
                ${total.mean_loss_percent !== null && percent(total.mean_loss_percent / 100)}
              </td>
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}

// What is wrong with a hand; what it says stays as it is written, and other programs speak English.
function faultText({ fault, values }) {
  const shown = {};
  for (const [name, value] of Object.entries(values)) {
    if (name === "verb") shown[name] = t(`review.fault-verb.${value}`);
    else if (name === "street") shown[name] = t(`street.${value}`).toLocaleLowerCase(language);
    else shown[name] = html`<span lang=${name === "detail" ? "en" : null} translate="no">${value}</span>`;
  }
  return pieces(`review.fault.${fault}`, shown);
}

// A hand that is left out: which, and why. Reviews of before and of later may have other codes.
function unread({ number: k, name, line, code, reason, fault, values }) {
  const isKnown = hasHelp(`review.fault.${fault}`) && hasText(`review.left-out.why.${code}`);
  const sentence = html`<span lang="en" translate="no">${reason}</span>`;
  return pieces("review.left-out.row", {
    name: html`<span translate="no">${name || k}</span>`,
    line,
    reason: isKnown ? pieces(`review.left-out.why.${code}`, { reason: faultText({ fault, values }) }) : sentence,
  });
}

function summary({ hands, total, grades, unjudged, left_out: left, complete }) {
  const { mean_loss_percent: mean } = total;
  const facts = [
    ["hands", count(hands)],
    ["judged", count(total.judged)],
    ["loss", t("review.bb", { amount: number(total.loss_bb, 4) })],
    ["mean", mean === null ? t("play.unknown") : t("review.of-pot", { share: percent(mean / 100) })],
  ];
  return html`
    <dl class="eqg-facts eqg-inline">
      ${facts.map(([name, text]) => html`
        <div key=${name}><dt>${t(`review.total.${name}`)}</dt><dd class="eq-num">${text}</dd></div>`)}
    </dl>
    ${!complete && html`<p class="eq-warn">${t("review.incomplete")}</p>`}
    <ul class="rv-grades" aria-label=${t("grades")}>
      ${GRADES.map((grade) => html`
        <li key=${grade}><${Grade} grade=${grade} /> <span class="eq-num">${count(grades[grade] ?? 0)}</span></li>`)}
    </ul>
    ${Object.keys(unjudged).length > 0 && html`
      <details>
        <summary>${t("review.unjudged", { n: total.unjudged, count: count(total.unjudged) })}</summary>
        <ul>
          ${Object.entries(unjudged).map(([reason, n]) => html`
            <li key=${reason}>${t("review.reason", { reason: t(`review.reason.${reason}`), count: count(n) })}</li>`)}
        </ul>
      </details>`}
    ${left.length > 0 && html`
      <details class="rv-left-out">
        <summary>${t("review.left-out", { n: left.length, count: count(left.length) })}</summary>
        <ul>${left.map((hand, k) => html`<li key=${k}>${unread(hand)}</li>`)}</ul>
      </details>`}`;
}

function fits(decision, { street, position, player, grade }) {
  if (street && decision.street !== street) return false;
  if (position && decision.position !== position) return false;
  if (player && decision.player !== player) return false;
  if (grade === UNJUDGED) return decision.reason !== null;
  return decision.reason === null && (!grade || decision.grade === grade);
}

// `judges` are the names of solutions that can be looked at, `job` that of the run; empty for a file.
export const Results = {
  props: { review: Object, judges: Array, job: { type: String, default: "" } },
  setup(props) {
    const asked = reactive(read());
    const most = ref(PAGE);
    const numbered = props.review.decisions.map((decision, number) => ({ ...decision, number }));
    const fitting = computed(() => numbered.filter((decision) => fits(decision, asked)));

    onReturn(() => Object.assign(asked, read()));
    watch(() => ({ ...asked }), (now) => {
      say({ job: props.job, ...now, open: now.open < 0 ? "" : now.open });
    });

    const of = (kind) => [...new Set(numbered.map((decision) => decision[kind]))];
    const choices = {
      street: STREETS.filter((street) => of("street").includes(street)),
      position: of("position"),
      player: of("player"),
      grade: [...GRADES, UNJUDGED],
    };
    const textOf = (kind, value) => {
      if (kind === "grade") return t(value === UNJUDGED ? "review.not-judged" : `grade.${value}`);
      return nameOf(kind, value);
    };

    const filter = (kind) => html`
      <label class="eq-row" key=${kind}>${t(`review.by.${kind}`)}
        <select class="eq-field" value=${asked[kind]} onChange=${(event) => {
          [asked[kind], most.value] = [event.target.value, PAGE];
        }}>
          <option value="">${t("review.all")}</option>
          ${choices[kind].map((value) => html`
            <option key=${value} value=${value} translate=${["position", "player"].includes(kind) ? "no" : null}>
              ${textOf(kind, value)}
            </option>`)}
        </select>
      </label>`;

    const toggle = (number) => (asked.open = asked.open === number ? -1 : number);

    function row(decision) {
      const { number: at, hand, player, position, street, cards: held, board } = decision;
      const isOpen = asked.open === at;
      const where = named(decision);
      return html`
        <tr key=${at} class=${{ "rv-open": isOpen }}>
          <td>
            <button class="eqg-link" type="button" aria-expanded=${String(isOpen)} onClick=${() => toggle(at)}>
              ${t("review.hand", { hand })}
            </button>
            <div class="eq-small eq-muted" translate="no">${player}</div>
          </td>
          <td>
            <span translate="no">${position}</span><div class="eq-small eq-muted">${nameOf("street", street)}</div>
          </td>
          <td class="rv-cards">${cards(held.match(/../g) ?? [])}</td>
          <td class="rv-cards rv-board">${cards(board.match(/../g) ?? [])}</td>
          <td>${where.played}</td>
          <td>${where.best}</td>
          <td class="eq-right eq-num">${lossText(decision)}</td>
          <td>${decision.grade && html`<${Grade} grade=${decision.grade} />`}</td>
        </tr>
        ${isOpen && html`
          <tr key=${`${at}-open`}>
            <td colspan="8"><${Decision} decision=${decision} judges=${props.judges} job=${props.job} /></td>
          </tr>`}`;
    }

    const HEADS = ["hand", "position", "cards", "board", "played", "best", "loss", "grade"];
    const list = () => html`
      <div class="eq-scroll" role="region" tabindex="0" aria-label=${t("review.decisions")}>
        <table class="eq-table rv-decisions">
          <thead><tr>
            ${HEADS.map((head) => html`
              <th key=${head} scope="col" class=${{ "eq-right": head === "loss" }}>${t(`review.head.${head}`)}</th>`)}
          </tr></thead>
          <tbody>${fitting.value.slice(0, most.value).map(row)}</tbody>
        </table>
      </div>`;

    function save() {
      const cells = (decision) =>
        COLUMNS.map((name) => (name === "notes" ? decision.notes.join("; ") : decision[name]));
      saveTable([COLUMNS, ...fitting.value.map(cells)], `${["review", props.job].filter(Boolean).join("-")}.csv`);
    }

    const isMany = props.review.players.length > 1;
    const judged = () => html`
      <div class="rv-groups">
        ${totals(props.review, "street")}
        ${totals(props.review, "position")}
        ${isMany && totals(props.review, "player")}
      </div>
      <h2>${t("review.worst")}</h2>
      <div class="eq-row">
        ${FILTERS.filter((kind) => kind !== "player" || isMany).map(filter)}
        <span class="eq-grow"></span>
        <span class="eq-muted eq-num" role="status">
          ${t("review.shown", { n: fitting.value.length, count: count(fitting.value.length) })}
        </span>
        <button class="eqg-link" type="button" onClick=${save}>${t("file.csv")}</button>
      </div>
      ${list()}
      ${fitting.value.length > most.value && html`
        <button class="eq-button rv-wide" type="button" onClick=${() => (most.value += PAGE)}>
          ${t("review.more-rows")}
        </button>`}`;

    return () => html`
      ${summary(props.review)}
      ${numbered.length ? judged() : html`<p>${t("review.no-decisions")}</p>`}`;
  },
};
