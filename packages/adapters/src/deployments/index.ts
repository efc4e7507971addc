export { accountContracts } from "./accountContracts.ts"
export type { ChainDeployment, ListedToken, UniswapV3Deployment } from "./ChainDeployment.ts"
export { entryPointSimulations } from "./entryPointSimulations.ts"
export { deploymentOf, deployments } from "./productionDeployments.ts"
