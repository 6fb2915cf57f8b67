// What games that come with Equilibrist, and their parameters, mean.
import { hasHelp, help } from "../core/help.js";

// Of a parameter of a game, which some games mean otherwise.
export function parameterMeaning(name, { name: parameter }) {
  const own = `game-parameter.${name}.${parameter}`;
  return help(hasHelp(own) ? own : `game-parameter.${parameter}`);
}

// What a game is about; null of one that has no words here.
export const gameAbout = (name) => (hasHelp(`game-about.${name}`) ? help(`game-about.${name}`) : null);
