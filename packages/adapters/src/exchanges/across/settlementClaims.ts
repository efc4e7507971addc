import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { WalletAddress } from "@countersign/core/foundation/primitives"
import { claimedArrivals, type Work } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { Settlement } from "./fills.ts"

/**
 * Claims the transfers of a settlement for an operation. Returns false if other operations have already recorded them.
 */
export const settlementClaims = Effect.map(claimedArrivals, (claim) =>
  Effect.fnUntraced(function* (
    { execution }: Pick<Work, "execution">,
    chainId: EvmChainId,
    account: WalletAddress,
    { amount, arrived: { hash, transfers }, block }: Pick<Settlement, "amount" | "arrived" | "block">
  ) {
    // Without a trace, another transfer of native tokens in the same block may hide this transfer.
    if (transfers.length === 0) return true
    const place = { chainId, hash, account }
    const isGain = hash === block.hash
    // A refund may pay several deposits in one sum. If less than the deposit is unclaimed, other deposits have claimed
    // the rest.
    const isPlausible = (share: bigint) => isGain || share >= amount || !transfers.some(({ isShared }) => isShared)
    const claimResult = yield* claim(execution, place, transfers, { expected: amount, isPlausible })
    // The event of the SpokePool proves the arrival. The increase of the balance proves nothing, because the account
    // may have spent native tokens in the block.
    if (claimResult._tag === "Claimed" || isGain) return true
    yield* Effect.logWarning("another operation has recorded the transfers that settle a bridge's deposit", place)
    return false
  })
)
