import { type Address, decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { OfferRequest, OfferTerms } from "@countersign/core/trading/swap"
import { isFault, type RouteReader, type RouteTransaction } from "./RouteCall.ts"
import { fault, type RouteFault } from "./RouteFault.ts"

const amountText = (amount: bigint, { decimals, symbol }: Token): string =>
  `${decimalFromBaseUnits(amount, decimals)} ${symbol}`

/** A route request, and the router that the returned transaction must call. */
export interface RouteRequest {
  readonly request: Pick<OfferRequest, "tokenIn" | "tokenOut" | "amountIn">
  readonly terms: Pick<OfferTerms, "recipient" | "minAmountOut">
  readonly target: Address
}

/**
 * Finds the first difference between a transaction and the requested swap; null if there is none. The calldata for the
 * aggregator's executors are opaque, so only a simulation shows their effects.
 */
export const callFault = (
  { request: { amountIn, tokenIn, tokenOut }, target, terms }: RouteRequest,
  { data, to, value }: RouteTransaction,
  read: RouteReader
): RouteFault | null => {
  if (to !== target) return fault("TARGET", `its call goes to ${to}, which is not its router`)
  const nativeAmount = isNativeToken(tokenIn.address) ? amountIn : 0n
  if (value !== nativeAmount)
    return fault("VALUE", `its call sends ${value} wei of the native token instead of ${nativeAmount}`)
  const call = read(data)
  if (isFault(call)) return call
  if (call.tokenIn !== tokenIn.address) return fault("TOKEN", `it sells ${call.tokenIn} instead of ${tokenIn.symbol}`)
  if (call.amountIn !== null && call.amountIn !== amountIn) {
    return fault("AMOUNT", `it sells ${amountText(call.amountIn, tokenIn)} instead of ${amountText(amountIn, tokenIn)}`)
  }
  if (call.tokenOut !== tokenOut.address)
    return fault("TOKEN", `it buys ${call.tokenOut} instead of ${tokenOut.symbol}`)
  if (call.recipient !== terms.recipient) {
    return fault("RECIPIENT", `its output goes to ${call.recipient} instead of ${terms.recipient}`)
  }
  if (call.minAmountOut !== null && call.minAmountOut < terms.minAmountOut) {
    const [minAmount, requestedMinAmount] = [
      amountText(call.minAmountOut, tokenOut),
      amountText(terms.minAmountOut, tokenOut)
    ]
    return fault("MINIMUM", `its minimum output is ${minAmount} instead of the requested ${requestedMinAmount}`)
  }
  return call.faults[0] ?? null
}
