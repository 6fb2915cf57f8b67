// The 13x13 grid of hand classes, drawn by hand: 169 styles cost more than all else on a click.
import { html, onMounted, ref, watch } from "../core/html.js";
import { CLASS_NAMES } from "../poker/cards.js";
import { ink, inkOn, stopsOf } from "../poker/colours.js";

const STEPS = { ArrowUp: -13, ArrowDown: 13, ArrowLeft: -1, ArrowRight: 1 };
const TALL = 0.85; // the share of a cell that a bar has to fill for a text in the ink of its colour

// A cell that nobody holds.
export const emptyCell = (said) =>
  ({ isEmpty: true, image: "none", size: "auto", at: "bottom", said, text: "", ink: "" });

// A cell with one bar: parts {colour, from, to}, and its height as a share of the cell.
export function barCell(parts, share, said, text = "") {
  return {
    isEmpty: false,
    image: parts.length ? `linear-gradient(90deg, ${stopsOf(parts).join(",")})` : "none",
    size: `100% ${(100 * share).toFixed(1)}%`,
    at: "bottom",
    said,
    text,
    ink: parts.length && share > TALL ? inkOn(parts) : "",
  };
}

// The name of the class of ink that a cell is written in.
const inkClass = (colour) => (colour === "" ? "" : colour === ink("#ffffff") ? " eqp-black" : " eqp-white");

// `cells` are 169 of those above, or null while the grid is not seen. `onHover` is told the place of the
// hand under the pointer, or null; `onPin` that which is chosen. Empty cells choose nothing. With
// `isPainted` the pointer paints instead: `onStroke` is told each hand that it comes to and whether that
// is the first one, `onRest` that it rests, `onOpen` a hand whose suits are asked for.
export const Grid = {
  props: { cells: Array, label: String, hover: Number, pinned: Number, isPainted: Boolean },
  emits: ["hover", "pin", "stroke", "rest", "open"],
  setup(props, { emit }) {
    const root = ref(null);
    const made = [];
    let [reached, hovered, pinned] = [0, null, null];
    let painted = null; // the hand that the pointer paints

    function cell(line, place) {
      const button = document.createElement("div");
      button.className = "eqp-cell";
      button.setAttribute("role", "gridcell");
      button.tabIndex = place === 0 ? 0 : -1;
      button.dataset.place = place;
      const name = document.createElement("span");
      name.textContent = CLASS_NAMES[place];
      const figure = document.createElement("small");
      button.append(name, figure);
      line.append(button);
      made.push({ button, figure, was: {} });
    }

    // Only what changes is written.
    function paint({ button, figure, was }, place, one) {
      if (was.image !== one.image) button.style.backgroundImage = one.image;
      if (was.size !== one.size) button.style.backgroundSize = one.size;
      if (was.at !== one.at) button.style.backgroundPosition = one.at;
      if (was.isEmpty !== one.isEmpty || was.ink !== one.ink) {
        button.className = `eqp-cell${one.isEmpty ? " eqp-empty" : ""}${inkClass(one.ink)}`;
        if (place === hovered) button.classList.add("eqp-hover");
        if (place === pinned) button.classList.add("eqp-pinned");
      }
      if (was.said !== one.said) button.setAttribute("aria-label", one.said);
      if (was.text !== one.text) figure.textContent = one.text;
      made[place].was = one;
    }

    function draw() {
      if (!props.cells || !made.length) return;
      props.cells.forEach((one, place) => paint(made[place], place, one));
    }

    function mark() {
      const turn = (place, name, on) => made[place]?.button.classList.toggle(name, on);
      if (hovered !== props.hover) {
        turn(hovered, "eqp-hover", false);
        turn(props.hover, "eqp-hover", true);
        hovered = props.hover;
      }
      if (pinned !== props.pinned) {
        turn(pinned, "eqp-pinned", false);
        turn(props.pinned, "eqp-pinned", true);
        pinned = props.pinned;
      }
    }

    function placeOf(event) {
      const found = event.target.closest?.("[data-place]");
      return found ? Number(found.dataset.place) : null;
    }
    function over(event) {
      const place = placeOf(event);
      emit("hover", place !== null && !props.cells?.[place]?.isEmpty ? place : null);
    }
    function focusin(event) {
      reach(placeOf(event));
      if (event.target.matches(":focus-visible")) emit("hover", placeOf(event));
    }
    function reach(place) {
      if (place === null) return;
      made[reached].button.tabIndex = -1;
      reached = place;
      made[reached].button.tabIndex = 0;
    }
    function step(place) {
      reach(place);
      made[reached].button.focus({ preventScroll: true });
    }
    function click(event) {
      const place = placeOf(event);
      if (place === null || props.isPainted) return;
      step(place);
      emit("pin", place);
    }
    function strokeOf(event) {
      const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]");
      return found && root.value.contains(found) ? Number(found.dataset.place) : null;
    }
    function stroke(place, isFirst) {
      painted = place;
      emit("stroke", place, isFirst);
    }
    function down(event) {
      const place = placeOf(event);
      if (!props.isPainted || event.button > 0 || place === null) return;
      event.preventDefault();
      step(place);
      if (event.shiftKey) {
        emit("open", place);
        return;
      }
      root.value.setPointerCapture(event.pointerId);
      stroke(place, true);
    }
    function move(event) {
      if (painted === null || !event.buttons) return;
      const all = event.getCoalescedEvents?.() ?? [];
      for (const one of all.length ? all : [event]) {
        const place = strokeOf(one);
        if (place !== null && place !== painted) stroke(place, false);
      }
    }
    function up() {
      if (painted === null) return;
      painted = null;
      emit("rest");
    }
    // Enter and the space bar paint one hand, the arrows with Shift those that they come to.
    function dab(place, isFirst) {
      stroke(place, isFirst);
      up();
    }
    function press(name) {
      if (!props.isPainted) emit("pin", reached);
      else if (name === "s") emit("open", reached);
      else dab(reached, true);
    }

    function key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = STEPS[event.key];
      if (by !== undefined) {
        const to = reached + by;
        const isInRow = Math.abs(by) === 13 || Math.floor(to / 13) === Math.floor(reached / 13);
        if (isInRow && to >= 0 && to < 169) {
          step(to);
          if (event.shiftKey && props.isPainted) dab(to, false);
        }
      } else if (event.key === "Home" || event.key === "End") {
        step(13 * Math.floor(reached / 13) + (event.key === "End" ? 12 : 0));
      } else if (event.key === "Enter" || event.key === " ") press(event.key);
      else if (event.key.toLowerCase() === "s" && props.isPainted) press("s");
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    onMounted(() => {
      for (let row = 0; row < 13; row++) {
        const line = document.createElement("div");
        line.setAttribute("role", "row");
        line.className = "eqp-grid-row";
        for (let column = 0; column < 13; column++) cell(line, 13 * row + column);
        root.value.append(line);
      }
      draw();
      mark();
    });
    watch(() => props.cells, draw, { flush: "post" });
    watch(() => [props.hover, props.pinned], mark, { flush: "post" });

    const out = () => emit("hover", null);
    return () => html`
      <div ref=${root} class=${{ "eqp-grid": true, "eqp-painted": props.isPainted }} role="grid" translate="no"
        aria-label=${props.label} onPointerover=${over} onPointerleave=${out} onClick=${click}
        onPointerdown=${down} onPointermove=${move} onPointerup=${up} onPointercancel=${up}
        onFocusin=${focusin} onFocusout=${out} onKeydown=${key}></div>`;
  },
};
