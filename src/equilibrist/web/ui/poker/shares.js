// Shares of actions, in percent, that are set one after the other and add up to 100.

// Those that follow when one is set: whoever has not been set takes what is left, in the proportion
// that they had; of two actions the other always follows. What was set stays as it is.
export function followed(shares, touched, moved) {
  const found = [...shares];
  const set = new Set([...touched, moved]);
  const all = shares.map((_, a) => a).filter((a) => a !== moved);
  const free = shares.length === 2 ? all : all.filter((a) => !set.has(a));
  if (!free.length) return found;
  const sum = (places) => places.reduce((total, a) => total + (Number(shares[a]) || 0), 0);
  const fixed = shares.map((_, a) => a).filter((a) => !free.includes(a));
  const left = Math.min(Math.max(100 - sum(fixed), 0), 100);
  const before = sum(free);
  let rest = left;
  free.forEach((a, n) => {
    const exact = before ? (left * shares[a]) / before : left / free.length;
    const share = n === free.length - 1 ? rest : Math.round(10 * exact) / 10;
    found[a] = Number(Math.min(share, rest).toFixed(4));
    rest -= found[a];
  });
  return found;
}
