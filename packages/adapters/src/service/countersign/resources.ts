import type {
  BatchQuote,
  LendingQuote,
  LiquidityAddition,
  LiquidityCreation,
  LiquidityRebalance,
  LiquidityWithdrawal,
  SwapQuote,
  TransferQuote
} from "./openapi.ts"

/** Requests and results of calls, with the same names as in the client of the HTTP API. */

export type * from "./openapi.ts"

export type LiquidityQuote = LiquidityCreation | LiquidityAddition | LiquidityWithdrawal | LiquidityRebalance
/** A quote of any type. It can be signed and executed. `type` distinguishes the types. */
export type Quote = SwapQuote | TransferQuote | BatchQuote | LiquidityQuote | LendingQuote
