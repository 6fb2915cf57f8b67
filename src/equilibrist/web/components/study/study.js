export { default } from "equilibrist-study";
