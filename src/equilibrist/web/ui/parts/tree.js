// The drawn tree of a small game: infosets joined, edges with probabilities. It is moved by dragging
// or the arrow keys, and spread by the buttons, + and -; texts keep their size.
import { place } from "../core/address.js";
import { computed, html, nextTick, reactive, ref, watch } from "../core/html.js";
import { number, share } from "../core/numbers.js";
import { can, follow } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { playerColour } from "../core/theme.js";
import { shownName, shownWay } from "./labels.js";
import { Notice } from "./notice.js";
import { savePicture } from "./picture.js";
import { ofPlayer, playerName } from "./players.js";

const MARGIN = 28;
const LINE = 15; // from one line of text to the next
const NEAR = 46; // pixels between two edges whose texts would touch
const [HIGH, MIDDLE, LOW] = [0.42, 0.6, 0.78];
const STEP = 60;
const ARROWS = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

function title(node, names) {
  const { kind, player, shownInfoset: infoset, payoffs } = node;
  const values = { way: node.way, player: playerName(names, player), infoset };
  if (kind === "terminal") {
    return t("tree.terminal", { ...values, payoffs: payoffs.map((x) => number(x)).join(", ") });
  }
  return t(kind === "chance" ? "tree.chance" : "tree.decision", values);
}

// Lines between the histories of each infoset, from one to the next.
function joins(nodes, infosets) {
  return infosets.flatMap(({ key, player, nodes: members }) => {
    const order = members.map((i) => nodes[i]).sort((a, b) => a.y - b.y || a.x - b.x);
    return order.slice(1).map((b, k) => {
      const a = order[k];
      const bend = a.y === b.y ? "L" : `Q${(a.x + b.x) / 2 + 40} ${(a.y + b.y) / 2} `;
      return { key, player, d: `M${a.x} ${a.y}${bend}${b.x} ${b.y}` };
    });
  });
}

// Where on each edge its text stands, from 0 above to 1 below: by turns higher and lower where the
// edges of a history lie so close that their texts would touch.
function heights(nodes) {
  const families = new Map();
  for (const node of nodes.slice(1)) {
    families.set(node.parent, [...(families.get(node.parent) ?? []), node]);
  }
  const places = new Map();
  for (const children of families.values()) {
    const isNear = children.some((node, k) => k && (node.x - children[k - 1].x) * MIDDLE < NEAR);
    children.forEach((node, k) => places.set(node, isNear ? (k % 2 ? LOW : HIGH) : MIDDLE));
  }
  return places;
}

function edges(nodes, rows, response) {
  const places = heights(nodes);
  return nodes.slice(1).map((node) => {
    const above = nodes[node.parent];
    const clear = node.kind === "terminal" ? LINE : 2 * LINE - 2; // pixels above the node below it
    const at = Math.min(places.get(node), 1 - clear / (node.y - above.y));
    const p = rows?.[above.infoset]?.[node.action] ?? node.probability;
    const isTheirs = Boolean(response) && response.player === above.player;
    const isBest = isTheirs && response.actions[above.infoset] === node.action;
    return {
      x1: above.x, y1: above.y, x2: node.x, y2: node.y,
      lx: (1 - at) * above.x + at * node.x, ly: (1 - at) * above.y + at * node.y,
      action: node.shownAction, probability: p, isBest, width: isBest ? 5 : p === null ? 1.3 : 0.7 + 2.3 * p,
    };
  });
}

function mark(node) {
  const { x, y, player, shownInfoset: infoset, payoffs } = node;
  if (node.kind === "chance") return html`<path d=${`M${x} ${y - 12}l12 12l-12 12l-12 -12z`} />`;
  if (node.kind === "decision") {
    return html`
      <circle cx=${x} cy=${y} r="12" fill=${playerColour(player)} />
      <text class="eqg-inner" x=${x} y=${y + 5}>${player}</text>
      <text class="eqg-name" x=${x + 15} y=${y + 5}>${infoset}</text>`;
  }
  return html`
    <circle class="eqg-end" cx=${x} cy=${y} r="3.5" />
    ${payoffs.map((payoff, p) => html`
      <text class=${`eqg-payoff eqg-of-${p % 8}`} x=${x} y=${y + LINE * (p + 1.2)}>${number(payoff, 4)}</text>`)}`;
}

