import { judge } from "/ui/pages/lessons/answers.js";
import { equal } from "./check.js";

const share = { kind: "share", answer: 2 / 3, tolerance: 0.006 };
const number = { kind: "number", answer: -1 / 18, tolerance: 0.001 };
const judged = (lesson, texts) => texts.map((text) => judge(lesson, text));

export default {
  "shares are numbers, fractions or percent": () => {
    const right = ["2/3", "0.667", "66.7 %", "66.7", "0,67", " 67% ", "4/6"];
    equal(judged(share, right), right.map(() => "right"));
    equal(judged(share, ["1/3", "0.6", "2", "6.67", "60", "-2/3"]), Array(6).fill("wrong"));
    equal(judged({ ...share, answer: 0 }, ["0", "0 %", "1", "1/2"]), ["right", "right", "wrong", "wrong"]);
  },
  "numbers have a sign": () => {
    equal(judged(number, ["-1/18", "−1/18", "-0.0556", "1/18", "-1"]), ["right", "right", "right", "wrong", "wrong"]);
    equal(judged({ kind: "number", answer: 2, tolerance: 0 }, ["2", "2.0", "200 %", "1/0"]), ["right", "right", "right", "no-number"]);
  },
  "what is no number is said to be none": () => {
    equal(judged(share, ["", "two", "1/", "1/2/3", "0x1", "1e3 5"]), Array(6).fill("no-number"));
  },
  "choices have numbers": () => {
    equal(judged({ kind: "choice", answer: 1, tolerance: 0 }, ["1", "2"]), ["right", "wrong"]);
  },
};
