import { PALETTES, setTaste } from "/ui/core/theme.js";
import { barCell } from "/ui/parts/grid.js";
import { actionColour, heatColour, ink, inkOn, WEIGHT_COLOUR } from "/ui/poker/colours.js";
import { equal } from "./check.js";

const LEAST = 4.5; // of letters, by WCAG 2
const ACTIONS = [
  { code: "F", role: "fold" }, { code: "X", role: "passive" }, { code: "A", role: "bet:0/1" },
  ...[1, 2, 3, 5].flatMap((n) => Array.from({ length: n }, (_, i) => ({ code: `B${i}`, role: `bet:${i}/${n}` }))),
];
const channel = (s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4);
const luminance = (hex) => [0.2126, 0.7152, 0.0722].reduce(
  (sum, share, k) => sum + share * channel(parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255), 0,
);
function contrast(a, b) {
  const [dark, light] = [a, b].map(luminance).sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
const bar = (...colours) =>
  colours.map((colour, k) => ({ colour, from: (100 * k) / colours.length, to: (100 * (k + 1)) / colours.length }));

function inEachPalette(act) {
  for (const palette of PALETTES) {
    setTaste("palette", palette);
    act(palette);
  }
  setTaste("palette", PALETTES[0]);
}

export default {
  "contrast is that of WCAG": () => {
    equal([contrast("#000000", "#ffffff"), contrast("#ffffff", "#000000")].map(Math.round), [21, 21]);
    equal(contrast("#767676", "#ffffff").toFixed(2), "4.54");
  },
  "letters on one colour can be read": () => inEachPalette((palette) => {
    const shades = Array.from({ length: 101 }, (_, k) => heatColour(k / 100));
    for (const colour of [...ACTIONS.map(actionColour), ...shades, WEIGHT_COLOUR]) {
      const found = inkOn(bar(colour));
      equal([palette, colour, found, contrast(found, colour) >= LEAST], [palette, colour, ink(colour), true]);
    }
  }),
  "letters over several colours can be read on each, or have a halo": () => {
    let halos = 0;
    inEachPalette((palette) => {
      for (const first of ACTIONS.map(actionColour)) {
        for (const second of ACTIONS.map(actionColour)) {
          const found = inkOn(bar(first, second));
          if (found === "") halos += 1;
          else equal([palette, first, second, Math.min(contrast(found, first), contrast(found, second)) >= LEAST],
            [palette, first, second, true]);
        }
      }
    });
    equal(halos > 0, true);
    equal([inkOn(bar("#f59e0b", "#7c3aed")), inkOn(bar("var(--eq-line)"))], ["", ""]);
  },
  "a cell of a strategy is written in the ink of all its colours": () => {
    const [dark, light] = ["#7a1414", "#f59e0b"];
    const inks = [bar(light), bar(dark), bar(light, dark)].map((parts) => barCell(parts, 1, "").ink);
    equal(inks, ["#000000", "#ffffff", ""]);
    equal(barCell(bar(light), 0.5, "").ink, ""); // half of it is the surface
  },
};
