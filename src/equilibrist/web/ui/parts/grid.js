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
// hand under the pointer, or null; `onPin` that which is chosen. Empty cells choose nothing.
export const Grid = {
  props: { cells: Array, label: String, hover: Number, pinned: Number },
  emits: ["hover", "pin"],
  setup(props, { emit }) {
    const root = ref(null);
    const made = [];
    let [reached, hovered, pinned] = [0, null, null];

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
      if (event.target.matches(":focus-visible")) emit("hover", placeOf(event));
    }
    function step(place) {
      made[reached].button.tabIndex = -1;
      reached = place;
      made[reached].button.tabIndex = 0;
      made[reached].button.focus({ preventScroll: true });
    }
    function click(event) {
      const place = placeOf(event);
      if (place === null) return;
      step(place);
      emit("pin", place);
    }
    function key(event) {
      const by = STEPS[event.key];
      if (by !== undefined) {
        const to = reached + by;
        const isInRow = Math.abs(by) === 13 || Math.floor(to / 13) === Math.floor(reached / 13);
        if (isInRow && to >= 0 && to < 169) step(to);
      } else if (event.key === "Enter" || event.key === " ") emit("pin", reached);
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
      <div ref=${root} class="eqp-grid" role="grid" translate="no" aria-label=${props.label}
        onPointerover=${over} onPointerleave=${out} onClick=${click} onFocusin=${focusin} onFocusout=${out}
        onKeydown=${key}></div>`;
  },
};
