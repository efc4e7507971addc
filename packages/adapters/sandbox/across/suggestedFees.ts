import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { mulDivRoundingUp } from "@countersign/core/foundation/primitives"
import { acrossOrNull, bridgedAssets } from "../../src/chains/deployments/index.ts"
import { type SandboxToken, sandboxTokens } from "../deployment/market.ts"
import { gasPriceOf } from "../gasPrices.ts"
import type { RelayerMode } from "./RelayerSettings.ts"

const ONE_E18 = 10n ** 18n
const CAPITAL_PCT_E18 = 10n ** 14n
const LP_PCT_E18 = 5n * 10n ** 13n
const FILL_GAS = 150_000n
/** Gas for the calls in a message, in addition to the gas of a fill. */
const MESSAGE_GAS = 400_000n
const FILL_WINDOW_SECONDS = 7_200
const FILL_SECONDS = 2
const MAX_USD8 = 1_000_000n * 10n ** 8n

export interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

const refusal = (code: string, message: string, param?: string): ApiResponse => ({
  status: 400,
  body: { type: "AcrossApiError", code, status: 400, message, ...(param === undefined ? {} : { param }) }
})

const parameters = ["originChainId", "destinationChainId", "inputToken", "outputToken", "amount"] as const

const chainOrNone = (text: string): EvmChainId | undefined => evmChainIds.find((chainId) => String(chainId) === text)

const tokenOn = (chainId: EvmChainId, address: string): SandboxToken | undefined =>
  sandboxTokens(chainId).find((token) => token.address === address.toLowerCase())

/** Returns whether a route exists. Routes connect the same asset on two different chains. */
const isRoute = (from: SandboxToken, to: SandboxToken): boolean => {
  const [origin, destination] = [acrossOrNull(from.chainId), acrossOrNull(to.chainId)]
  return (
    from.chainId !== to.chainId &&
    bridgedAssets.some((asset) => origin?.tokens[asset] === from.address && destination?.tokens[asset] === to.address)
  )
}

const unitOf = ({ decimals }: SandboxToken): bigint => 10n ** BigInt(decimals)

/** Returns the gas cost of a fill in base units of `token`, rounded up. */
const fillGasRoundingUp = (token: SandboxToken, destination: EvmChainId, hasMessage: boolean): bigint => {
  const { baseFeePerGas, tipPerGas } = gasPriceOf[destination]
  const nativeToken = sandboxTokens(destination)[0]!
  return mulDivRoundingUp(
    (FILL_GAS + (hasMessage ? MESSAGE_GAS : 0n)) * (baseFeePerGas + tipPerGas) * nativeToken.priceUsd8,
    unitOf(token),
    ONE_E18 * token.priceUsd8
  )
}

const feeResponse = (total: bigint, amount: bigint) => ({
  pct: String((total * ONE_E18) / amount),
  total: String(total)
})

const limitsOf = (token: SandboxToken, gas: bigint) => {
  const maxDeposit = String((MAX_USD8 * unitOf(token)) / token.priceUsd8)
  return {
    minDeposit: String(gas * 4n + 1n),
    maxDeposit,
    maxDepositInstant: maxDeposit,
    maxDepositShortDelay: maxDeposit,
    recommendedDepositInstant: maxDeposit
  }
}

const feesOf = (
  from: SandboxToken,
  to: SandboxToken,
  amount: bigint,
  gas: bigint,
  relayer: RelayerMode,
  nowSeconds: number
) => {
  const capital = mulDivRoundingUp(amount, CAPITAL_PCT_E18, ONE_E18)
  const lp = mulDivRoundingUp(amount, LP_PCT_E18, ONE_E18)
  const remainder = amount - gas - capital - lp
  return {
    estimatedFillTimeSec: FILL_SECONDS + (relayer.mode === "FILL" ? relayer.delaySeconds : 0),
    timestamp: String(nowSeconds),
    isAmountTooLow: false,
    quoteBlock: "1",
    totalRelayFee: feeResponse(gas + capital + lp, amount),
    relayerCapitalFee: feeResponse(capital, amount),
    relayerGasFee: feeResponse(gas, amount),
    lpFee: feeResponse(lp, amount),
    lpFeePct: "0",
    exclusiveRelayer: "0x0000000000000000000000000000000000000000",
    exclusivityDeadline: 0,
    spokePoolAddress: acrossOrNull(from.chainId)!.spokePool,
    destinationSpokePoolAddress: acrossOrNull(to.chainId)!.spokePool,
    fillDeadline: String(nowSeconds + FILL_WINDOW_SECONDS),
    outputAmount: String((remainder * unitOf(to)) / unitOf(from)),
    limits: limitsOf(from, gas),
    inputToken: { address: from.address, symbol: from.symbol, decimals: from.decimals, chainId: from.chainId },
    outputToken: { address: to.address, symbol: to.symbol, decimals: to.decimals, chainId: to.chainId }
  }
}

/** Builds the response of `GET /suggested-fees` in Across's API, with the sandbox's prices and the relayer's delay. */
export const suggestedFees = (query: URLSearchParams, relayer: RelayerMode, nowSeconds: number): ApiResponse => {
  const missingParameter = parameters.find((name) => (query.get(name) ?? "") === "")
  if (missingParameter !== undefined)
    return refusal("MISSING_PARAM", `Missing parameter: ${missingParameter}`, missingParameter)
  const [origin, destination] = [query.get("originChainId")!, query.get("destinationChainId")!]
  const amountText = query.get("amount")!
  if (!/^\d{1,60}$/u.test(amountText)) return refusal("INVALID_PARAM", "Invalid parameter: amount", "amount")
  const amount = BigInt(amountText)
  const noRoute = refusal("ROUTE_NOT_ENABLED", `Route from chain ${origin} to ${destination} is not enabled.`)
  const [originChainId, destinationChainId] = [chainOrNone(origin), chainOrNone(destination)]
  if (originChainId === undefined || destinationChainId === undefined) return noRoute
  const tokenIn = tokenOn(originChainId, query.get("inputToken")!)
  const tokenOut = tokenOn(destinationChainId, query.get("outputToken")!)
  if (tokenIn === undefined || tokenOut === undefined || !isRoute(tokenIn, tokenOut)) return noRoute
  const message = query.get("message") ?? "0x"
  if (message !== "0x" && query.get("recipient") !== acrossOrNull(destinationChainId)!.multicallHandler) {
    return refusal("INVALID_PARAM", "Recipient must be a contract when a message is provided", "recipient")
  }
  const gas = fillGasRoundingUp(tokenIn, destinationChainId, message !== "0x")
  const { maxDeposit, minDeposit } = limitsOf(tokenIn, gas)
  if (amount < BigInt(minDeposit)) {
    return refusal("AMOUNT_TOO_LOW", "Sent amount is too low relative to fees", "amount")
  }
  if (amount > BigInt(maxDeposit))
    return refusal("AMOUNT_TOO_HIGH", "Sent amount exceeds the largest deposit", "amount")
  return { status: 200, body: feesOf(tokenIn, tokenOut, amount, gas, relayer, nowSeconds) }
}