// What is drawn, apart from where: it is drawn again only if one of its properties changes.
const Drawing = {
  props: {
    nodes: Array, infosets: Array, infoset: String, rows: Object, names: Array, shown: Object, response: Object,
    choose: null,
  },
  setup: (props) => () => html`
    <g>
      ${joins(props.nodes, props.infosets).map(({ key, player, d }) => html`
        <path class=${["eqg-join", { "eqg-lit": key === props.infoset }]} d=${d} stroke=${playerColour(player)}>
          <title>${t("tree.infoset", { infoset: shownName(props.shown, key) })}</title>
        </path>`)}
      ${edges(props.nodes, props.rows, props.response).map((edge) => html`
        <line class=${["eqg-edge", { "eqg-best": edge.isBest, "eqg-never": edge.probability === 0 && !edge.isBest }]}
          x1=${edge.x1} y1=${edge.y1} x2=${edge.x2} y2=${edge.y2} stroke-width=${edge.width} />`)}
      ${props.nodes.map((node) => html`
        <g class=${["eqg-node", { "eqg-lit": node.kind === "decision" && node.infoset === props.infoset }]}
          onClick=${() => props.choose(node)}>
          <title>${title(node, props.names)}</title>
          ${mark(node)}
        </g>`)}
      ${edges(props.nodes, props.rows).map((edge) => html`
        <g class="eqg-label">
          <text x=${edge.lx} y=${edge.ly}>${edge.action}</text>
          ${edge.probability !== null && html`
            <text class="eq-num" x=${edge.lx} y=${edge.ly + LINE - 2}>${share(edge.probability)}</text>`}
        </g>`)}
    </g>`,
};

const legend = (tree, names) => html`
  <span class="eq-row eq-small">
    ${Array.from({ length: tree.num_players }, (_, p) => html`
      <span class="eqg-key"><i style=${{ background: playerColour(p) }}></i>${ofPlayer(names, p)}</span>`)}
    <span class="eqg-key"><b></b>${t("game.chance")}</span>
    <span class="eqg-key"><u></u>${t("tree.joined")}</span>
  </span>`;

const button = (text, act, name = null) => html`
  <button class="eq-button" type="button" onClick=${act} aria-label=${name}>${text}</button>`;

// Below the tree of the part that follows `moves`; `whole` leads to the whole, and `names` are what
// people read for outcomes.
export const partOf = (moves, whole, names) => moves.length > 0 && html`
  <p class="eq-small">
    ${pieces("tree.part", { way: html`<span translate="no">${shownWay(names, moves, ", ")}</span>` })}${" "}
    ${button(t("tree.whole"), whole)}
  </p>`;

