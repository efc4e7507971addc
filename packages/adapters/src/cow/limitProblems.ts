import type { RequestProblem } from "@countersign/core/errors"
import type { OrderLimit } from "@countersign/core/swap"
import { MOST_PARTNER_BPS, wholeBpsOrNull } from "./appData.ts"
import { schemeOf } from "./limitIntent.ts"

const YEAR_SECONDS = 365 * 86_400
/** The book wants a minute when the order comes, and its owner some time to sign it. */
const SHORTEST_SECONDS = 120
/** The last second that fits into an order. */
const LAST_SECOND = 2 ** 32 - 1

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

const expirationProblems = (limit: OrderLimit, nowSeconds: number): ReadonlyArray<RequestProblem> => {
  const { account, expirationSeconds } = limit
  if (expirationSeconds === null) return []
  const isPresigned = account !== null && schemeOf(account) === "PRESIGN"
  if (expirationSeconds < SHORTEST_SECONDS) {
    return [problem("expiration", "too_soon", `An order book takes orders of ${SHORTEST_SECONDS} seconds and more.`)]
  }
  if (isPresigned) {
    return nowSeconds + expirationSeconds <= LAST_SECOND
      ? []
      : [problem("expiration", "too_late", `The last second of an order is ${LAST_SECOND} in unix time.`)]
  }
  return expirationSeconds <= YEAR_SECONDS
    ? []
    : [problem("expiration", "too_late", `The order book takes orders of ${YEAR_SECONDS} seconds (a year) at most.`)]
}

/** CoW takes fees for others in whole hundredths of a percent, and cuts their sum without a word. */
const feeProblems = ({ feeShares }: OrderLimit): ReadonlyArray<RequestProblem> => {
  const field = (type: "SERVICE" | "EXTRA") => (type === "SERVICE" ? "transactionFeePercent" : "extraFee.percentage")
  const uneven = feeShares.filter(({ percent }) => wholeBpsOrNull(percent) === null)
  const total = feeShares.reduce((sum, { percent }) => sum + percent, 0)
  return [
    ...uneven.map(({ percent, type }) =>
      problem(
        field(type),
        "not_exact",
        `CoW Protocol takes fees in whole hundredths of a percent, and a part of this one is ${percent} %.`
      )
    ),
    ...(total * 100 > MOST_PARTNER_BPS
      ? [
          problem(
            field(feeShares[0]!.type),
            "too_high",
            `CoW Protocol takes at most 1 % of a limit order for others, and the fees are ${total} % together.`
          )
        ]
      : [])
  ]
}

/** What the books take of no limit order, at a time in unix seconds. */
export const limitProblems = (limit: OrderLimit, nowSeconds: number): ReadonlyArray<RequestProblem> => [
  ...expirationProblems(limit, nowSeconds),
  ...feeProblems(limit)
]
