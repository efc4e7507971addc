export {
  type ConcentratedPool,
  type ConstantProductPool,
  type InitializedTick,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  NO_PROTOCOL_FEE,
  type Pool,
  type SwapOutcome,
  sqrtPriceX96AtTick,
  swapConcentrated,
  swapFeePips,
  swapThrough,
  tickAtSqrtPriceX96,
  wordOfTick
} from "./math/index.ts"
