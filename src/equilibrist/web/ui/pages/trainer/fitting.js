// What a session is asked to have, and which solutions fit.
export const STREETS = ["preflop", "flop", "turn", "river"];
// The stack in pots at the beginning of a spot: from, up to.
export const STACKS = { any: null, short: [0, 3], middle: [3, 8], deep: [8, 1e9] };
export const CLOCKS = ["", "10", "20", "30", "60"];
export const COUNTS = ["10", "20", "50", "100", ""];
export const TABLES = ["1", "2", "3", "4"];
export const DIFFICULTIES = ["any", "clear", "mixed"];
const SEATS = ["SB", "BB", "UTG", "HJ", "CO", "BTN"]; // in the order in which they act after the flop

export const FIRST_FORM = {
  positions: [], streets: [], stacks: "any", difficulty: "any", first: "", tables: "1", seconds: "", questions: "20",
  solutions: [],
};

// The positions that spots and examples have, in the order in which they act.
export function positionsOf(solutions, examples) {
  const titles = examples.filter(({ kind }) => kind === "spot").map(({ title }) => [title.oop, title.ip]);
  const named = [...solutions.map(({ positions }) => positions ?? []), ...titles].flat().filter(Boolean);
  const rank = (name) => (SEATS.includes(name) ? SEATS.indexOf(name) : SEATS.length);
  return [...new Set(named)].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

const isIn = (chosen, names) => !chosen.length || names.some((name) => chosen.includes(name));

// The solutions that a form asks for: those that are chosen, or all spots that fit.
export function fitting(solutions, form) {
  const range = STACKS[form.stacks];
  const isLimited = form.positions.length > 0 || form.streets.length > 0 || range !== null;
  return solutions.filter(({ solution, positions, spr, street }) => {
    const isChart = street === "preflop";
    const isAsked = positions && (!isChart || form.streets.includes(street));
    if (form.solutions.length ? !form.solutions.includes(solution) : !isAsked) return false;
    if (!positions) return !isLimited;
    const follows = isChart ? [street] : STREETS.slice(STREETS.indexOf(street));
    return isIn(form.positions, positions) && isIn(form.streets, follows) &&
      (!range || (spr !== null && spr >= range[0] && spr <= range[1]));
  });
}

const listOr = (list) => (list.length ? list : null);
const numberOr = (text) => (text ? Number(text) : null);

// The request for the session of a form.
export const requestOf = (form) => ({
  solutions: listOr(form.solutions),
  positions: listOr(form.positions),
  streets: listOr(form.streets),
  spr: STACKS[form.stacks],
  difficulty: form.difficulty,
  first: form.first === "first",
  tables: Number(form.tables),
  seconds: numberOr(form.seconds),
  questions: numberOr(form.questions),
});
