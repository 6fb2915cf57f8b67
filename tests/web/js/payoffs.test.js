import { blank, documentOf, draftOf, faultsOf, withAction, withoutAction } from "/ui/pages/payoffs/draft.js";
import { equal } from "./check.js";

const DILEMMA = {
  title: "dilemma", players: ["Ann", "Bob"], rows: ["C", "D"], columns: ["C", "D"],
  payoffs: [[[3, 3], [0, 5]], [[5, 0], [1, 1]]],
};

// The number of a text, null where it is marked as none.
function payoffOf(text) {
  const draft = { ...blank(1, 1), cells: [[[text, "0"]]] };
  return "cell-0-0-0" in faultsOf(draft) ? null : documentOf(draft).payoffs[0][0][0];
}

export default {
  "numbers as people write them": () => {
    const given = ["3", " -1.5 ", "0,5", "1/4", "−2", "1e-3", ".5", "5.", "+7", "-1/2"];
    equal(given.map(payoffOf), [3, -1.5, 0.5, 0.25, -2, 0.001, 0.5, 5, 7, -0.5]);
    const bad = ["", "x", "1/0", "1/2/3", "1 000", "1'000", "--1", "0x10", "Infinity", "1e999", "1,2,3", "3 3"];
    equal(bad.map(payoffOf), bad.map(() => null));
  },
  "a document comes back as it was": () => {
    equal(documentOf(draftOf(DILEMMA)), DILEMMA);
    equal(draftOf(DILEMMA).isZeroSum, false);
    const pennies = { ...DILEMMA, payoffs: [[[1, -1], [-1, 1]], [[-1, 1], [1e-7, -1e-7]]] };
    equal(draftOf(pennies).isZeroSum, true);
    equal(documentOf(draftOf(pennies)).payoffs, [[[1], [-1]], [[-1], [1e-7]]]);
    equal(documentOf({ ...draftOf(DILEMMA), players: ["Ann", " "] }).players, []);
  },
  "what is wrong stands at its field": () => {
    equal(faultsOf(draftOf(DILEMMA)), {});
    equal(Object.keys(faultsOf(blank(1, 1))), ["cell-0-0-0", "cell-0-0-1"]);
    equal(Object.keys(faultsOf({ ...blank(1, 1), isZeroSum: true })), ["cell-0-0-0"]);
    const draft = { ...draftOf(DILEMMA), rows: ["C", " C"], columns: [" ", "D\\"] };
    equal(faultsOf(draft), {
      "row-1": "payoffs.fault.twice", "column-0": "payoffs.fault.label", "column-1": "payoffs.fault.backslash",
    });
  },
  "actions come and go with their payoffs": () => {
    const taller = withAction(draftOf(DILEMMA), "rows");
    equal([taller.rows, taller.cells.length, taller.cells[2]], [["C", "D", "E"], 3, [["", ""], ["", ""]]]);
    equal(withoutAction(taller, "rows", 2), draftOf(DILEMMA));
    const wider = withAction(draftOf({ ...DILEMMA, columns: ["C", "A"] }), "columns");
    equal([wider.columns, wider.cells[1][2]], [["C", "A", "D"], ["", ""]]);
    const narrower = withoutAction(wider, "columns", 0);
    equal([narrower.columns, narrower.cells[0]], [["A", "D"], [["0", "5"], ["", ""]]]);
    let draft = blank(1, 1);
    for (let n = 1; n < 30; n += 1) draft = withAction(draft, "columns");
    equal(new Set(draft.columns).size, 30);
  },
};
