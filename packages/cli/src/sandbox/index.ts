export { layerLogFile, layerSandbox } from "./layerSandbox.ts"
export { welcome } from "./welcome.ts"
