// Where the strategies of two solutions differ: decisions and hands of spots, infosets, hands of charts.
import { place, word } from "../../core/address.js";
import { html } from "../../core/html.js";
import { count, number, percentage } from "../../core/numbers.js";
import { pieces, t } from "../../core/texts.js";
import { shownName } from "../../parts/labels.js";
import { saveTable } from "../../parts/saving.js";
import { plainName } from "../../poker/actions.js";

const share = (p) => (p === null || p === undefined ? "" : percentage(p));

// Two strategies by action: the first, then the second. `name` gives the text of an action.
function both(first, second, name = (action) => action) {
  const actions = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return html`
    <dl class="cp-both">
      ${actions.map((action) => html`
        <dt key=${`${action}-name`} translate="no">${name(action)}</dt>
        <dd key=${action} class="eq-num">
          ${t("compare.shares", { first: share(first[action] ?? 0), second: share(second[action] ?? 0) })}
        </dd>`)}
    </dl>`;
}

const head = (names) => html`
  <thead><tr>
    ${names.map((name, k) => html`
      <th key=${name} scope="col" class=${k > 1 ? "eq-right" : null}>${t(`compare.head.${name}`)}</th>`)}
  </tr></thead>`;

// A line with a heading, and what is below it as a file: `rows` of {where, first, second, ...figures}.
function headed(text, name, rows) {
  const save = () => saveTable(listed(rows), `${name}.csv`);
  return html`
    <div class="eq-row">
      <h2 class="eq-grow">${text}</h2>
      ${rows.length > 0 && html`
        <button class="eqg-link" type="button" onClick=${save}>${t("file.csv")}</button>`}
    </div>`;
}

// A row for each action, with both frequencies, and what is known of the whole decision.
function listed(rows) {
  const figures = Object.keys(rows[0].figures);
  const heads = ["where", "action", "first", "second", ...figures];
  const cells = ({ where, first, second, figures: known }) =>
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((action) => [
      where, action, first[action] ?? 0, second[action] ?? 0, ...Object.values(known),
    ]);
  return [heads, ...rows.flatMap(cells)];
}

const table = (label, heads, rows) => html`
  <div class="eq-scroll" role="region" tabindex="0" aria-label=${label}>
    <table class="eq-table cp-rows">${head(heads)}<tbody>${rows}</tbody></table>
  </div>`;

const right = (text) => html`<td class="eq-right eq-num">${text}</td>`;

// The line of a decision, which leads to the study of the first solution.
const lineLink = (name, line) => html`
  <a href=${place(`study/${word(name)}`, { line })} translate="no">${line || t("compare.root")}</a>`;

function decision(row, name) {
  return html`
    <tr key=${row.line}>
      <td>${lineLink(name, row.line)} <span class="eq-muted eq-small">${t(`seat.${row.player}`)}</span></td>
      <td>${both(row.solved, row.noted, plainName)}</td>
      ${right(share(row.difference))}${right(share(row.frequency))}${right(number(row.loss, 3))}
    </tr>`;
}

function hand(row, name) {
  return html`
    <tr key=${`${row.line} ${row.hand}`}>
      <td><b translate="no">${row.hand}</b>, ${lineLink(name, row.line)}</td>
      <td>${both(row.solved, row.noted, plainName)}</td>
      ${right(share(row.difference))}${right(share(row.frequency))}${right(number(row.loss, 3))}
      ${right(number(row.ev_difference, 3))}
    </tr>`;
}

// What is not compared: where, how many hands, and why.
function uncompared({ line, hands, code, action, actions, reason }) {
  const written = (text) => html`<span translate="no">${text}</span>`;
  const why = pieces(`compare.left-out.why.${code}`, {
    action: code === "action" ? plainName(action) : written(action),
    actions: actions.map(plainName).join(", "),
    reason: html`<span lang="en" translate="no">${reason}</span>`,
  });
  return pieces("compare.left-out.row", {
    line: line ? written(line) : t("compare.root"),
    hands: t("compare.left-out.hands", { n: hands, count: count(hands) }),
    reason: why,
  });
}

const ofSpot = ({ solved, noted, difference, frequency, loss }, where) =>
  ({ where, first: solved, second: noted, figures: { difference, frequency, loss } });

// Of spots; what the second one does is played against the first one's strategy.
export function spotDifferences(spots, { name }) {
  const [decisions, hands] = [t("compare.decisions"), t("compare.hands")];
  return html`
    <p>${t("compare.cost", { cost: number(spots.cost, 3), pot: number(spots.pot, 10) })}</p>
    ${headed(decisions, "decisions", spots.decisions.map((row) => ofSpot(row, row.line)))}
    ${table(decisions, ["decision", "strategies", "difference", "frequency", "loss"],
      spots.decisions.map((row) => decision(row, name)))}
    ${headed(hands, "hands", spots.hands.map((row) => ofSpot(row, `${row.line} ${row.hand}`)))}
    ${table(hands, ["hand", "strategies", "difference", "frequency", "loss", "ev-difference"],
      spots.hands.map((row) => hand(row, name)))}
    ${spots.left_out.length > 0 && html`
      <details>
        <summary>${t("compare.left-out", { n: spots.left_out.length })}</summary>
        <ul>${spots.left_out.map((one, k) => html`<li key=${k}>${uncompared(one)}</li>`)}</ul>
      </details>`}`;
}

// The key stands beside a name that people read in its place.
const infosetOf = (names) => (row) => html`
  <tr key=${row.infoset}>
    <td><span translate="no">${shownName(names, row.infoset)}</span>${" "}
      ${shownName(names, row.infoset) !== row.infoset && html`
        <span class="eq-muted eq-small" translate="no">${row.infoset}</span>${" "}`}
      <span class="eq-muted eq-small">${row.player !== null && t("game.player", { player: row.player })}</span>
    </td>
    <td>${both(row.first, row.second)}</td>
    ${right(share(row.difference))}${right(share(row.reach))}
  </tr>`;

// Of games: all infosets, what matters most first.
export function gameDifferences(games) {
  const infosets = t("infosets");
  return html`
    ${headed(infosets, "infosets", games.infosets.map(({ infoset: where, first, second, difference, reach }) =>
      ({ where, first, second, figures: { difference, reach } })))}
    <p>${t("compare.differing", { n: games.compared, differing: games.differing, greatest: share(games.greatest) })}</p>
    ${games.infosets.length > 0
      && table(infosets, ["infoset", "strategies", "difference", "reach"],
        games.infosets.map(infosetOf(games.shown_names)))}`;
}

// Of charts: a decision, the classes that differ most first.
export function chartDifferences(charts) {
  const named = (shares) => Object.fromEntries(charts.names.map((name, k) => [name, shares[k]]));
  const hands = t("compare.hands");
  const row = (one) => html`
    <tr key=${one.hand}>
      <td><b translate="no">${one.hand}</b></td>
      <td>${both(named(one.first), named(one.second), plainName)}</td>
      ${right(share(one.difference))}${right(share(one.reach))}
    </tr>`;
  return html`
    ${headed(t("compare.decision", { seat: charts.seat, line: charts.line || t("compare.root") }), "hands",
      charts.hands.map(({ hand, first, second, difference, reach }) =>
        ({ where: hand, first: named(first), second: named(second), figures: { difference, reach } })))}
    ${both(named(charts.first_frequencies), named(charts.second_frequencies), plainName)}
    <p>${t("compare.classes", { n: charts.differing, difference: share(charts.difference) })}</p>
    ${charts.hands.length > 0 && table(hands, ["hand", "strategies", "difference", "reach"], charts.hands.map(row))}`;
}
