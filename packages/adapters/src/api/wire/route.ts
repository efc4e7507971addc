import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Route } from "@countersign/core/trading/swap"
import { Schema } from "effect"
import { amountText } from "./amounts.ts"
import { hex, hexOrNull, text, textOrNull } from "./fields.ts"

export const RouteBody = Schema.Array(
  Schema.Struct({
    sharePercent: text("Share of the amount in percent, with at most two decimals; the sum of the shares is 100"),
    amountIn: text("Input amount of this route, in units of `tokenIn`"),
    amountOut: text("Output amount, in units of `tokenOut`"),
    hops: Schema.Array(
      Schema.Struct({
        venue: text("Name of the exchange or bridge, such as Uniswap V3"),
        through: text(
          "Contract that executes the step: a pool, a pool manager or a bridge. On Bitcoin the address of a vault"
        ),
        poolId: hexOrNull("Id of the pool, if the contract contains several pools; otherwise null"),
        feePercent: textOrNull("Fee in percent of the amount; null if it is not a percentage"),
        tokenIn: hex("Input token"),
        tokenOut: hex("Output token")
      }).annotate({ description: "A step of the route" })
    ).annotate({ description: "The steps of the route, in order" })
  }).annotate({ description: "A share of the amount, and its route" })
).annotate({
  description: "The routes among which the amount is split, largest share first. Empty if the routes are unknown"
})

/** 100 %, in hundredths of a percent. */
const HUNDRED_PERCENT = 10_000n

/**
 * Returns the share of each split route in hundredths of a percent, rounded down. The largest route gets the remainder.
 */
const sharesOf = (route: Route): ReadonlyArray<bigint> => {
  const total = route.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const otherShares = route.slice(1).map(({ amountIn }) => (total === 0n ? 0n : (amountIn * HUNDRED_PERCENT) / total))
  return route.length === 0
    ? []
    : [HUNDRED_PERCENT - otherShares.reduce((sum, share) => sum + share, 0n), ...otherShares]
}

export const routeBody = (route: Route, tokenIn: Token, tokenOut: Token) => {
  const shares = sharesOf(route)
  return route.map(({ amountIn, amountOut, hops }, routeIndex) => ({
    sharePercent: decimalFromBaseUnits(shares[routeIndex]!, 2),
    amountIn: amountText(amountIn, tokenIn),
    amountOut: amountText(amountOut, tokenOut),
    hops: hops.map(({ feePips, ...hop }) => ({
      ...hop,
      feePercent: feePips === null ? null : decimalFromBaseUnits(BigInt(feePips), 4)
    }))
  }))
}
