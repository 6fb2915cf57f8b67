// What the components of games share.
export * from "./api.js";
export * from "./numbers.js";
export { InfosetTable } from "./infoset_table.js";
export { GameTree } from "./game_tree.js";
export { HistoryWalk } from "./history_walk.js";
export { loads } from "./loading.js";
export { LogPlot } from "./log_plot.js";
export { MatrixGame } from "./matrix_game.js";
