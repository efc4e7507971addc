import { Schema } from "effect"

/**
 * The reason why a market rejects a request, with a message. POSITION: the NFT does not exist. FEE_TIER: no pool can
 * have this fee. PAIR: both tokens are equal. ROUTE: the tokens have no route. AMOUNT: the amount is too small. CHAIN:
 * a contract is missing on the chain.
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

/** A node did not return the data for a rebalance. */
export class BlockchainError extends Schema.TaggedError<BlockchainError>("core/liquidity/BlockchainError")(
  "BLOCKCHAIN_ERROR",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The blockchain could not be read: ${this.reason}`
  }
}
