// What solutions and runs are called, from the numbers and codes of their titles.
import { number, percent } from "../core/numbers.js";
import { hasText, t } from "../core/texts.js";
import { gameName } from "./games.js";

const CHARTS = ["push-fold", "multiway", "preflop", "blueprint"];
const isOfHands = ({ kind, stacks }) => CHARTS.includes(kind) && Boolean(stacks);

const ownName = ({ game, text }) => game ?? text;

const listed = (texts) => texts.filter(Boolean).join(", ");

// What a kind of pot is called: 3-bet, limped.
export const potTypeName = (kind) => (hasText(`pot-type.${kind}`) ? t(`pot-type.${kind}`) : kind);
const potText = (kind) => kind && t("title.pot-type", { kind: potTypeName(kind) });
const sizes = (bets) => bets?.length && t("title.bets", { sizes: bets.map((bet) => percent(bet)).join(" ") });

// Of a spot: BTN against BB, 3-bet pot, QsJh2h, pot 180, stack 910, bets 52% 70%. Of a game its name.
export function titleText(title) {
  if (isOfHands(title)) return t(`title.${title.kind}`, { about: handsText(title, { blinds: title.has_blinds }) });
  return title.board ? spotText(title) : gameName(ownName(title));
}

// Who plays: BTN against BB, where that is known; SB, BB and BTN, or three players.
function seatsText({ kind, oop, middle, ip }) {
  if (kind !== "three") return oop && ip && t("title.against", { ip, oop });
  return oop && middle && ip ? t("title.three.seats", { oop, middle, ip }) : t("title.three");
}
// The stack behind; where they are not alike each of them, in the order of acting.
const stacksText = ({ stack, stacks }) =>
  (stack === null && stacks ? stacks : [stack]).map((chips) => number(chips, 10)).join(" / ");

// The same of a spot, also of one without a board.
export function spotText({ board, pot, bets, pot_type: kind, rake, ...title }) {
  return listed([
    seatsText(title),
    potText(kind),
    board,
    t("title.pot", { pot: number(pot, 10), stack: stacksText(title) }),
    sizes(bets),
    rake && t("title.rake", { rake: percent(rake) }),
    title.has_folded && t("title.folded"),
    title.has_locks && t("title.locks"),
  ]);
}

// Where board, pot and stacks are in sight: BTN against BB, 3-bet pot. Else all of it.
export function shortTitle(title) {
  const { oop, ip, pot_type: kind } = title;
  if (!oop || !ip) return titleText(title);
  return listed([seatsText(title), potText(kind)]);
}

// Of hands before the flop: 3 seats, 8 / 15 / 25 bb, payouts 50 / 30, by their keys as they were typed. Stacks are
// in chips where there are blinds.
export function handsText({ stacks, ante, big_blind_ante: bigAnte, payouts, ...title }, { blinds, bets }) {
  if (!stacks) return title.text;
  const amounts = (all) => all.map((one) => number(one, 6)).join(" / ");
  const all = new Set(stacks).size === 1 ? stacks.slice(0, 1) : stacks;
  return listed([
    t("title.seats", { n: stacks.length }),
    t(blinds ? "title.stacks.chips" : "title.stacks", { stacks: amounts(all) }),
    ante && t("title.ante", { ante: number(ante, 6) }),
    bigAnte && t("title.big-blind-ante", { ante: number(bigAnte, 6) }),
    payouts && t("title.payouts", { payouts: amounts(payouts) }),
    bets && t("title.bets", { sizes: bets }),
  ]);
}

// Whether the text of a title is data, such as the name of a game of one's own.
export const isNamed = (title) =>
  !title.board && !isOfHands(title) && gameName(ownName(title)) === ownName(title);
