import { Schema } from "effect"

/**
 * Why a market can't do what is asked, with the sentence to tell. POSITION: there is no such NFT. FEE_TIER: pools with that
 * fee can't exist. RANGE: the range makes no position. ROUTE: no pools lead to the tokens. AMOUNT: too small or too large.
 * START_PRICE: a new pool has no price to begin with. CHAIN: the chain lacks a contract.
 */
export class LiquidityRefusal extends Schema.TaggedError<LiquidityRefusal>("core/liquidity/LiquidityRefusal")(
  "LIQUIDITY_REFUSAL",
  {
    about: Schema.Literals(["POSITION", "FEE_TIER", "RANGE", "ROUTE", "AMOUNT", "START_PRICE", "CHAIN"]),
    reason: Schema.String
  }
) {
  override get message(): string {
    return this.reason
  }
}

/** A node could not be asked for what a rebalance needs. */
export class BlockchainError extends Schema.TaggedError<BlockchainError>("core/liquidity/BlockchainError")(
  "BLOCKCHAIN_ERROR",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The blockchain could not be read: ${this.reason}`
  }
}
