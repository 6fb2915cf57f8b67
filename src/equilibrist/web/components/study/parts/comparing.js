// What differs between two solutions at the same node: figures of both, and what is known of both.
export const between = (here, there) => (here == null || there == null ? null : here - there);

// Rows {label, role, kind, here, there, difference}; kind is "chips" or "share". An action that one
// of the two does not have, or does not know the EV of, has null there, and no difference.
export function differences(here, there) {
  const row = (label, kind, a, b, role = null) => ({ label, role, kind, here: a ?? null, there: b ?? null, difference: between(a, b) });
  const found = [0, 1].flatMap((who) => {
    const seat = who ? "IP" : "OOP";
    return [
      row(`EV ${seat}`, "chips", here.ev[who], there.ev[who]),
      row(`EQ ${seat}`, "share", here.equity[who], there.equity[who]),
      row(`EQR ${seat}`, "share", here.eqr[who], there.eqr[who]),
    ];
  });
  const codes = new Set([...here.actions, ...there.actions].map((action) => action.code));
  for (const code of codes) {
    const [a, b] = [here, there].map((node) => node.actions.findIndex((one) => one.code === code));
    const action = here.actions[a] ?? there.actions[b];
    found.push(row(action.name, "share", here.frequency[a], there.frequency[b], action.role));
    found.push(row(`${action.name} EV`, "chips", here.action_ev[a], there.action_ev[b]));
  }
  return found;
}
