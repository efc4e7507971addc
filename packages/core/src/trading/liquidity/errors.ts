import { Schema } from "effect"

/**
 * Why a market rejects a request, with a message. POSITION: no such NFT. FEE_TIER: pools cannot have this fee. PAIR:
 * both tokens are the same. ROUTE: no route to the tokens. AMOUNT: too small. CHAIN: the chain lacks a contract.
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

/** A node could not provide the data for a rebalance. */
export class BlockchainError extends Schema.TaggedError<BlockchainError>("core/liquidity/BlockchainError")(
  "BLOCKCHAIN_ERROR",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The blockchain could not be read: ${this.reason}`
  }
}
