export { layerLogFile, layerSandbox } from "./layerSandbox.ts"
export { requireFreePort } from "./requireFreePort.ts"
export { welcome } from "./welcome.ts"
