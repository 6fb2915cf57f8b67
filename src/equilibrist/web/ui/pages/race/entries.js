// The algorithms of a race, each with a sampler or a learner, and their texts: lcfr@external.

export function entryOf(text) {
  const at = text.lastIndexOf("@");
  return at < 0 ? { algorithm: text, sampler: "" } : { algorithm: text.slice(0, at), sampler: text.slice(at + 1) };
}

export const entryText = ({ algorithm, sampler }) =>
  algorithm.trim() + (sampler.trim() ? `@${sampler.trim()}` : "");

// The name and the parameters of an algorithm, such as sd-cfr(walks=40).
function parts({ algorithm }) {
  const [, name, inside] = algorithm.match(/^([^(]*)(?:\((.*)\)\s*)?$/) ?? [algorithm, algorithm];
  return { name: name.trim(), parameters: (inside ?? "").split(",").map((one) => one.trim()).filter(Boolean) };
}

// Whether an entry trains, as those that `algorithms` lists.
export function isTrained(entry, algorithms) {
  const name = parts(entry).name.toLowerCase().replaceAll("_", "-");
  return algorithms.some((one) => one.name === name);
}

export const learnerOf = (entry) =>
  parts(entry).parameters.some((one) => /^learner\s*=\s*table$/.test(one)) ? "table" : "network";

// The text of the algorithm with another learner; a network is the default.
export function withLearner(entry, learner) {
  const { name, parameters } = parts(entry);
  const kept = parameters.filter((one) => !/^learner\s*=/.test(one));
  if (learner === "table") kept.push("learner=table");
  return kept.length ? `${name}(${kept.join(",")})` : name;
}
