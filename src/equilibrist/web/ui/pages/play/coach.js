// What the coach says of a choice: its grade and loss, the EV of each action, the solution's frequencies.
import { place } from "../../core/address.js";
import { html } from "../../core/html.js";
import { percentage } from "../../core/numbers.js";
import { anyOf, pieces, t } from "../../core/texts.js";
import { roleColour } from "../../poker/colours.js";
import { amountsOf, chips } from "./amounts.js";
import { actionWord, gradeName, stakeName } from "./words.js";

const NAMED = 2; // actions of a mixture in a sentence, above the table that has all
const RARELY = 0.005; // a share that rounds to 0 %
const MARKS = { best: "✓", correct: "✓", inaccuracy: "≈", mistake: "✗", blunder: "✗✗" };

export const grade = (name) => html`
  <span class="pl-grade" data-grade=${name}><span aria-hidden="true">${MARKS[name]}</span>${gradeName(name)}</span>`;

// A page that a document names by its address.
export function pageOf(address) {
  const [path, query] = address.replace(/^\//, "").split("?");
  return `${place(path)}${query ? `?${query}` : ""}`;
}

const share = (p) => (p === null ? t("play.unknown") : percentage(p));

// To which bets of the solution one of another size is mapped.
export function mappedWords(mapped) {
  if (mapped.exact) return t("bet.exact");
  const one = ({ word, probability }) =>
    pieces("bet.mapped.to", { word: actionWord(word), probability: percentage(probability) });
  const values = { amount: chips(mapped.amount), share: percentage(mapped.share) };
  return pieces("bet.mapped", { ...values, to: anyOf(mapped.shares.map(one)) });
}

// What is said where no EV is lost: if the solution mixes, between which actions, as scores go by EV alone.
function withoutLoss({ actions, chosen }, values) {
  const taken = actions.filter(({ frequency }) => frequency >= RARELY).sort((a, b) => b.frequency - a.frequency);
  const most = taken.slice(0, NAMED).map(({ word, frequency }, k) =>
    html`${k ? ", " : ""}<span>${actionWord(word)} ${percentage(frequency, 0)}</span>`);
  const mixture = taken.length > NAMED ? [most, ", …"] : most;
  const isNever = taken.length > 0 && (actions[chosen].frequency ?? 1) < RARELY;
  if (isNever) return ["coach.no-loss.never", { ...values, mixture }];
  return taken.length > 1 ? ["coach.no-loss.mixed", { ...values, mixture }] : ["coach.no-loss", values];
}

// `said` of a choice at `place`, a table or a drill; `isDrilled` says that its drill is open here.
export const Coach = {
  props: { said: Object, place: Object, isDrilled: Boolean },
  setup(props) {
    const amounts = () => amountsOf(props.place);
    const word = (k) => actionWord(props.said.actions[k].word);

    function sentence() {
      const { said } = props;
      const { value, withUnit } = amounts();
      const values = { word: word(said.chosen), loss: withUnit(value(said.ev_loss)) };
      if (said.ev_loss === null) return pieces(said.grade ? "coach.by-frequency" : "coach.no-evs", values);
      if (said.estimated) return pieces("coach.estimated", values);
      if (value(said.ev_loss) === value(0)) return pieces(...withoutLoss(said, values));
      const isBest = said.grade === "best";
      const best = isBest ? "" : word(said.best);
      if (said.share === null) return pieces(isBest ? "coach.loss" : "coach.loss.best", { ...values, best });
      const held = { ...values, best, share: percentage(said.share, 2), stake: stakeName(said.stake_name) };
      return pieces(isBest ? "coach.share" : "coach.share.best", held);
    }

    function mapped() {
      const { said } = props;
      const key = said.ev_loss === null ? "coach.goes-on" : "coach.judges";
      const values = { word: word(said.chosen), amount: chips(said.mapped.amount) };
      return html`
        <div class="eq-small" data-part="mapped">${mappedWords(said.mapped)} ${pieces(key, values)}</div>`;
    }

    function row({ word: name, ev, error, frequency, role }, k) {
      const { value } = amounts();
      const named = k === props.said.chosen ? pieces("coach.chosen", { word: actionWord(name) }) : actionWord(name);
      const bar = { width: `${100 * (frequency || 0)}%`, background: roleColour(role, name) };
      return html`
        <tr key=${k} data-chosen=${String(k === props.said.chosen)}>
          <td>${named}</td>
          <td class="pl-n">${value(ev)}${error > 0 ? ` ± ${value(error)}` : ""}</td>
          <td class="pl-n">${share(frequency)}</td>
          <td class="pl-share" aria-hidden="true"><span style=${bar}></span></td>
        </tr>`;
    }

    const table = () => html`
      <table class="pl-table">
        <thead><tr>
          <th scope="col">${t("coach.action")}</th>
          <th scope="col" class="pl-n">${t("coach.ev")}</th>
          <th scope="col" class="pl-n">${t("coach.solution")}</th>
          <td aria-hidden="true"></td>
        </tr></thead>
        <tbody>${props.said.actions.map(row)}</tbody>
      </table>`;

    const isKnown = () => props.said.actions.some((one) => one.ev !== null || one.frequency !== null);

    return () => html`
      <div class="pl-said" data-part="said">
        ${props.said.grade && grade(props.said.grade)}
        <span>${sentence()}</span>
        ${props.said.study && html`<a href=${pageOf(props.said.study)}>${t("coach.study")}</a>`}
        ${props.said.drill && !props.isDrilled && html`<a href=${pageOf(props.said.drill)}>${t("coach.drill")}</a>`}
      </div>
      ${props.said.mapped && !props.said.mapped.exact && mapped()}
      ${isKnown() && table()}`;
  },
};
