export { type InitializedTick, type Pool, wordOfTick } from "./Pool.ts"
export { poolSwap, type SwapOutcome } from "./poolSwap.ts"
export {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96
} from "./tickMath.ts"
