export { default } from "equilibrist-study/report.js";
