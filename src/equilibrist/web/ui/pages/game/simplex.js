// Where strategies of a matrix game lie: of two actions on a segment, of three in a triangle, and of
// both players of a 2x2 game in a square.
export const SIZE = 300;
const EDGE = 34;
const [LOW, HIGH] = [EDGE, SIZE - EDGE];
const SIDE = HIGH - LOW;

function triangle(names, player) {
  const tall = (SIDE * Math.sqrt(3)) / 2;
  const tips = [[LOW, EDGE + tall], [HIGH, EDGE + tall], [SIZE / 2, EDGE]];
  return {
    player,
    height: tall + 2 * EDGE,
    frame: tips,
    corners: tips.map(([x, y], k) => ({ x, y: k === 2 ? y - 8 : y + 20, anchor: "middle", text: names[k] })),
    place: (pair) => [0, 1].map((axis) => tips.reduce((sum, tip, k) => sum + tip[axis] * pair[player][k], 0)),
  };
}

function segment(names, player) {
  return {
    player,
    height: 2 * EDGE,
    frame: [[LOW, EDGE], [HIGH, EDGE]],
    corners: [LOW, HIGH].map((x, k) => ({ x, y: EDGE + 22, anchor: "middle", text: names[k] })),
    place: (pair) => [LOW + pair[player][1] * SIDE, EDGE],
  };
}

function square(rows, columns) {
  const corner = (i, k) => ({
    x: k ? SIZE - 2 : 2, y: i ? HIGH + 18 : LOW - 8, anchor: k ? "end" : "start", text: `${rows[i]}, ${columns[k]}`,
  });
  return {
    player: null,
    height: SIZE,
    frame: [[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]],
    corners: [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)],
    place: (pair) => [LOW + pair[1][1] * SIDE, LOW + pair[0][1] * SIDE],
  };
}

// The pictures of a game: frame, corners, and the place of a pair of strategies.
export function picturesOf({ rows, columns }) {
  const found = [];
  if (rows.length === 2 && columns.length === 2) found.push(square(rows, columns));
  for (const [player, names, others] of [[0, rows, columns], [1, columns, rows]]) {
    if (names.length === 3) found.push(triangle(names, player));
    else if (names.length === 2 && others.length !== 2) found.push(segment(names, player));
  }
  return found;
}

export const line = (points) => points.map((point) => point.map((x) => x.toFixed(1)).join(",")).join(" ");

const sum = (xs) => xs.reduce((a, b) => a + b, 0);

// What each action of a player earns, and whether none earns more, but for rounding: of each what it
// is added up of, payoffs times probabilities.
function earnings(actions) {
  const values = actions.map(sum);
  const sizes = actions.map((terms) => sum(terms.map(Math.abs)));
  const best = values.indexOf(Math.max(...values));
  return values.map((value, k) => ({ value, isBest: value >= values[best] - 1e-14 * (sizes[k] + sizes[best]) }));
}

// By player and action: {value, isBest} against the other's average strategy.
export function earningsOf({ payoffs, columns }, [rowsAverage, columnsAverage]) {
  return [
    earnings(payoffs.map((row) => row.map((cell, k) => cell[0] * columnsAverage[k]))),
    earnings(columns.map((_, k) => payoffs.map((row, i) => row[k][1] * rowsAverage[i]))),
  ];
}
