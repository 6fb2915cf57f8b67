import { saveTable } from "/ui/parts/saving.js";
import { equal } from "./check.js";

// What a table is as a file.
async function saved(rows) {
  const [make, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
  let blob = null;
  URL.createObjectURL = (given) => {
    blob = given;
    return "blob:none";
  };
  HTMLAnchorElement.prototype.click = () => {};
  try {
    saveTable(rows, "x.csv");
  } finally {
    [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [make, click];
  }
  return blob.text();
}

export default {
  "cells with commas, quotes and lines are quoted, and what is not known is empty": async () => {
    equal(await saved([["a", "b,c"], [1.5, null], ['say "x"', "two\nlines"]]), [
      'a,"b,c"', "1.5,", '"say ""x""","two\nlines"', "",
    ].join("\n"));
  },
  "names that begin as formulas do stay texts, and numbers stay numbers": async () => {
    for (const text of ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "'=1", "-1-1"]) {
      equal(await saved([[text]]), `'${text}\n`);
    }
    for (const text of ["-1", "+2.5", "-1e-3", "-.5", "-5%", "+inf", "=", "-", "1=1", "'x"]) {
      equal(await saved([[text]]), `${text}\n`);
    }
  },
};
