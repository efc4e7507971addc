import { RouteNotFound } from "@countersign/core/trading/swap"
import { Option, Schema } from "effect"
import { SecondsText, Uint256Text } from "../../outbound/json-api/index.ts"
import type { BridgeFees, BridgeRequest } from "./AcrossFees.ts"

const FeeComponent = Schema.Struct({ pct: Uint256Text, total: Uint256Text })

/** The fields of `GET /suggested-fees` that the service uses. It uses `lpFee`, because `lpFeePct` is always zero. */
export const SuggestedFees = Schema.Struct({
  totalRelayFee: FeeComponent,
  relayerCapitalFee: FeeComponent,
  lpFee: FeeComponent,
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
  AMOUNT_TOO_LOW: "the amount is lower than the relayer fees",
  AMOUNT_TOO_HIGH: "the amount exceeds what its relayers and pools can provide",
  ROUTE_NOT_ENABLED: "it has no route for these tokens between these chains"
}

/**
 * Returns the reason why the API rejects the request. Null if the host failed: the response has no error code, or the
 * code of a host failure.
 */
export const refusalOrNull = (json: unknown): RouteNotFound | null =>
  Option.match(decodeError(json), {
    onNone: () => null,
    // Codes that start with UPSTREAM or UNEXPECTED are failures of the host, not of the request.
    onSome: ({ code }) =>
      /^(?:UPSTREAM|UNEXPECTED)/u.test(code) ? null : noRoute(reasons[code] ?? `it responded with the error ${code}`)
  })

export const pathOf = ({ amountIn, from, message, to }: BridgeRequest): string => {
  const query = new URLSearchParams({
    originChainId: String(from.chainId),
    destinationChainId: String(to.chainId),
    inputToken: from.address,
    outputToken: to.address,
    amount: String(amountIn),
    // Allows different decimals: US dollar tokens have 18 decimals on BNB Chain and six on other chains.
    allowUnmatchedDecimals: "true",
    ...(message === null ? {} : { recipient: message.handler, message: message.data })
  })
  return `/suggested-fees?${query.toString()}`
}

/** Decodes the fees in a response, or the reason why there are none for this request. */
export const feesIn = (
  response: SuggestedFees,
  { amountIn }: BridgeRequest,
  spokePool: string
): BridgeFees | RouteNotFound => {
  const { limits, lpFee, outputAmount, relayerCapitalFee } = response
  if (response.isAmountTooLow || amountIn < BigInt(limits.minDeposit)) return noRoute(reasons.AMOUNT_TOO_LOW!)
  if (amountIn > BigInt(limits.maxDeposit)) return noRoute(reasons.AMOUNT_TOO_HIGH!)
  // A deposit to an unknown contract could lose the tokens.
  if (response.spokePoolAddress.toLowerCase() !== spokePool) {
    return noRoute("its deposit contract is not the known SpokePool")
  }
  return {
    amountIn,
    amountOut: BigInt(outputAmount),
    shareE18: BigInt(relayerCapitalFee.pct) + BigInt(lpFee.pct),
    fillSeconds: Number(response.estimatedFillTimeSec)
  }
}
