// What a server does with a drill, by questions that were drawn beforehand.
const MOST_WORST = 10;

const meanOf = (values) => {
  const sum = values.reduce((all, x) => all + x, 0);
  return values.length ? { mean: sum / values.length, low: null, high: null } : null;
};

function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}

// `stored` has the document of a drill and its `questions`, each with what every answer is worth; all are
// asked before one is asked again.
export function dealerOf({ questions, ...place }, random = Math.random) {
  const given = []; // all answers
  let [waiting, asked] = [[], null];

  function document(last) {
    const graded = given.filter(({ grade }) => grade !== null);
    const grades = { ...place.score.grades };
    for (const { grade } of graded) grades[grade] += 1;
    const isRight = ({ grade }) => grade === "best" || grade === "correct";
    const bad = graded.filter(({ grade }) => grade !== "best").sort((a, b) => b.share - a.share);
    const score = {
      answers: given.length,
      choices: graded.length,
      right: graded.length ? graded.filter(isRight).length / graded.length : null,
      grades,
      ev_loss: meanOf(graded.map(({ ev_loss: loss }) => loss)),
      share: meanOf(graded.map(({ share }) => share)),
    };
    const number = given.length + 1;
    const question = asked && { ...asked.question, number };
    return { ...place, state: asked ? "turn" : "over", question, answer: last, score, worst: bad.slice(0, MOST_WORST) };
  }

  return {
    ask() {
      if (!waiting.length) waiting = shuffled(questions, random);
      asked = waiting.pop();
      return document(given.at(-1) ?? null);
    },
    answer(action) {
      const last = { ...asked.answers[action], number: given.length + 1 };
      given.push(last);
      asked = null;
      return document(last);
    },
  };
}
