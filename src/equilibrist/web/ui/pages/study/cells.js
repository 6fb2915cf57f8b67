// How the cells of the grid are drawn at a node: strategies as bars of colours, or one metric as heat.
import { t } from "../../core/texts.js";
import { METRICS, money, percent } from "../../poker/amounts.js";
import { CLASS, CLASS_NAMES } from "../../poker/cards.js";
import { actionColour, heatColour, stacked, stopsOf, WEIGHT_COLOUR } from "../../poker/colours.js";
import { heat, isHeld, twoEvs } from "../../poker/figures.js";
import { backgrounds, numbersOf } from "../../poker/suits.js";
import { barCell, emptyCell } from "../../parts/grid.js";

// Significant digits of chips in a cell, where the pot is less than one.
const BRIEF = 3;
const whole = (colour) => [{ colour, from: 0, to: 100 }];
const UNKNOWN = whole("var(--eq-line)");
const WEIGHT = whole(WEIGHT_COLOUR);

function tall(heights, weight, most) {
  return Math.min(heights === "full" ? 1 : heights === "absolute" ? weight : weight / most, 1);
}

// The figures that are printed in a cell with a strategy.
function figuresOf(one, node, acts, metric) {
  if (metric === "none") return "";
  if (metric !== "evs") return METRICS[metric](one[metric], node.pot, BRIEF);
  if (!acts) return money(one.ev, node.pot, BRIEF);
  return twoEvs(node.actions, one.actionEv).map((ev) => money(ev, node.pot, BRIEF)).join("\n");
}

// Parts of the bar of a cell, its text, and what is said of it.
function contents(one, { node, acts, colours, display, metric, nameOf }) {
  const weight = t("grid.weight", { share: percent(one.weight) });
  if (!one.isHeld) return [UNKNOWN, "", weight];
  if (display === "strategy" && acts) {
    const mixture = node.actions.map((action, a) => `${nameOf(action)} ${percent(one.strategy[a])}`).reverse();
    return [stacked(colours, (a) => one.strategy[a]), figuresOf(one, node, acts, metric), mixture.join(", ")];
  }
  if (display === "strategy") return [WEIGHT, figuresOf(one, node, acts, metric), weight];
  if (display === "weight") return [WEIGHT, percent(one.weight, 0), weight];
  const value = heat(display, one[display], node.pot);
  if (value === null) return [[], "", weight];
  const said = `${t(`metric.${display}`)} ${METRICS[display](one[display], node.pot)}`;
  return [whole(heatColour(value)), METRICS[display](one[display], node.pot, BRIEF), said];
}

// What draws the combos of a cell one by one: how each is coloured, and how high.
function singles({ node, acts, colours, display, heights, who, mask }) {
  const hands = node.hands[who];
  const numbers = numbersOf(hands, mask);
  const most = Math.max(...hands.weight, 1e-12);
  function partsOf(k) {
    if (!isHeld(hands, k) || hands.arrives?.[k] === false) return UNKNOWN;
    if (display === "strategy" && acts) return stacked(colours, (a) => node.strategy[a][k]);
    if (display === "strategy" || display === "weight") return WEIGHT;
    const value = heat(display, hands[display][k], node.pot);
    return value === null ? [] : whole(heatColour(value));
  }
  const height = (k) => tall(heights, hands.weight[k], most);
  return (place) => backgrounds(place, numbers, (k) => stopsOf(partsOf(k)), height);
}

// Whether hands of each class come here; undefined where nobody holds one.
export function arriving({ combos, arrives, gone = [] }) {
  const found = new Array(CLASS_NAMES.length);
  for (const combo of gone) found[CLASS[combo]] = false;
  combos.forEach((combo, k) => (found[CLASS[combo]] ||= arrives?.[k] ?? true));
  return found;
}

// The 169 cells of a player. `view` says what they show; `nameOf` what actions are called.
export function cellsOf(node, who, classes, mask, view, nameOf) {
  const acts = node.player === who;
  const how = { ...view, node, who, mask, acts, nameOf, colours: acts ? node.actions.map(actionColour) : [] };
  const most = Math.max(...classes.map((one) => one?.weight ?? 0), 1e-12);
  const single = view.suits === "individual" ? singles(how) : null;
  const comes = arriving(node.hands[who]);
  return classes.map((one, place) => {
    const name = CLASS_NAMES[place];
    const isOut = comes[place] === false;
    if (!one) return emptyCell(`${name}: ${t(isOut ? "grid.unreached" : "grid.none")}`);
    if (isOut) return barCell(UNKNOWN, 1, `${name}: ${t("grid.unreached")}`);
    const [parts, text, said] = contents(one, how);
    const ev = one.ev === null ? "" : `, ${t("metric.ev.of", { ev: money(one.ev, node.pot) })}`;
    const cell = barCell(parts, tall(view.heights, one.weight, most), `${name}: ${said}${ev}`, text);
    if (!single) return cell;
    const [image, size, at] = single(place);
    return { ...cell, image, size, at, ink: "", text: view.display === "strategy" ? text : "" };
  });
}
