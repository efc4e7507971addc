export { accountContracts } from "./accountContracts.ts"
export { type AcrossDeployment, acrossOrNull, type BridgedAsset, bridgedAssets } from "./across.ts"
export type {
  ChainDeployment,
  ConstantProductDeployment,
  LiFiDeployment,
  ListedToken,
  PancakeV3Deployment,
  UniswapV3Deployment,
  UniswapV4Deployment
} from "./ChainDeployment.ts"
export { pooledToken } from "./ChainDeployment.ts"
export { cowContracts, orderBookPaths } from "./cow.ts"
export { entryPointSimulations } from "./entryPointSimulations.ts"
export {
  type AaveV3Deployment,
  lendingOf,
  type MorphoBlueDeployment,
  type MorphoMarketParams
} from "./lending.ts"
export { bitcoinFeeds, type PriceFeed, priceFeedsOf } from "./priceFeeds.ts"
export { deploymentOf, deployments } from "./productionDeployments.ts"
export { toWrappedToken } from "./toWrappedToken.ts"
