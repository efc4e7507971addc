import { Schema } from "effect"
import { ChainId } from "../../../foundation/chains/index.ts"
import { Address, type WalletAddress } from "../../../foundation/primitives/index.ts"
import type { TokenTransfer } from "../../user-operations/index.ts"

/** Net balance change of one of the wallet's tokens in base units. Negative for an outflow. */
export const AssetChange = Schema.Struct({ chainId: ChainId, token: Address, change: Schema.BigInt })
export type AssetChange = typeof AssetChange.Type

/** Returns the net balance changes in a simulation, in the order of each token's first transfer. */
export const assetChanges = (
  chainId: ChainId,
  wallet: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): ReadonlyArray<AssetChange> => {
  const netChanges = new Map<Address, bigint>()
  for (const { amount, from, to, token } of transfers) {
    const change = (to === wallet ? amount : 0n) - (from === wallet ? amount : 0n)
    if (change !== 0n) netChanges.set(token, (netChanges.get(token) ?? 0n) + change)
  }
  return [...netChanges].flatMap(([token, change]) => (change === 0n ? [] : [{ chainId, token, change }]))
}
