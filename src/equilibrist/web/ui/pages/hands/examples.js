// What forms begin with, and examples that fill them: texts by field. The first of a kind is shown at once.
export const EXAMPLES = {
  "push-fold": [
    { name: "heads-up", texts: { seats: "2", stack: "10" } },
    { name: "three", texts: { seats: "3", stack: "10" } },
    { name: "ante", texts: { seats: "4", stack: "12", big_blind_ante: "1" } },
    { name: "bubble", texts: { seats: "3", stacks: "8, 15, 25", payouts: "50, 30", others: "12" } },
  ],
  multiway: [
    { name: "three-deep", texts: { seats: "3", stack: "20", bets: "2x, a", raises: "a", deals: "500000" } },
    { name: "blinds", texts: { seats: "2", stack: "25", bets: "2.5x, a", raises: "a", deals: "1e6" } },
    { name: "limit", texts: { seats: "3", stack: "30", limit: "limit", raise_cap: "2", deals: "500000" } },
  ],
  preflop: [
    {
      name: "sample",
      texts: { stack: "10", last_street: "flop", bets: "2x, a|50%, a", raises: "a", flops: "20", target: "5mbb" },
    },
    { name: "before", texts: { stack: "20", last_street: "preflop", bets: "2.5x, a", raises: "a", target: "1mbb" } },
    {
      name: "all-flops",
      texts: { stack: "10", last_street: "flop", bets: "2x, a|50%, a", raises: "a", target: "5mbb" },
    },
  ],
  cards: [
    { name: "usual-buckets", texts: { buckets: "169/200/200/200" } },
    { name: "fine-buckets", texts: { buckets: "169/1000/1000/1000", kinds: "histogram/potential/potential/ochs" } },
    { name: "short-buckets", texts: { buckets: "20/50/50/50", deck: "T" } },
  ],
  blueprint: [
    { name: "two-blueprint", texts: { stack: "20", bets: "100%, a", raises: "100%, a", seconds: "30m" } },
    { name: "three-blueprint", texts: { seats: "3", stack: "10", bets: "a", raises: "a", seconds: "30m" } },
    { name: "limit-blueprint", texts: { stack: "24", limit: "limit", seconds: "1h" } },
  ],
  flops: [
    { name: "some-flops", texts: { flops: "25", target: "1%" } },
    { name: "more-flops", texts: { flops: "95", target: "1%", keep: "first-street" } },
    { name: "textures", texts: { boards: "AhKd2c, 8h7h6h, QsQd4c, Tc9d2h", target: "0.5%", keep: "first-street" } },
  ],
};
