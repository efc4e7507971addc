import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { WalletAddress } from "@countersign/core/foundation/primitives"
import { claimedArrivals, type Work } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { Settlement } from "./fills.ts"

/** Claims the transfers of a settlement for an operation. Answers false where other operations have recorded them. */
export const settlementClaims = Effect.map(claimedArrivals, (claim) =>
  Effect.fnUntraced(function* (
    { execution }: Pick<Work, "execution">,
    chainId: EvmChainId,
    account: WalletAddress,
    { amount, arrived: { hash, transfers }, block }: Pick<Settlement, "amount" | "arrived" | "block">
  ) {
    // Without a trace, a transfer of the native token may be hidden by another one of the same block.
    if (transfers.length === 0) return true
    const place = { chainId, hash, account }
    const isGain = hash === block.hash
    // A refund may pay several deposits in one sum. Less than the deposit is what others have left of it.
    const isPlausible = (share: bigint) => isGain || share >= amount || !transfers.some(({ isShared }) => isShared)
    const claimed = yield* claim(execution, place, transfers, { expected: amount, isPlausible })
    // The event of the SpokePool proves the arrival. The gain of a block does not: the account may have spent some of it.
    if (claimed._tag === "Claimed" || isGain) return true
    yield* Effect.logWarning("another operation has recorded the transfers that settle a bridge's deposit", place)
    return false
  })
)
