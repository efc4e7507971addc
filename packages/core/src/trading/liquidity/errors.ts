import { Schema } from "effect"

/**
 * Why a market can't do what is asked, with the sentence to tell. POSITION: there is no such NFT. FEE_TIER: pools with that
 * fee can't exist. PAIR: the two tokens are one. ROUTE: no pools lead to the tokens. AMOUNT: too small. CHAIN: the chain
 * lacks a contract.
 */
export class LiquidityRefusal extends Schema.TaggedError<LiquidityRefusal>("core/liquidity/LiquidityRefusal")(
  "LIQUIDITY_REFUSAL",
  {
    about: Schema.Literals(["POSITION", "FEE_TIER", "PAIR", "ROUTE", "AMOUNT", "CHAIN"]),
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
