// Theme and colours of the pages, chosen in this browser and kept there.
// Loaded before anything is drawn, so that no page flashes in the wrong theme.
window.equilibrist = (() => {
  const PREFIX = "equilibrist.";
  const bets = (...stops) => stops;
  const PALETTES = {
    standard: {
      fold: "#3b82f6",
      passive: "#22c55e",
      bets: bets("#f59e0b", "#f97316", "#ef4444", "#ec4899", "#d946ef", "#a855f7", "#8b5cf6"),
      heat: ["#ef4444", "#f97316", "#f59e0b", "#eab308", "#84cc16", "#22c55e", "#10b981"],
      game: ["#3b82f6", "#f59e0b", "#22c55e", "#ec4899", "#8b5cf6", "#14b8a6", "#f97316", "#64748b"],
    },
    classic: {
      fold: "#6da2c0",
      passive: "#8fbc8f",
      bets: bets("#e9967a", "#d9694a", "#b83b26", "#8b1a1a", "#5c1010"),
      heat: ["#c0392b", "#d9774a", "#e6b35c", "#e9d98a", "#b5cf86", "#8fbc8f", "#4f9a6b"],
      game: ["#6da2c0", "#e9967a", "#8fbc8f", "#c58bb0", "#b8a25a", "#7f8fa6", "#b5651d", "#708090"],
    },
    // Okabe and Ito's colours, and the scale of cividis.
    colourblind: {
      fold: "#0072b2",
      passive: "#009e73",
      bets: bets("#f0e442", "#e69f00", "#d55e00", "#cc79a7", "#7b3f77"),
      heat: ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#e6d258", "#fee838"],
      game: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"],
    },
  };

  function read(name, otherwise) {
    try {
      return localStorage.getItem(PREFIX + name) ?? otherwise;
    } catch {
      return otherwise; // storage is switched off
    }
  }
  function keep(name, value) {
    try {
      localStorage.setItem(PREFIX + name, value);
    } catch {
      // It lasts as long as the page.
    }
  }

  let theme = read("theme", "system");
  let palette = read("palette", "standard");
  if (!(palette in PALETTES)) palette = "standard";
  const wish = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (theme === "system" ? wish.matches : theme === "dark");

  function apply() {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    document.documentElement.dataset.palette = palette;
    if (window.Quasar) window.Quasar.Dark.set(isDark());
    window.dispatchEvent(new CustomEvent("palette"));
  }
  wish.addEventListener("change", apply);

  const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  const hexOf = (rgb) => "#" + rgb.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("");
  function along(stops, t) {
    const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
    const k = Math.min(Math.floor(x), stops.length - 2);
    const [a, b] = [channels(stops[k]), channels(stops[k + 1])];
    return hexOf(a.map((c, i) => c + (b[i] - c) * (x - k)));
  }
  function luminance(hex) {
    const [r, g, b] = channels(hex).map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  return {
    get theme() {
      return theme;
    },
    set theme(value) {
      keep("theme", (theme = value));
      apply();
    },
    get palette() {
      return palette;
    },
    set palette(value) {
      keep("palette", (palette = value));
      apply();
    },
    isDark,
    apply,
    // The colour of an action: "fold", "passive" (check, call), "bet:i/n" (the i-th smallest of n
    // bets, i from 0), or "game:i/n" (the i-th action of a game that is not poker).
    actionColour(role) {
      const found = PALETTES[palette];
      const [kind, place] = role.split(":");
      if (kind === "fold" || kind === "passive") return found[kind];
      const [i, n] = place.split("/").map(Number);
      if (kind === "game") return found.game[i % found.game.length];
      return n <= 1 ? found.bets[0] : along(found.bets, i / (n - 1));
    },
    // A colour from bad (0) over even (0.5) to good (1).
    heatColour(t) {
      return along(PALETTES[palette].heat, t);
    },
    // Copies a text, over plain http too, where browsers have no clipboard for scripts; false where
    // that is not allowed. What is copied is selected inside the dialog that is open, if any.
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        const before = document.activeElement;
        const field = document.createElement("textarea");
        field.value = text;
        field.readOnly = true;
        field.style.cssText = "position:fixed;top:0;left:0;width:1px;height:1px;opacity:0";
        (before?.closest?.("dialog, .q-dialog") ?? document.body).append(field);
        field.select();
        const isCopied = document.execCommand("copy");
        field.remove();
        before?.focus?.();
        return isCopied;
      }
    },
    // Black or white, whichever is easier to read on a colour.
    ink(colour) {
      return luminance(colour) > 0.179 ? "#000000" : "#ffffff";
    },
  };
})();
window.equilibrist.apply();
