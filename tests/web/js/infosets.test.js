import { infosetRows } from "/ui/core/packs.js";
import { picturePoints, pictureText, tablePicture } from "/ui/parts/picture.js";
import { equal } from "./check.js";

const ROW = {
  infoset: "1pb", player: 0, strategy: { pass: 0.75, bet: 0.25 }, histories: 2, reach: 0.5, counterfactual_reach: 0.25,
  value: -1, cf_value: -0.25, cf_action_values: { pass: -0.25, bet: -0.5 }, current: null, regrets: null,
};
const COLUMNS = [{ label: "Infoset", isText: true }, { label: "Average", isText: false }];
const ROWS = [
  [{ text: "J <pb>" }, { text: "75.0 %", share: 0.75, colour: "#ff0000" }],
  [null, { text: "25.0 %", share: 0.25, colour: "#0000ff" }],
];

export default {
  "a table of infosets has a row for each action, and what is not known is empty": () => {
    const [head, ...rows] = infosetRows([ROW]);
    equal(head, [
      "player", "infoset", "action", "probability", "histories", "reach", "counterfactual_reach", "value", "cf_value",
      "action_cf_value", "current", "regret",
    ]);
    equal(rows, [
      [0, "1pb", "pass", 0.75, 2, 0.5, 0.25, -1, -0.25, -0.25, undefined, undefined],
      [0, "1pb", "bet", 0.25, 2, 0.5, 0.25, -1, -0.25, -0.5, undefined, undefined],
    ]);
  },
  "a table is drawn with bars as long as their shares": () => {
    const picture = tablePicture("kuhn", COLUMNS, ROWS);
    const texts = [...picture.querySelectorAll("text")].map((one) => one.textContent);
    equal(texts, ["kuhn", "Infoset", "Average", "J <pb>", "75.0 %", "25.0 %"]);
    const width = (colour) => Number(picture.querySelector(`rect[fill="${colour}"]`).getAttribute("width"));
    equal(Math.round((100 * width("#ff0000")) / width("#0000ff")), 300);
    equal(picture.querySelectorAll("line").length, 1);
    const edge = (one) => Number(one.getAttribute("x")) + Number(one.getAttribute("width"));
    equal([...picture.querySelectorAll("rect")].every((one) => edge(one) <= edge(picture)), true);
    equal(pictureText(picture).includes("J &lt;pb&gt;"), true);
  },
  "a table is saved in points that programs open": async () => {
    const file = await picturePoints(tablePicture("kuhn", COLUMNS, ROWS));
    equal(file.type, "image/png");
    const { width } = await createImageBitmap(file);
    equal(width, 2 * Number(tablePicture("kuhn", COLUMNS, ROWS).getAttribute("width")));
  },
};
