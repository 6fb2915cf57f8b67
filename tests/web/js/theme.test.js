import { kept, PALETTES, playerColour, setTaste, taste, THEMES } from "/ui/core/theme.js";
import { equal } from "./check.js";

export default {
  "tastes are kept and applied": () => {
    equal([taste("theme"), taste("palette")], [THEMES[0], PALETTES[0]]);
    const { dataset } = document.documentElement;
    for (const theme of ["dark", "light"]) {
      setTaste("theme", theme);
      equal([dataset.theme, kept("theme", "")], [theme, theme]);
    }
    setTaste("palette", "colourblind");
    equal(dataset.palette, "colourblind");
    setTaste("theme", "system");
    setTaste("palette", "standard");
  },
  "players have colours, however many": () => {
    equal(new Set([0, 1, 2, 3, 4, 5, 6, 7].map(playerColour)).size, 8);
    equal(playerColour(8), playerColour(0));
  },
};
