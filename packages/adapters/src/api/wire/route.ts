import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Route } from "@countersign/core/trading/swap"
import { Schema } from "effect"
import { amountText } from "./amounts.ts"
import { hex, hexOrNull, text, textOrNull } from "./fields.ts"

export const RouteBody = Schema.Array(
  Schema.Struct({
    sharePercent: text("Share of the amount in percent, with at most two decimals; the sum of the shares is 100"),
    amountIn: text("The part of the amount that takes this route, in whole tokens of `tokenIn`"),
    amountOut: text("Output amount, in whole tokens of `tokenOut`"),
    hops: Schema.Array(
      Schema.Struct({
        venue: text("Name of the exchange or bridge, such as Uniswap V3"),
        through: text("Contract of the step: a pool, a pool manager, a bridge. On Bitcoin the address of a vault"),
        poolId: hexOrNull("Id of the pool if the contract holds several; otherwise null"),
        feePercent: textOrNull("Fee in percent of the amount; null if it is not a percentage"),
        tokenIn: hex("Input token"),
        tokenOut: hex("Output token")
      }).annotate({ description: "Step of the route" })
    ).annotate({ description: "The steps of the route, in order" })
  }).annotate({ description: "A part of the amount, and its route" })
).annotate({ description: "The routes of the amount, largest part first. Empty if they are unknown" })

/** In hundredths of a percent. */
const WHOLE = 10_000n

/** The parts' shares in hundredths of a percent, rounded down; the largest part gets the remainder. */
const sharesOf = (route: Route): ReadonlyArray<bigint> => {
  const total = route.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const otherShares = route.slice(1).map(({ amountIn }) => (total === 0n ? 0n : (amountIn * WHOLE) / total))
  return route.length === 0 ? [] : [WHOLE - otherShares.reduce((sum, share) => sum + share, 0n), ...otherShares]
}

export const routeBody = (route: Route, tokenIn: Token, tokenOut: Token) => {
  const shares = sharesOf(route)
  return route.map(({ amountIn, amountOut, hops }, part) => ({
    sharePercent: decimalFromBaseUnits(shares[part]!, 2),
    amountIn: amountText(amountIn, tokenIn),
    amountOut: amountText(amountOut, tokenOut),
    hops: hops.map(({ feePips, ...hop }) => ({
      ...hop,
      feePercent: feePips === null ? null : decimalFromBaseUnits(BigInt(feePips), 4)
    }))
  }))
}
