export * as AaveV3 from "./aave/AaveV3.ts"
export * as MorphoBlue from "./morpho/MorphoBlue.ts"
export { withNativeToken } from "./nativeToken.ts"
