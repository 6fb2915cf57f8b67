import { dealerOf } from "/ui/pages/drill/dealer.js";
import { equal } from "./check.js";

const answer = (grade, loss) => ({ grade, ev_loss: loss, share: loss === null ? null : loss / 10, infoset: grade });
const STORED = {
  id: "", solution: "s", kind: "game", infosets: 2, worst: [],
  score: { answers: 0, choices: 0, right: null, grades: { best: 0, correct: 0, blunder: 0 }, ev_loss: null, share: null },
  questions: ["a", "b"].map((infoset) => ({
    question: { number: 7, scene: { infoset }, actions: [1, 2] },
    answers: [answer("best", 0), answer("blunder", 4), answer("correct", 1), answer(null, null)],
  })),
};
const asked = ({ question }) => question.scene.infoset;

export default {
  "all questions are asked before one is asked again": () => {
    const dealer = dealerOf(STORED, () => 0);
    const first = [dealer.ask(), dealer.ask()].map(asked);
    equal([...first].sort(), ["a", "b"]);
    equal([dealer.ask(), dealer.ask()].map(asked).sort(), ["a", "b"]);
  },
  "answers are counted by their grades, and the worst come first": () => {
    const dealer = dealerOf(STORED);
    const begun = dealer.ask();
    equal([begun.state, begun.question.number, begun.answer, begun.questions], ["turn", 1, null, undefined]);
    equal(begun.score.grades, STORED.score.grades);
    for (const k of [2, 1, 0, 3]) {
      dealer.ask();
      equal(dealer.answer(k).answer.grade, STORED.questions[0].answers[k].grade);
    }
    const { score, worst, state, question, answer: last } = dealer.ask();
    equal([score.answers, score.choices, score.right], [4, 3, 2 / 3]);
    equal(score.grades, { best: 1, correct: 1, blunder: 1 });
    equal([score.ev_loss.mean, Math.round(1000 * score.share.mean)], [5 / 3, 167]);
    equal(worst.map(({ grade, number }) => [grade, number]), [["blunder", 2], ["correct", 1]]);
    equal([state, question.number, last.number], ["turn", 5, 4]);
    equal(STORED.score.grades, { best: 0, correct: 0, blunder: 0 });
  },
};
