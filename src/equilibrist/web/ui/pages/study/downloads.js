// What is seen as a file: the hands as CSV, the node as JSON; a range as text for other programs.
import { html, ref } from "../../core/html.js";
import { can, Refusal, send } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { comboName } from "../../poker/cards.js";
import { rangeText } from "../../poker/figures.js";
import { titleText } from "../../poker/titles.js";
import { Notice } from "../../parts/notice.js";
import { picturePoints, pictureText } from "../../parts/picture.js";
import { copyText, saveFile, saveTable, saveText } from "../../parts/saving.js";
import { nodePicture } from "./picture.js";

const SAID = 3000; // milliseconds

export const Downloads = {
  props: { store: Object },
  setup({ store }) {
    const { node, nodes, player, masks, query } = store;
    const told = ref("");
    const problem = ref(null);
    const menu = ref(null);
    const fileName = (suffix) => `${nodes.name}-${node.value.line.replaceAll("|", "_") || "root"}${suffix}`;

    function hands() {
      const who = player.value;
      const held = node.value.hands[who];
      const actions = node.value.player === who ? node.value.actions : [];
      const ofThree = actions.length ? ["ev"] : []; // of three there are EVs of the one who acts alone
      const figures = store.isOfThree ? ofThree : ["equity", "ev", "eqr"];
      const rows = [[
        "hand", "made_hand", "draw", "weight", ...figures,
        ...actions.flatMap(({ name }) => [`${name} freq`, `${name} ev`]),
      ]];
      masks.value[who].forEach((one, k) => {
        if (!one) return;
        const { made_hands: made, draws, strategy, action_evs: evs } = node.value;
        rows.push([
          comboName(held.combos[k]), made[held.made[k]], draws[held.draw[k]],
          held.weight[k], ...figures.map((name) => held[name][k]),
          ...actions.flatMap((_, a) => [strategy[a][k], evs[a][k]]),
        ]);
      });
      saveTable(rows, fileName(`-${store.seats[who]}.csv`));
    }
    async function json() {
      saveText(JSON.stringify(await nodes.ask("node", query()), null, 1), fileName(".json"), "application/json");
    }
    const picture = () => nodePicture(store, titleText(store.solution.title));
    const drawing = () => saveText(pictureText(picture()), fileName(".svg"), "image/svg+xml");
    const points = async () => saveFile(await picturePoints(picture()), fileName(".png"));
    async function report() {
      const { runouts } = await nodes.runouts(node.value.line);
      const heads = Object.keys(runouts[0]);
      saveTable([heads, ...runouts.map((row) => heads.map((key) => row[key]))], fileName("-cards.csv"));
    }
    async function copy() {
      const text = rangeText(node.value.hands[player.value], masks.value[player.value]);
      const range = text ? (await send("POST", "ranges/read", { text })).range : "";
      say(t((await copyText(range)) ? "save.copied" : "save.no-copy"));
    }
    async function link() {
      say(t((await copyText(location.href)) ? "save.copied" : "save.no-copy"));
    }
    function say(text) {
      told.value = text;
      setTimeout(() => (told.value = ""), SAID);
    }
    // Does what asks the server first, or says why it was refused; the menu goes with a file.
    const act = (work, stays = false) => async () => {
      problem.value = null;
      try {
        await work();
        if (!stays) menu.value.open = false;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        problem.value = refusal;
      }
    };
    const button = (text, work) => html`<button type="button" onClick=${work}>${text}</button>`;
    return () => html`
      <details class="eqs-menu" ref=${menu}>
        <summary class="eq-button">${t("save")}</summary>
        <div>
          ${button(t("save.hands"), act(hands))}
          ${button(t("save.points"), act(points))}
          ${button(t("save.drawing"), act(drawing))}
          ${!store.run && can("questions") && button(t("save.node"), act(json))}
          ${!store.run && node.value.deals_a_card && button(t("save.runouts"), act(report))}
          ${can("questions") && button(t("save.range", { seat: store.seat(player.value) }), act(copy, true))}
          ${button(t("save.link"), act(link, true))}
          <span role="status">${told.value}</span>
          ${problem.value && html`<${Notice} error=${problem.value} />`}
        </div>
      </details>`;
  },
};
