// What lies on the table, with the cards that may be seen.
import { html } from "../../core/html.js";
import { pieces, t } from "../../core/texts.js";
import { Card } from "../../parts/cards.js";
import { chips } from "./amounts.js";
import { actionWord, inEnglish, streetName, whoName } from "./words.js";

const HIDDEN = [null, null];

function cards(codes, label = null, isSmall = false) {
  return html`
    <span class="pl-cards" role=${label && "group"} aria-label=${label}>
      ${codes.map((code, k) => html`<${Card} key=${k} code=${code} isSmall=${isSmall} />`)}
    </span>`;
}

const bet = (amount) => html`<span class="pl-bet" data-none=${String(!amount)}>${chips(amount)}</span>`;
const seat = (name) => html`<span translate="no">${name}</span>`;

function who(name, one, says) {
  return html`
    <span class="pl-who">
      <b>${pieces("scene.seated", { who: name, seat: seat(one.seat) })}</b>
      ${says && html`<span class="eq-small eq-num">${says}</span>`}
    </span>`;
}

const behind = (one) => t("scene.behind", { amount: chips(one.behind) });
const folded = (one) => String(one.folded);

function opponents(others) {
  return html`
    <div class="pl-others" role="list" aria-label=${t("scene.opponents")}>
      ${others.map((one) => html`
        <div class="pl-place" role="listitem" key=${one.seat} data-folded=${folded(one)}>
          ${who(whoName(one.name), one, one.folded ? t("scene.folded") : behind(one))}
          ${(one.cards || !one.folded) && cards(one.cards ?? HIDDEN, null, true)}
          ${bet(one.bet)}
        </div>`)}
    </div>`;
}

const opponent = (one) => html`
  <div class="pl-seat" data-folded=${folded(one)}>
    ${who(one.name ? whoName(one.name) : t("play.ai"), one, behind(one))}
    ${cards(one.cards ?? HIDDEN)}
  </div>`;

function street({ street: name, card, moves }, k) {
  const done = moves.flatMap(([who, what], j) => [j ? ", " : "", inEnglish(who), " ", actionWord(what)]);
  return html`
    <span key=${k}>
      <b>${streetName(name)}</b>
      ${card && html`<span translate="no"> ${card}</span>`}: ${moves.length ? done : t("scene.no-action")}
    </span>`;
}

// In the order in which they post and act, from the person's left on.
function seated(players) {
  const at = players.findIndex((one) => one.you);
  return [players[at], [...players.slice(at + 1), ...players.slice(0, at)]];
}

function pot({ total, to_call: call }) {
  const amount = html`<b data-part="pot">${chips(total)}</b>`;
  return html`
    <span class="pl-pot">
      ${call ? pieces("scene.pot.call", { pot: amount, call: chips(call) }) : pieces("scene.pot", { pot: amount })}
    </span>`;
}

function holdem(scene) {
  const [mine, others] = seated(scene.players);
  const isAlone = others.length === 1;
  return html`
    <div class="pl-felt" data-infoset=${scene.infoset}>
      ${isAlone ? opponent(others[0]) : opponents(others)}
      <div class="pl-middle">
        ${isAlone && bet(others[0].bet)}
        ${cards(scene.board, t("scene.board"))}
        ${pot(scene)}
        ${bet(mine.bet)}
      </div>
      <div class="pl-seat" data-folded=${folded(mine)}>
        ${who(t("scene.you"), mine, behind(mine))}
        ${cards(mine.cards ?? HIDDEN, t("scene.cards"))}
      </div>
      <div class="pl-moves">${scene.moves.map(street)}</div>
    </div>`;
}

function game(scene) {
  const you = t("scene.you.player", { player: scene.player });
  return html`
    <div class="pl-felt pl-plain" data-infoset=${scene.infoset}>
      <div class="pl-middle">
        <span class=${{ "eq-muted": true, "eq-small": scene.cards.length > 0 }}>${you}</span>
        ${scene.cards.length > 0 && cards(scene.cards, t("scene.cards"))}
      </div>
      ${scene.board.length > 0 && html`
        <div class="pl-middle">
          <span class="eq-small eq-muted">${t("scene.board")}</span>${cards(scene.board, t("scene.board"))}
        </div>`}
      <dl class="pl-facts">
        ${scene.facts.map(([name, text]) => html`<dt>${inEnglish(name)}</dt><dd>${inEnglish(text)}</dd>`)}
        ${scene.moves?.map((move) => html`<dt>${whoName(move.who)}</dt><dd>${inEnglish(move.word)}</dd>`)}
      </dl>
    </div>`;
}

export const Scene = {
  props: { scene: Object },
  setup: (props) => () => (props.scene.kind === "game" ? game(props.scene) : holdem(props.scene)),
};