// The tree of `source`, such as `games/kuhn`, below `moves`; `infoset` is marked in it, and edges have
// the probabilities of `rows`, {infoset: {action: probability}}, if given. That of a solution shows
// best responses; `stamp` is that of its file, and another that has taken its name is not drawn.
export const GameTree = {
  props: {
    source: String,
    stamp: { type: String, default: "" },
    names: { type: Array, default: () => [] },
    moves: { type: Array, default: () => [] },
    infoset: { type: String, default: "" },
    rows: { type: Object, default: null },
    label: String,
    height: { type: Number, default: 460 },
    file: { type: String, default: "" }, // what the picture and the table are called that are saved
  },
  emits: ["choose"],
  setup(props, { emit }) {
    const area = ref(null);
    const at = reactive({ x: 0, y: 0 });
    const spread = reactive({ x: 1, y: 1 }); // pixels for each unit of the document
    const asked = () => ({ move: props.moves, stamp: props.stamp });
    const best = ref("");
    const { document: tree, error } = follow(() => [`${props.source}/tree`, asked()], ({ best_responses: found }) => {
      if (!(best.value in (found ?? {}))) best.value = "";
      nextTick(fit);
    });
    const response = computed(() => {
      const found = best.value === "" ? null : tree.value?.best_responses?.[best.value];
      return found ? { player: Number(best.value), actions: found.actions } : null;
    });
    const choose = (node) => !held?.moved && emit("choose", node);
    const called = computed(() => {
      const { nodes: all = [], shown_names: shown } = tree.value ?? {};
      return all.map((node) => ({
        ...node, shownAction: shownName(shown, node.action), shownInfoset: shownName(shown, node.infoset),
        way: shownWay(shown, node.history, ", "),
      }));
    });
    const nodes = computed(() =>
      called.value.map((node) => ({ ...node, x: node.x * spread.x, y: node.y * spread.y })));
    let held = null;

    function fit() {
      if (!area.value || !tree.value) return;
      const { width, height } = tree.value;
      const { clientWidth, clientHeight } = area.value;
      spread.x = Math.min(Math.max((clientWidth - 2 * MARGIN) / width, 0.5), 1.4);
      spread.y = Math.min(Math.max((clientHeight - 2.5 * MARGIN) / height, 0.6), 1.4);
      at.x = Math.max((clientWidth - spread.x * width) / 2, MARGIN);
      at.y = MARGIN;
      showLit();
    }

    // Move the drawing so that what is marked is in sight.
    function showLit() {
      const lit = props.infoset && tree.value?.infosets.find((one) => one.key === props.infoset);
      if (!area.value || !lit) return;
      const { clientWidth, clientHeight } = area.value;
      const spots = lit.nodes.map((i) => nodes.value[i]);
      const left = Math.min(...spots.map((node) => node.x)) + at.x;
      const right = Math.max(...spots.map((node) => node.x)) + at.x;
      const top = Math.min(...spots.map((node) => node.y)) + at.y;
      if (left < 20 || right > clientWidth - 40) at.x += clientWidth / 2 - (left + right) / 2;
      if (top < 20 || top > clientHeight - 40) at.y += clientHeight / 2 - top;
    }

    function zoom(factor) {
      const middle = { x: area.value.clientWidth / 2, y: area.value.clientHeight / 2 };
      for (const axis of ["x", "y"]) {
        const wider = Math.min(Math.max(spread[axis] * factor, 0.15), 5);
        at[axis] = middle[axis] - ((middle[axis] - at[axis]) * wider) / spread[axis];
        spread[axis] = wider;
      }
    }

    function press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow) {
        at.x += arrow[0];
        at.y += arrow[1];
      } else if (event.key === "+" || event.key === "=") zoom(1.25);
      else if (event.key === "-") zoom(0.8);
      else if (event.key === "0") fit();
      else return;
      event.preventDefault();
    }

    function grab(event) {
      held = { x: event.clientX - at.x, y: event.clientY - at.y, id: event.pointerId, moved: false };
    }

    function drag(event) {
      if (!held || event.pointerId !== held.id) return;
      const [x, y] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(x - at.x, y - at.y) < 4) return;
      if (!held.moved) area.value.setPointerCapture(event.pointerId);
      held.moved = true;
      [at.x, at.y] = [x, y];
    }

    // Only then: the click that follows a drag chooses nothing.
    const drop = () => setTimeout(() => (held = null));

    watch(() => props.infoset, showLit);
    const responses = () => html`
      <label class="eq-row">${t("tree.best")}
        <select class="eq-field eqg-best-of" value=${best.value} disabled=${!tree.value?.best_responses}
          onChange=${(event) => (best.value = event.target.value)}>
          <option value="">${t("tree.best.nobody")}</option>
          ${Object.entries(tree.value?.best_responses ?? {}).map(([player, { value }]) => html`
            <option value=${player} translate="no">
              ${t("tree.best.of", { player: playerName(props.names, Number(player)), value: number(value, 4) })}
            </option>`)}
        </select>
      </label>`;
    const files = () => html`
      <span class="eq-grow"></span>
      <button class="eq-button" type="button" onClick=${() => savePicture(area.value.querySelector("svg"), props.file)}>
        ${t("file.picture")}
      </button>
      ${can("csv") && html`<a href=${place(`api/${props.source}/tree.csv`, asked())} download>${t("file.csv")}</a>`}`;
    const name = computed(() => (tree.value ? t("tree.name", { n: tree.value.nodes.length }) : props.label));

    return () => html`
      <section class="eq-stack" aria-label=${props.label}>
        <div class="eq-row">
          ${button("+", () => zoom(1.25), t("tree.larger"))}
          ${button("−", () => zoom(0.8), t("tree.smaller"))}
          ${button(t("tree.fit"), fit)}
          ${props.source.startsWith("solutions/") && responses()}
          ${props.file && tree.value && files()}
        </div>
        ${error.value && html`<${Notice} error=${error.value} />`}
        <div class="eqg-drawing" ref=${area} tabindex="0" role="group" data-keys translate="no"
          style=${{ height: `${props.height}px` }} aria-label=${name.value} onKeydown=${press}
          onPointerdown=${grab} onPointermove=${drag} onPointerup=${drop} onPointercancel=${drop}>
          ${tree.value && html`
            <svg width="100%" height="100%">
              <g transform=${`translate(${at.x} ${at.y})`}>
                <${Drawing} nodes=${nodes.value} infosets=${tree.value.infosets} infoset=${props.infoset}
                  rows=${props.rows} names=${props.names} shown=${tree.value.shown_names}
                  response=${response.value} choose=${choose} />
              </g>
            </svg>`}
        </div>
        <div class="eq-row eqg-legend">
          <span class="eq-grow"></span>
          ${tree.value && legend(tree.value, props.names)}
        </div>
        ${response.value && html`
          <p class="eq-small eq-muted">
            ${pieces("tree.best.about", { player: ofPlayer(props.names, response.value.player) })}
          </p>`}
      </section>`;
  },
};
