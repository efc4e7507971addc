import { Effect } from "effect"
import { claimedArrivals, type Work } from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import type { ClaimedFill } from "./fillChange.ts"
import type { FillSide, OrderFill } from "./OrderBook.ts"

/** Claims the transfers of fills, so that no two operations record the same transfer. */
export const fillClaims = Effect.gen(function* () {
  const claim = yield* claimedArrivals

  /**
   * Claims the transfers of a fill's sold or bought token. Returns false if another operation has recorded them. The
   * settlement contract's event proves the amount.
   */
  const isClaimed = Effect.fnUntraced(function* (
    { execution }: Work,
    chainId: LimitOrderIntent["chainId"],
    { hash, transfers }: OrderFill,
    side: FillSide
  ) {
    const sideTransfers = transfers[side]
    if (sideTransfers.transfers.length === 0) return true
    const reference = { account: sideTransfers.account, chainId, hash }
    const claimResult = yield* claim(execution, reference, sideTransfers.transfers, {
      expected: sideTransfers.amount,
      isPlausible: () => true
    })
    if (claimResult._tag === "Claimed") return true
    yield* Effect.logWarning("another operation has recorded the transfers that fill a limit order", reference)
    return false
  })

  return Effect.fnUntraced(function* (
    work: Work,
    chainId: LimitOrderIntent["chainId"],
    fill: OrderFill
  ): Effect.fn.Return<ClaimedFill> {
    const claimedSides = yield* Effect.filter(["sold", "bought"] as const, (side) =>
      isClaimed(work, chainId, fill, side)
    )
    return { ...fill, claimed: new Set(claimedSides) }
  })
})
