// What differs between two solutions at the same node: figures of both, and what is known of both.
const between = (here, there) => (here == null || there == null ? null : here - there);

// Rows {what, who | action, kind, here, there, difference}; kind is "chips" or "share". An action that
// one of the two does not have, or does not know the EV of, has null there, and no difference.
export function differences(here, there) {
  const row = (what, kind, a, b, of) =>
    ({ what, kind, here: a ?? null, there: b ?? null, difference: between(a, b), ...of });
  const found = [0, 1].flatMap((who) => [
    row("ev", "chips", here.ev[who], there.ev[who], { who }),
    row("equity", "share", here.equity[who], there.equity[who], { who }),
    row("eqr", "share", here.eqr[who], there.eqr[who], { who }),
  ]);
  const codes = new Set([...here.actions, ...there.actions].map((action) => action.code));
  for (const code of codes) {
    const [a, b] = [here, there].map((node) => node.actions.findIndex((one) => one.code === code));
    const action = here.actions[a] ?? there.actions[b];
    found.push(row("frequency", "share", here.frequency[a], there.frequency[b], { action }));
    found.push(row("action-ev", "chips", here.action_ev[a], there.action_ev[b], { action }));
  }
  return found;
}
