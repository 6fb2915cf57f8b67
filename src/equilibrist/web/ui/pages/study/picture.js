// The node as a picture to post: what is solved, the way, the grid, and how often each action is taken.
import { t } from "../../core/texts.js";
import { shape } from "../../parts/picture.js";
import { amount, percent } from "../../poker/amounts.js";
import { cardText, CLASS_NAMES } from "../../poker/cards.js";
import { actionColour, inkOn, stacked, WEIGHT_COLOUR } from "../../poker/colours.js";

const [CELL, TALL, MARGIN, ROW] = [52, 44, 16, 24]; // pixels
const [GROUND, PAPER, INK, MUTED] = ["#ffffff", "#e2e8f0", "#0f172a", "#475569"];

const words = (x, y, text, size = 14, colour = INK, weight = 400) =>
  shape("text", { x, y, "font-size": size, fill: colour, "font-weight": weight }, text);

// Letters over several colours have an edge of the ground, as those of the page have.
function halo(text) {
  for (const [name, value] of Object.entries({ stroke: GROUND, "stroke-width": 2, "paint-order": "stroke" })) {
    text.setAttribute(name, value);
  }
}

// What each place of the way has chosen: "Check, Bet 94, 8♦".
function wayText({ node, nameOf }) {
  const { way } = node.value;
  const steps = way.map((place, k) => {
    if (place.card) return cardText(place.card);
    return place.chosen === null ? null : nameOf(place.actions[place.chosen], k);
  });
  return steps.filter(Boolean).join(", ");
}

// A cell of the grid: the bar of a class `one`, which may be null, and its name.
function cell(place, one, colours, most) {
  const [x, y] = [MARGIN + CELL * (place % 13), TALL * Math.floor(place / 13)];
  const box = { x, y, width: CELL - 1, height: TALL - 1 };
  const drawn = [shape("rect", { ...box, fill: PAPER })];
  if (!one) return [...drawn, words(x + 4, y + 15, CLASS_NAMES[place], 12, MUTED)];
  const parts = one.strategy && colours.length
    ? stacked(colours, (a) => one.strategy[a])
    : [{ colour: WEIGHT_COLOUR, from: 0, to: 100 }];
  const height = (TALL - 1) * Math.min(one.weight / most, 1);
  drawn.push(shape("rect", { ...box, fill: GROUND }));
  for (const { colour, from, to } of parts) {
    const size = { width: ((CELL - 1) * (to - from)) / 100, height };
    drawn.push(shape("rect", { x: x + ((CELL - 1) * from) / 100, y: y + TALL - 1 - height, ...size, fill: colour }));
  }
  const found = height > TALL - 16 ? inkOn(parts) : "";
  const name = words(x + 4, y + 15, CLASS_NAMES[place], 12, found || INK, 600);
  if (!found) halo(name);
  return [...drawn, name];
}

// The picture, an element, of what `store` shows of a player.
export function nodePicture(store, title) {
  const { node, seat, nameOf } = store;
  const [who, classes] = [store.player.value, store.cells.value[store.player.value]];
  const { board, pot, behind, player, actions, frequency } = node.value;
  const acts = player === who;
  const width = 13 * CELL + 2 * MARGIN;
  const stacks = behind.map((chips) => amount(chips, pot)).join(" / ");
  const lines = [
    [title, 18, INK, 700],
    [board.match(/../g).map(cardText).join(" "), 16, INK, 600],
    [t("picture.pot", { pot: amount(pot, pot), stacks }), 14, MUTED, 400],
    [[t("grid.of", { seat: seat(who) }), wayText(store)].filter(Boolean).join(" · "), 14, MUTED, 400],
  ];
  const head = MARGIN + ROW * lines.length + 8;
  const legend = acts ? actions.length : 0;
  const height = head + 13 * TALL + ROW * legend + MARGIN;
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const picture = shape("svg", { ...size, "font-family": getComputedStyle(document.body).fontFamily });
  picture.append(shape("rect", { width, height, fill: GROUND }));
  lines.forEach(([text, ...look], k) => picture.append(words(MARGIN, MARGIN + ROW * k + 14, text, ...look)));
  const grid = shape("g", { transform: `translate(0 ${head})` });
  const most = Math.max(...classes.map((one) => one?.weight ?? 0), 1e-12);
  const colours = acts ? actions.map(actionColour) : [];
  classes.forEach((one, place) => grid.append(...cell(place, one, colours, most)));
  picture.append(grid);
  actions.slice(0, legend).reverse().forEach((action, k) => {
    const y = head + 13 * TALL + ROW * k + 8;
    const share = percent(frequency[actions.indexOf(action)]);
    picture.append(shape("rect", { x: MARGIN, y, width: 14, height: 14, fill: actionColour(action) }));
    picture.append(words(MARGIN + 22, y + 12, t("picture.action", { action: nameOf(action), share })));
  });
  return picture;
}
