import { Report } from "/ui/parts/report.js";
import { drawn, equal } from "./check.js";

const COLUMNS = ["line", "board", "frequency", "weight", "pot", "equity_oop"];
const tableOf = (boards) => ({
  columns: COLUMNS, rows: Array.from({ length: boards }, () => ["", "QsJh2h", 0.5, 1, 180, 0.5]),
});

export default {
  "the table is as high as its boards, up to where it scrolls": async () => {
    const heights = [];
    for (const boards of [1, 3, 10, 1000]) {
      await drawn(Report, { table: tableOf(boards), name: "report" }, (place) => {
        const scroller = place.querySelector(".eqp-scroll");
        heights.push(Number.parseFloat(scroller.style.height));
      });
    }
    equal(heights, [160, 168, 364, 520]);
  },
};
