import { Schema } from "effect"
import { chainOf, EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** The address is not a Uniswap V3 pool of listed tokens. */
export class PoolNotFound extends Schema.TaggedError<PoolNotFound>("core/pools/PoolNotFound")(
  "LIQUIDITY_POOL_NOT_FOUND",
  { chainId: EvmChainId, address: Address, unlisted: Schema.Array(Address) }
) {
  override get message(): string {
    const name = `Uniswap V3 pool at ${this.address} on ${chainOf(this.chainId).name}`
    return this.unlisted.length === 0
      ? `There is no ${name}.`
      : `The ${name} can't be shown, because these tokens are not listed: ${this.unlisted.join(", ")}.`
  }
}

/** Uniswap's position manager has no NFT with this id. */
export class PositionNotFound extends Schema.TaggedError<PositionNotFound>("core/pools/PositionNotFound")(
  "LIQUIDITY_POSITION_NOT_FOUND",
  { chainId: EvmChainId, tokenId: Schema.String }
) {
  override get message(): string {
    return `There is no Uniswap V3 position ${this.tokenId} on ${chainOf(this.chainId).name}.`
  }
}
