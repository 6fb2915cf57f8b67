import { ref } from "/ui/core/html.js";
import { Runouts } from "/ui/pages/study/runouts.js";
import { heatColour } from "/ui/poker/colours.js";
import { drawn, equal, settled } from "./check.js";

const row = (card, ev) => ({ card, pot: 100, ev_oop: ev, ev_ip: 100 - ev, equity_oop: 0.5, equity_ip: 0.5, eqr_oop: 1, eqr_ip: 1,
  "Check freq": 0.5, "All-in 90 freq": 0.5, "Check ev": ev, "All-in 90 ev": ev });
const store = (rows) => ({
  node: ref({ line: "X-X", way: [], board: "Ts3h2h5c", pot: 100, deals_a_card: true, actions: [] }),
  nodes: { leaveRunouts: () => {}, runouts: async () => ({ runouts: rows }) },
  seat: (p) => ["OOP", "IP"][p], seats: ["oop", "ip"], isOfThree: false, isKept: () => true, go: () => {}, ahead: () => {},
});
const rgb = (hex) => `rgb(${[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)).join(", ")})`;
const colourOf = (place, name) => place.querySelector(`.eqs-cards [aria-label^="${name}"]`).style.backgroundColor;
const legendOf = (place) => [...(place.querySelector(".eqs-scale")?.querySelectorAll("span") ?? [])]
  .flatMap((one) => [...one.childNodes].map((node) => node.textContent.trim()).filter(Boolean));

export default {
  "colours span what is shown, and the legend says it": () => {
    const rows = [row("Ah", 48), row("Kh", 50), row("Qh", 52)];
    return drawn(Runouts, { store: store(rows) }, async (place) => {
      await settled();
      equal(["Ah", "Kh", "Qh"].map((name) => colourOf(place, name)), [0, 0.5, 1].map((t) => rgb(heatColour(t))));
      equal(legendOf(place), ["Colours from the least to the most EV of OOP:", "48.00", "52.00"]);
    });
  },
  "cards that are all alike are neither good nor bad": () =>
    drawn(Runouts, { store: store([row("Ah", 50), row("Kh", 50)]) }, async (place) => {
      await settled();
      equal(["Ah", "Kh"].map((name) => colourOf(place, name)), [rgb(heatColour(0.5)), rgb(heatColour(0.5))]);
    }),
  "of three players there is the EV of the one who acts": () => {
    const rows = [["Ah", 10], ["Kh", 20]].map(([card, ev]) => (
      { card, pot: 60, player: "middle", ev_middle: ev, "Check freq": 1, "Check ev": ev }));
    const three = { ...store(rows), seats: ["oop", "middle", "ip"], seat: (p) => ["OOP", "MID", "IP"][p], isOfThree: true };
    return drawn(Runouts, { store: three }, async (place) => {
      await settled();
      equal(legendOf(place), ["Colours from the least to the most EV of MID:", "10.00", "20.00"]);
      const heads = [...place.querySelectorAll("thead th")].map((one) => one.textContent.trim().replace(/ [▾▴]$/, ""));
      equal([place.querySelectorAll("select").length, heads.length], [1, 4]);
    });
  },
  "a strategy has no scale": () => drawn(Runouts, { store: store([row("Ah", 50)]) }, async (place) => {
    await settled();
    const chooser = place.querySelector("select");
    chooser.value = "strategy";
    chooser.dispatchEvent(new Event("change"));
    await settled();
    equal(legendOf(place), []);
    const card = place.querySelector('.eqs-cards [aria-label^="Ah"]');
    equal([card.style.color, card.className], ["", "eqs-haloed"]); // over green and violet
  }),
};
