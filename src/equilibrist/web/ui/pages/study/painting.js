// Locks that are painted: at each node which hands take which shares of its actions.
import { reactive, ref } from "../../core/html.js";
import { CLASS, CLASS_NAMES, comboName } from "../../poker/cards.js";
import { stacked } from "../../poker/colours.js";
import { barCell } from "../../parts/grid.js";
import { evenShares, isPlayable } from "./shares.js";

const FREE = "var(--eq-line)"; // what the solver decides
const MARK = "linear-gradient(var(--eq-ink) 0 0)"; // above what is painted
const HIGH = "4px";

// Shares as one text: 25|75, and nothing for an action that is free.
const keyOf = ({ shares, on }) => shares.map((share, a) => (on[a] ? share : "")).join("|");
const sharesOf = (key) => key.split("|").map((share) => (share === "" ? null : Number(share)));

// A lock for each node: LINE: HANDS = ACTION SHARE, ...; HANDS = ...
export function lockTexts(painted) {
  return Object.entries(painted).flatMap(([line, { names, hands }]) => {
    const byShares = new Map();
    for (const [combo, key] of Object.entries(hands)) byShares.set(key, [...(byShares.get(key) ?? []), combo]);
    if (!byShares.size) return [];
    const parts = [...byShares].map(([key, combos]) => {
      const shares = sharesOf(key).map((share, a) => (share === null ? null : `${names[a]} ${share}%`));
      return `${combos.map((combo) => comboName(Number(combo))).join(",")} = ${shares.filter(Boolean).join(", ")}`;
    });
    return [`${line}: ${parts.join("; ")}`];
  });
}

// The cells of a grid with what is painted on them: `hands` from combos to shares, of those `held`.
export function paintedCells(cells, held, hands, colours, said) {
  const classes = new Map();
  for (const combo of held) {
    const key = hands[combo];
    const one = classes.get(CLASS[combo]) ?? { all: 0, painted: 0, sums: colours.map(() => 0) };
    one.all += 1;
    if (key !== undefined) {
      one.painted += 1;
      sharesOf(key).forEach((share, a) => (one.sums[a] += share ?? 0));
    }
    classes.set(CLASS[combo], one);
  }
  return cells.map((cell, place) => {
    const one = classes.get(place);
    if (!one?.painted) return cell;
    const parts = stacked(colours, (a) => one.sums[a] / (100 * one.painted));
    const end = parts.at(-1)?.to ?? 0;
    if (end < 99.99) parts.push({ colour: FREE, from: end, to: 100 });
    const text = one.painted < one.all ? `${one.painted}/${one.all}` : "";
    const { image, size, at, ...rest } = barCell(parts, 1, said(CLASS_NAMES[place], one), text);
    return { ...rest, image: `${MARK}, ${image}`, size: `100% ${HIGH}, ${size}`, at: `top, ${at}` };
  });
}

// `store` has the node; `change` is told what is painted by now, and whether that is one step with the
// change before.
export function openPainting({ node, masks, totals }, painted, change) {
  const isOn = ref(false);
  const brush = reactive({ shares: [], on: [], touched: [] });
  let isClearing = false;

  // The brush has what the range plays here.
  function begin() {
    const { actions, player } = node.value;
    const frequency = totals.value[player].frequency;
    const shares = actions.map((_, a) => Number((100 * (frequency[a] ?? 1 / actions.length)).toFixed(1)));
    Object.assign(brush, evenShares(shares));
    isOn.value = true;
  }
  const here = () => painted.value[node.value.line]?.hands ?? {};
  function put(combos, key, isSameStep) {
    const { line, actions } = node.value;
    const hands = { ...here() };
    for (const combo of combos) {
      if (key === null) delete hands[combo];
      else hands[combo] = key;
    }
    change({ ...painted.value, [line]: { names: actions.map(({ name }) => name), hands } }, isSameStep);
  }
  // Those of a class that the filters leave.
  function combosOf(place) {
    const { hands, player } = node.value;
    return hands[player].combos.filter((combo, k) => masks.value[player][k] && CLASS[combo] === place);
  }
  // The first hands decide: those that have what the brush has are cleared, others get it.
  function stroke(combos, isFirst) {
    if (!combos.length || !isPlayable(brush)) return;
    const key = keyOf(brush);
    if (isFirst) isClearing = combos.every((combo) => here()[combo] === key);
    put(combos, isClearing ? null : key, !isFirst);
  }
  return {
    isOn, brush, begin, here,
    end: () => (isOn.value = false),
    stroke: (place, isFirst) => stroke(combosOf(place), isFirst),
    dab: (combo) => stroke([combo], true),
    clear: () => put(Object.keys(here()), null, false),
  };
}
