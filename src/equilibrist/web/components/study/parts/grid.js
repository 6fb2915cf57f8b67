// The 13x13 grid: strategies as stacks of colours, or one metric as a map of heat.
import { inject, onMounted, ref, watch } from "vue";
import { CLASS_NAMES } from "./cards.js";
import { METRICS, chips, heat, percent, twoEvNames, twoEvs } from "./figures.js";
import { colour } from "./store.js";
import { backgrounds, numbersOf } from "./suits.js";

// Significant digits of chips in a cell, where the pot is less than one.
const BRIEF = 3;

export default {
  props: { who: { type: Number, default: null } },
  template: `
    <div><div ref="root" class="eqs-grid" role="grid" :aria-label="label"></div>
      <p v-if="note" class="eqs-note">{{ note }}</p></div>`,
  setup(props) {
    const store = inject("study");
    const root = ref(null);
    const label = ref("Hands");
    const note = ref("");
    const cells = [];
    let reached = 0;
    let hovered = null;
    let pinned = null;

    onMounted(() => {
      for (let row = 0; row < 13; row++) {
        const line = document.createElement("div");
        line.setAttribute("role", "row");
        line.className = "eqs-grid-row";
        for (let column = 0; column < 13; column++) cells.push(cell(line, 13 * row + column));
        root.value.append(line);
      }
      draw();
      mark();
    });
    function cell(line, place) {
      const button = document.createElement("div");
      button.className = "eqs-cell";
      button.setAttribute("role", "gridcell");
      button.tabIndex = place === 0 ? 0 : -1;
      button.dataset.place = place;
      const name = document.createElement("span");
      name.textContent = CLASS_NAMES[place];
      const figure = document.createElement("small");
      button.append(name, figure);
      line.append(button);
      return { button, figure, shown: {} };
    }

    function shown() {
      const node = store.node.value;
      if (!node) return null;
      const who = props.who ?? store.player.value;
      return { node, who, cells: store.cells.value[who], acts: node.player === who };
    }
    function draw() {
      const found = shown();
      if (!found || !cells.length) return;
      const { node, who, acts } = found;
      label.value = `Hands of ${who ? "IP" : "OOP"}`;
      const { display, heights, metric, suits } = store.view;
      const colours = acts ? node.actions.map((action) => colour(action.role)) : [];
      const tall = (weight, most) => Math.min(heights === "full" ? 1 : heights === "absolute" ? weight : weight / most, 1);
      const most = Math.max(...found.cells.map((one) => one?.weight ?? 0), 1e-12);
      const single = suits === "individual" ? singles(found, colours, tall) : null;
      note.value = [
        single ? "In each cell: ♠ ♥ ♦ ♣, by the suit of the higher card, then of the lower one." : "",
        metric === "evs" && display === "strategy" && acts ? `EV of ${twoEvNames(node.actions).join(" above ")}.` : "",
      ].join(" ").trim();
      for (let place = 0; place < 169; place++) {
        const one = found.cells[place];
        paint(cells[place], { one, share: one ? tall(one.weight, most) : 0, colours, display, metric, node, place, acts, single });
      }
    }
    // How each combo of a cell is coloured, and how high.
    function singles({ node, who, acts }, colours, tall) {
      const { display } = store.view;
      const hands = node.hands[who];
      const numbers = numbersOf(hands, store.masks.value[who]);
      const most = Math.max(...hands.weight, 1e-12);
      function stopsOf(k) {
        if (hands.equity[k] === null) return ["var(--eq-line) 0% 100%"];
        if (display === "strategy" && acts) return stack(colours, (a) => node.strategy[a][k]);
        if (display === "strategy" || display === "weight") return ["#eab308 0% 100%"];
        const t = heat(display, hands[display][k], node.pot);
        return t === null ? [] : [`${window.equilibrist.heatColour(t)} 0% 100%`];
      }
      return (place) => backgrounds(place, numbers, stopsOf, (k) => tall(hands.weight[k], most));
    }
    // The most aggressive action at the left.
    function stack(colours, shareOf) {
      const stops = [];
      let from = 0;
      for (let a = colours.length - 1; a >= 0; a--) {
        const to = from + 100 * shareOf(a);
        if (to > from) stops.push(`${colours[a]} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
        from = to;
      }
      return stops;
    }
    function paint(drawn, { one, share, colours, display, metric, node, place, acts, single }) {
      const { button, figure } = drawn;
      let stops = [];
      let said = one ? `${percent(one.weight, 1)} of the combos` : "not held";
      let text = "";
      if (one && one.equity !== null) {
        if (display === "strategy" && acts) {
          stops = stack(colours, (a) => one.strategy[a]);
          said = node.actions.map((action, a) => `${action.name} ${percent(one.strategy[a])}`).reverse().join(", ");
        } else if (display === "strategy" || display === "weight") {
          stops = ["#eab308 0% 100%"];
          if (display === "weight") text = percent(one.weight, 0);
        } else {
          const t = heat(display, one[display], node.pot);
          if (t !== null) {
            const found = window.equilibrist.heatColour(t);
            stops = [`${found} 0% 100%`];
            text = METRICS[display].text(one[display], node.pot, BRIEF);
            said = `${METRICS[display].long} ${METRICS[display].text(one[display], node.pot)}`;
          }
        }
        if (display === "strategy" && metric === "evs") text = acts ? twoEvs(node.actions, one.actionEv).map((ev) => chips(ev, node.pot, BRIEF)).join("\n") : chips(one.ev, node.pot, BRIEF);
        else if (display === "strategy" && metric !== "none") text = METRICS[metric].text(one[metric], node.pot, BRIEF);
      } else if (one) stops = ["var(--eq-line) 0% 100%"];
      const ink = stops.length && share > 0.85 && !single ? inkOn(stops) : "";
      const classes = `eqs-cell${one ? "" : " eqs-empty"}${ink && (ink === "#000000" ? " eqs-black" : " eqs-white")}`;
      const whole = [stops.length ? `linear-gradient(to right, ${stops.join(",")})` : "none", `100% ${(100 * share).toFixed(1)}%`, "bottom"];
      const [bars, height, at] = single && one ? single(place) : whole;
      if (single && display !== "strategy") text = "";
      const name = `${CLASS_NAMES[place]}: ${said}${one?.ev != null ? `, EV ${chips(one.ev, node.pot)}` : ""}`;
      // Only what changes is written: styles of 169 cells cost more than all else on a click.
      const was = drawn.shown;
      if (was.bars !== bars) button.style.backgroundImage = bars;
      if (was.height !== height) button.style.backgroundSize = height;
      if (was.at !== at) button.style.backgroundPosition = at;
      if (was.classes !== classes) {
        button.className = classes;
        if (place === hovered) button.classList.add("eqs-hover");
        if (place === pinned) button.classList.add("eqs-pinned");
      }
      if (was.name !== name) button.setAttribute("aria-label", name);
      if (was.text !== text) figure.textContent = text;
      drawn.shown = { bars, height, at, classes, name, text };
    }
    // Readable on the widest colour; the halo helps on the others.
    function inkOn(stops) {
      let [best, most] = ["", -1];
      for (const stop of stops) {
        const [tint, from, to] = stop.split(" ");
        const wide = parseFloat(to) - parseFloat(from);
        if (wide > most) [best, most] = [tint, wide];
      }
      return best.startsWith("#") ? window.equilibrist.ink(best) : "";
    }
    function mark() {
      const { hover, pinned: held } = store.focus;
      if (hovered !== hover) {
        if (hovered !== null) cells[hovered]?.button.classList.remove("eqs-hover");
        if (hover !== null) cells[hover]?.button.classList.add("eqs-hover");
        hovered = hover;
      }
      if (pinned !== held) {
        if (pinned !== null) cells[pinned]?.button.classList.remove("eqs-pinned");
        if (held !== null) cells[held]?.button.classList.add("eqs-pinned");
        pinned = held;
      }
    }
    const placeOf = (event) => {
      const found = event.target.closest?.("[data-place]");
      return found ? Number(found.dataset.place) : null;
    };
    // A hand that is not held chooses nothing.
    const over = (event) => {
      const place = placeOf(event);
      store.focus.hover = place !== null && shown()?.cells[place] ? place : null;
    };
    const out = () => (store.focus.hover = null);
    const click = (event) => {
      const place = placeOf(event);
      if (place === null) return;
      step(place);
      store.pin(place);
    };
    const focusin = (event) => {
      const place = placeOf(event);
      if (place !== null && event.target.matches(":focus-visible")) store.focus.hover = place;
    };
    function step(place) {
      cells[reached].button.tabIndex = -1;
      reached = place;
      cells[reached].button.tabIndex = 0;
      cells[reached].button.focus({ preventScroll: true });
    }
    const STEPS = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
    function key(event) {
      const by = STEPS[event.key];
      if (by !== undefined) {
        const sideways = Math.abs(by) === 1;
        const to = reached + by;
        const fits = sideways ? Math.floor(to / 13) === Math.floor(reached / 13) : to >= 0 && to < 169;
        if (fits && to >= 0) step(to);
      } else if (event.key === "Enter" || event.key === " ") store.pin(reached);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
    onMounted(() => {
      const element = root.value;
      element.addEventListener("pointerover", over);
      element.addEventListener("pointerleave", out);
      element.addEventListener("click", click);
      element.addEventListener("focusin", focusin);
      element.addEventListener("focusout", out);
      element.addEventListener("keydown", key);
    });
    watch([() => store.cells.value, () => store.player.value, () => ({ ...store.view }), () => store.state.palette, () => props.who], draw, { flush: "post" });
    watch(() => [store.focus.hover, store.focus.pinned], mark, { flush: "sync" });
    return { root, label, note };
  },
};
