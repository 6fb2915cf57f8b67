// What solutions and runs are called, from the numbers and codes of their titles.
import { number, percent } from "../core/numbers.js";
import { t } from "../core/texts.js";

const listed = (texts) => texts.filter(Boolean).join(", ");
const sizes = (bets) => bets?.length && t("title.bets", { sizes: bets.map((bet) => percent(bet)).join(" ") });

// Of a spot: BTN against BB, 3-bet pot, QsJh2h, pot 180, stack 910, bets 52% 70%. Of a game its name.
export function titleText({ game, board, pot, stack, bets, oop, ip, pot_type: kind, rake, ...title }) {
  if (!board) return game ?? title.text;
  return listed([
    oop && ip && t("title.against", { ip, oop }),
    kind && t("title.pot-type", { kind }),
    board,
    t("title.pot", { pot: number(pot, 10), stack: number(stack, 10) }),
    sizes(bets),
    rake && t("title.rake", { rake: percent(rake) }),
    title.has_folded && t("title.folded"),
    title.has_locks && t("title.locks"),
  ]);
}
