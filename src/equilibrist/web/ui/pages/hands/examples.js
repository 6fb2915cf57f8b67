// What forms begin with, and examples that fill them: texts by field. The first of a kind is shown at once.
export const EXAMPLES = {
  "push-fold": [
    { name: "heads-up", texts: { seats: "2", stack: "10" } },
    { name: "three", texts: { seats: "3", stack: "10" } },
    { name: "ante", texts: { seats: "4", stack: "12", big_blind_ante: "1" } },
    { name: "bubble", texts: { seats: "3", stacks: "8, 15, 25", payouts: "50, 30", others: "12" } },
  ],
};
