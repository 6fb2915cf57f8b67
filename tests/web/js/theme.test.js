import {
  catalogueOf, helpOf, kept, LANGUAGES, PALETTES, playerColour, readersLanguage, setLanguage, setTaste, taste, THEMES,
} from "/ui/core/theme.js";
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
  "the language is the chosen one, else that of the browser": () => {
    equal(LANGUAGES, ["browser", "en", "zh"]);
    equal([readersLanguage(), document.documentElement.lang], ["en", "en"]);
    try {
      for (const [choice, language] of [["zh", "zh"], ["fr", "en"], ["en-XA", "en-XA"], ["zh-CN", "zh"]]) {
        localStorage.setItem("equilibrist.language", choice);
        equal(readersLanguage(), language);
      }
    } finally {
      localStorage.removeItem("equilibrist.language");
    }
    equal(["en-XA", "zh"].map(helpOf), ["../texts/en-help.js", "../texts/zh-help.js"]);
    equal(["en", "en-XA", "zh"].map(catalogueOf), ["../texts/en.js", "../texts/en.js", "../texts/zh.js"]);
  },
  "a language that is chosen is kept, and told the server": () => {
    setLanguage("zh");
    equal([readersLanguage(), document.cookie], ["zh", "equilibrist_language=zh"]);
    setLanguage("browser");
    equal([readersLanguage(), document.cookie], ["en", ""]);
  },
  "players have colours, however many": () => {
    equal(new Set([0, 1, 2, 3, 4, 5, 6, 7].map(playerColour)).size, 8);
    equal(playerColour(8), playerColour(0));
  },
};
