export {
  type InitializedTick,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  type Pool,
  poolSwap,
  type SwapOutcome,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96,
  wordOfTick
} from "./math/index.ts"
