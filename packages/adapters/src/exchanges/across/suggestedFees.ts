import { RouteNotFound } from "@countersign/core/trading/swap"
import { Option, Schema } from "effect"
import { SecondsText, Uint256Text } from "../../outbound/json-api/index.ts"
import type { BridgeFees, BridgeRequest } from "./AcrossFees.ts"

const Part = Schema.Struct({ pct: Uint256Text, total: Uint256Text })

/** The used fields of `GET /suggested-fees`. The field `lpFeePct` is always zero, so `lpFee` is used. */
export const SuggestedFees = Schema.Struct({
  totalRelayFee: Part,
  relayerCapitalFee: Part,
  lpFee: Part,
  outputAmount: Uint256Text,
  isAmountTooLow: Schema.Boolean,
  estimatedFillTimeSec: SecondsText,
  spokePoolAddress: Schema.String,
  limits: Schema.Struct({ minDeposit: Uint256Text, maxDeposit: Uint256Text, maxDepositInstant: Uint256Text })
})
export type SuggestedFees = typeof SuggestedFees.Type

const ApiError = Schema.Struct({ code: Schema.String, message: Schema.optionalKey(Schema.String) })
const decodeError = Schema.decodeUnknownOption(ApiError)

const noRoute = (reason: string) => new RouteNotFound({ provider: "Across", reason })

const reasons: Readonly<Record<string, string>> = {
  AMOUNT_TOO_LOW: "the amount is too low for the fees of relayers",
  AMOUNT_TOO_HIGH: "the amount is more than its relayers and pools can provide",
  ROUTE_NOT_ENABLED: "it has no route for these tokens between these chains"
}

/** Why the API rejects the request; null if the response has no code, which means that the host failed. */
export const refusalOrNull = (json: unknown): RouteNotFound | null =>
  Option.match(decodeError(json), {
    onNone: () => null,
    // Codes that begin with UPSTREAM, and unexpected errors, do not concern the request.
    onSome: ({ code }) =>
      /^(?:UPSTREAM|UNEXPECTED)/u.test(code) ? null : noRoute(reasons[code] ?? `it answered ${code}`)
  })

export const pathOf = ({ amountIn, from, message, to }: BridgeRequest): string => {
  const query = new URLSearchParams({
    originChainId: String(from.chainId),
    destinationChainId: String(to.chainId),
    inputToken: from.address,
    outputToken: to.address,
    amount: String(amountIn),
    // US dollar tokens have 18 decimals on BNB Chain and six on other chains.
    allowUnmatchedDecimals: "true",
    ...(message === null ? {} : { recipient: message.handler, message: message.data })
  })
  return `/suggested-fees?${query.toString()}`
}

/** The fees in a response, or the reason why there are none for this request. */
export const feesIn = (
  answer: SuggestedFees,
  { amountIn }: BridgeRequest,
  spokePool: string
): BridgeFees | RouteNotFound => {
  const { limits, lpFee, outputAmount, relayerCapitalFee } = answer
  if (answer.isAmountTooLow || amountIn < BigInt(limits.minDeposit)) return noRoute(reasons.AMOUNT_TOO_LOW!)
  if (amountIn > BigInt(limits.maxDeposit)) return noRoute(reasons.AMOUNT_TOO_HIGH!)
  // An unknown pool contract is not trusted with the tokens.
  if (answer.spokePoolAddress.toLowerCase() !== spokePool) {
    return noRoute("its deposit contract is not the known SpokePool")
  }
  return {
    amountIn,
    amountOut: BigInt(outputAmount),
    shareE18: BigInt(relayerCapitalFee.pct) + BigInt(lpFee.pct),
    fillSeconds: Number(answer.estimatedFillTimeSec)
  }
}
