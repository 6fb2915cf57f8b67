// What the components of games share.
export * from "./api.js";
export * from "./numbers.js";
export { LogPlot } from "./log_plot.js";
