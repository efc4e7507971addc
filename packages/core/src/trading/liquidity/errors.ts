import { Schema } from "effect"

/**
 * The reason why a market rejects a request, with a message. POSITION: the NFT does not exist. FEE_TIER: no pool can
 * have this fee. PAIR: both tokens are the same. ROUTE: no route connects the tokens. AMOUNT: the amount is too small.
 * CHAIN: the chain does not have a required contract.
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

/** A node did not return the data that a rebalance needs. */
export class BlockchainError extends Schema.TaggedError<BlockchainError>("core/liquidity/BlockchainError")(
  "BLOCKCHAIN_ERROR",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The blockchain could not be read: ${this.reason}`
  }
}
