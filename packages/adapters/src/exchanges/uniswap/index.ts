export { universalRouterAbi } from "./abi.ts"
export { candidatePools, hubsOf } from "./candidatePools.ts"
export {
  CALLER,
  type Command,
  NATIVE_TOKEN,
  payAmount,
  payPortion,
  ROUTER,
  sweep,
  unwrapAll,
  v3Swap,
  WHOLE_BALANCE
} from "./commands.ts"
export * as PoolSwapProvider from "./PoolSwapProvider.ts"
export { partsOf } from "./partsOf.ts"
export { ROUTER_ITSELF, swapCallOf } from "./routerCalls.ts"
export type { PartHop } from "./SwapPart.ts"
