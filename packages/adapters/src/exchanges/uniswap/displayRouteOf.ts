import { Hash32 } from "@countersign/core/foundation/primitives"
import type { Offer } from "@countersign/core/trading/swap"
import { contractOf, feePipsOf } from "../pools/index.ts"
import type { SwapPart } from "./SwapPart.ts"

/** Converts the split routes of an offer to the display format. */
export const displayRouteOf = (parts: ReadonlyArray<SwapPart>): Offer["route"] =>
  parts.map(({ amountIn, amountOut, hops }) => ({
    amountIn,
    amountOut,
    hops: hops.map(({ key, tokenIn, tokenOut }) => ({
      venue: key.venue,
      through: contractOf(key),
      poolId: key._tag === "V4" ? Hash32.make(key.id) : null,
      feePips: feePipsOf(key),
      tokenIn,
      tokenOut
    }))
  }))
