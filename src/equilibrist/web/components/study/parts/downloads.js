// What is seen as a file: the hands as CSV, the node as JSON; a range as text for other programs.
import { inject, ref } from "vue";
import { comboName } from "./cards.js";
import { rangeText } from "./figures.js";
import { post, Refused, sentence } from "./store.js";

const SEATS = ["oop", "ip"];

export default {
  template: `
    <details class="eqs-menu" ref="menu"><summary class="eq-button">Save</summary><div>
      <button type="button" @click="csv">Hands as CSV</button><button type="button" @click="json">Node as JSON</button>
      <button v-if="isDeal" type="button" @click="report">Runouts as CSV</button>
      <button type="button" @click="copy">Copy the range of {{ store.player.value ? 'IP' : 'OOP' }}</button><span role="status">{{ said }}</span></div></details>`,
  setup() {
    const store = inject("study");
    const said = ref("");
    const menu = ref(null);
    function save(text, suffix, type) {
      const link = document.createElement("a");
      const line = store.node.value.line.replaceAll("|", "_") || "root";
      link.href = URL.createObjectURL(new Blob([text], { type }));
      link.download = `${store.nodes.name}-${line}${suffix}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      menu.value.open = false;
    }
    function csv() {
      const node = store.node.value;
      const who = store.player.value;
      const hands = node.hands[who];
      const actions = node.player === who ? node.actions : [];
      const heads = ["hand", "made_hand", "draw", "weight", "equity", "ev", "eqr", ...actions.flatMap((action) => [`${action.name} freq`, `${action.name} ev`])];
      const rows = [heads];
      store.masks.value[who].forEach((one, k) => {
        if (!one) return;
        const figures = [hands.weight[k], hands.equity[k], hands.ev[k], hands.eqr[k], ...actions.flatMap((_, a) => [node.strategy[a][k], node.action_evs[a][k]])];
        rows.push([comboName(hands.combos[k]), node.made_hands[hands.made[k]], node.draws[hands.draw[k]], ...figures.map((value) => value ?? "")]);
      });
      save(rows.map((row) => row.join(",")).join("\n") + "\n", `-${SEATS[who]}.csv`, "text/csv");
    }
    async function json() {
      const answer = await fetch(store.nodes.of("node", store.query()));
      if (!answer.ok) throw new Refused(await answer.json(), answer.status);
      save(await answer.text(), ".json", "application/json");
    }
    async function report() {
      const { runouts } = await store.nodes.runouts(store.node.value.line);
      const heads = Object.keys(runouts[0]);
      save([heads, ...runouts.map((row) => heads.map((key) => row[key] ?? ""))].map((row) => row.join(",")).join("\n") + "\n", "-cards.csv", "text/csv");
    }
    async function copy() {
      const who = store.player.value;
      const hands = rangeText(store.node.value.hands[who], store.masks.value[who]);
      try {
        const text = hands ? (await post("/api/ranges/read", { text: hands })).range : "";
        said.value = (await window.equilibrist.copy(text)) ? "Copied." : "The browser does not allow copying.";
      } catch (error) {
        said.value = sentence(error);
      }
      setTimeout(() => (said.value = ""), 3000);
    }
    // Saves what the server is asked for first, or says why it was refused.
    const asking = (work) => async () => {
      try {
        await work();
      } catch (error) {
        said.value = sentence(error);
      }
    };
    return { store, said, menu, csv, json: asking(json), report: asking(report), copy, get isDeal() { return store.node.value.deals_a_card; } };
  },
};
