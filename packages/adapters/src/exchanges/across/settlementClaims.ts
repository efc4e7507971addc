import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { WalletAddress } from "@countersign/core/foundation/primitives"
import { claimedArrivals, type Work } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { Settlement } from "./fills.ts"

/**
 * Claims the transfers of a settlement for an operation. Returns false if other operations have already claimed them.
 */
export const settlementClaims = Effect.map(claimedArrivals, (claim) =>
  Effect.fnUntraced(function* (
    { execution }: Pick<Work, "execution">,
    chainId: EvmChainId,
    account: WalletAddress,
    { amount, arrived: { hash, transfers }, block }: Pick<Settlement, "amount" | "arrived" | "block">
  ) {
    // No transfers are visible if no node traces the transaction and another native transfer in the same block hides
    // this one. The SpokePool's event is sufficient then.
    if (transfers.length === 0) return true
    const location = { chainId, hash, account }
    const isGain = hash === block.hash
    // A refund may pay several deposits in one sum. If the unclaimed amount is less than the deposit, other deposits
    // have claimed the sum.
    const isPlausible = (share: bigint) => isGain || share >= amount || !transfers.some(({ isShared }) => isShared)
    const claimResult = yield* claim(execution, location, transfers, { expected: amount, isPlausible })
    // Even if the balance increased by less, the event of the SpokePool proves the payment, because the account may
    // have spent native tokens in the same block.
    if (claimResult._tag === "Claimed" || isGain) return true
    yield* Effect.logWarning(
      "another operation has already recorded the transfers that settle a bridge deposit",
      location
    )
    return false
  })
)
