import type { SwapQuote, SwapRequest } from "../client/resources.ts"
import { makeCallDecoder } from "./abi.ts"
import type { AccountKind, Call } from "./accounts.ts"
import { type DecimalsOf, parseUnits } from "./amounts.ts"
import {
  address,
  type Bytes,
  bytes,
  concat,
  keccak,
  largest,
  numberBytes,
  parseInteger,
  textBytes,
  Unreadable
} from "./bytes.ts"
import { chains, NATIVE, settlement, vaultRelayer } from "./contracts.ts"
import type { GasLimits } from "./gas.ts"
import { STANDING_FEES } from "./outcome.ts"
import type { Terms } from "./requestTerms.ts"
import { hex, number } from "./routerWords.ts"
import type { Report, Trust } from "./shapes.ts"
import type { ExpectedElement } from "./signing.ts"
import { isSameValue } from "./signing.ts"
import { type TypedData, typedDataHash, typedDataOf } from "./typedData.ts"
import { gasAllowanceOrNull } from "./walletCalls.ts"

/** A requested CoW Protocol limit order, and the quote with the order to sign. */
export interface RequestedOrder {
  readonly request: SwapRequest
  readonly quote: SwapQuote
  readonly terms: Terms
  readonly trust: Trust
  readonly kind: AccountKind
  readonly calls: ReadonlyArray<Call>
  readonly paymasters: ReadonlySet<Bytes>
  readonly gas: GasLimits
  readonly decimalsOf: DecimalsOf
}

/** Tolerance for the time between the creation of the quote and this check. */
const SLACK_SECONDS = 300
const WEEK_SECONDS = 7 * 86_400
/** Minimum validity that the order book accepts. The service extends shorter orders to it. */
const MIN_SECONDS = 120
const BPS = 10_000

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable("the order's app data is not JSON")
  }
}

/**
 * Checks the order's app data. It may contain only its version, the order's creator, environment and class, and partner
 * fees. Other content could instruct solvers.
 */
const checkAppData = ({ quote, request, trust }: RequestedOrder, text: string, report: Report): void => {
  const path = "limitOrder.appData"
  const data = jsonOf(text)
  const metadata = isObject(data) && isObject(data.metadata) ? data.metadata : {}
  const knownFields = ["appCode", "environment", "metadata", "version"]
  if (!isObject(data) || Object.keys(data).some((name) => !knownFields.includes(name)))
    report("unknown_hook", path, "The app data has unknown fields.")
  if (Object.keys(metadata).some((name) => !["orderClass", "partnerFee"].includes(name)))
    report("unknown_hook", path, "The app data contains more than the fee receivers, such as hooks to execute.")
  const fees = [metadata.partnerFee ?? []].flat() as ReadonlyArray<unknown>
  const collectors = new Set((trust.collectors ?? []).map(address))
  const extraFeeReceiver = request.extraFee === undefined ? null : address(request.extraFee.toAddress)
  let total = 0
  for (const fee of fees) {
    const isVolume = isObject(fee) && Number.isInteger(fee.volumeBps) && Object.keys(fee).length === 2
    if (!isVolume) throw new Unreadable("the order's app data contains a fee that is not a fraction of the volume")
    const recipient = address(fee.recipient)
    if (!collectors.has(recipient) && recipient !== extraFeeReceiver)
      report("pays_somebody_else", path, `${recipient} takes a fee, but is not in \`trust.collectors\`.`)
    total += Number(fee.volumeBps)
  }
  const requestedPercent = (request.transactionFeePercent ?? 0) + (request.extraFee?.percentage ?? 0)
  if (total > Math.round((requestedPercent * BPS) / 100))
    report("pays_too_much", path, `The order pays fees of ${total / 100} %; ${requestedPercent} % was requested.`)
  if (quote.fees.some(({ type }) => type !== "GAS" && type !== "SERVICE" && type !== "EXTRA"))
    report("pays_too_much", "fees", "The quote contains a fee that was not requested.")
}

const orderFields = {
  sellToken: "address",
  buyToken: "address",
  receiver: "address",
  sellAmount: "uint256",
  buyAmount: "uint256",
  validTo: "uint32",
  appData: "bytes32",
  feeAmount: "uint256",
  kind: "string",
  partiallyFillable: "bool",
  sellTokenBalance: "string",
  buyTokenBalance: "string"
} as const

const domainOf = (chainId: number): TypedData["domain"] => ({
  name: "Gnosis Protocol",
  version: "v2",
  chainId,
  verifyingContract: settlement
})

/**
 * Checks every field of the order against the request. Returns the sold amount, the expiry and the hash of the order.
 */
const checkFields = (requestedOrder: RequestedOrder, typedData: TypedData, appData: string, report: Report) => {
  const { decimalsOf, gas, request, terms, trust } = requestedOrder
  const { message } = typedData
  const wrappedToken = chains[terms.chainId]!.wrapped
  const [tokenIn, tokenOut] = [address(request.tokenIn), address(request.tokenOut)]
  const wrappedIfNative = (token: Bytes) => (token === NATIVE ? wrappedToken : token)
  const amount = parseUnits(request.amountIn, decimalsOf(tokenIn))
  const deductsGas = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && terms.gasToken === tokenIn
  const minSellAmount = amount - (deductsGas ? gas.token : 0n)
  const maxSellAmount = amount - (deductsGas ? gas.lastOperation : 0n)
  const [trustedMinimum = "0"] = trust.minAmountsOut ?? []
  const minAmount = largest(
    parseUnits(request.minAmountOut ?? "0", decimalsOf(tokenOut)),
    parseUnits(trustedMinimum, decimalsOf(tokenOut))
  )
  const now = trust.now ?? Math.floor(Date.now() / 1000)
  const validTo = Number(parseInteger(message.validTo))
  const sellAmount = parseInteger(message.sellAmount)
  const reportWrongEcho = (name: string, why: string) => report("wrong_echo", `typedData.message.${name}`, why)
  const expectField = (name: string, value: unknown) => {
    if (!isSameValue(message[name], value))
      reportWrongEcho(name, `\`${name}\` of the order is ${message[name]}; ${value} was requested.`)
  }
  const expectedTypedData = {
    domain: domainOf(terms.chainId),
    types: { Order: Object.entries(orderFields).map(([name, type]) => ({ name, type })) },
    primaryType: "Order"
  }
  const { message: _, ...remainingData } = typedData
  if (!isSameValue(remainingData, expectedTypedData))
    report("wrong_signing", "typedData", "The typed data is not a CoW Protocol order on this chain.")
  expectField("sellToken", wrappedIfNative(tokenIn))
  expectField("buyToken", wrappedIfNative(tokenOut))
  expectField("receiver", address(request.toAddress))
  expectField("feeAmount", "0")
  expectField("kind", "sell")
  expectField("partiallyFillable", request.partialFillable ?? true)
  expectField("sellTokenBalance", "erc20")
  expectField("buyTokenBalance", "erc20")
  expectField("appData", keccak(textBytes(appData)))
  if (sellAmount > maxSellAmount || sellAmount < minSellAmount)
    reportWrongEcho("sellAmount", `The order sells ${sellAmount} base units; ${maxSellAmount} are expected.`)
  if (parseInteger(message.buyAmount) < minAmount)
    report("gives_too_little", "typedData.message.buyAmount", "The order's `buyAmount` is below the requested minimum.")
  const latestExpiry = now + Math.max(request.expiration ?? WEEK_SECONDS, MIN_SECONDS) + SLACK_SECONDS
  if (validTo <= now || validTo > latestExpiry)
    report("wrong_deadline", "typedData.message.validTo", "The expiry of the order differs from the request.")
  return { sellAmount, validTo, hash: typedDataHash(typedData) }
}

interface OrderCallContext {
  readonly sold: Bytes
  readonly isNativeToken: boolean
  readonly sellAmount: bigint
  readonly uid: Bytes
}

const readTokenCall = makeCallDecoder({ "approve(address,uint256)": "approve", "deposit()": "deposit" })
const readSettlement = makeCallDecoder({ "setPreSignature(bytes,bool)": null })

/**
 * Returns whether the order needs this call. Such a call wraps native tokens, approves the vault relayer, or signs the
 * order on-chain.
 */
const isNeeded = (
  call: Call,
  { isNativeToken, sellAmount, sold, uid }: OrderCallContext,
  maxAmount: bigint
): boolean => {
  const { data, to, value } = call
  const tokenCall = to === sold ? readTokenCall(data) : null
  if (tokenCall?.definition === "deposit") return isNativeToken && value === sellAmount
  if (value !== 0n) return false
  if (tokenCall?.definition === "approve")
    return hex(tokenCall.args[0]) === vaultRelayer && number(tokenCall.args[1]) <= maxAmount
  const signing = to === settlement ? readSettlement(data) : null
  return signing !== null && signing.args[0] === uid && signing.args[1] === 1n
}

/** Reports calls that the order does not need, wrapping more than once, and a high allowance of a paymaster. */
const checkCalls = (
  { calls, gas, paymasters, terms }: RequestedOrder,
  context: OrderCallContext,
  maxAmount: bigint,
  report: Report
): void => {
  for (const [i, call] of calls.entries()) {
    const path = `preview.calls[${i}]`
    const gasAllowance = gasAllowanceOrNull(call, terms.gasToken, paymasters)
    if (gasAllowance === null && !isNeeded(call, context, maxAmount))
      report("unknown_call", path, "The order does not need this call.")
    if (gasAllowance !== null && gasAllowance > STANDING_FEES * gas.token)
      report("allowance_remains", path, `A paymaster's allowance is too high: ${gasAllowance} base units.`)
  }
  const wrappings = calls.filter(({ data, to }) => to === context.sold && readTokenCall(data)?.definition === "deposit")
  if (wrappings.length > 1)
    report("pays_too_much", "preview.calls", "The operation wraps native tokens more than once.")
}

/**
 * Checks the fields, the app data and the uid of a limit order against the request. Reports calls that the order does
 * not need. Returns the data that the owner signs; null if the account signs with an on-chain call.
 */
export const checkLimitOrder = (requestedOrder: RequestedOrder, report: Report): ExpectedElement | null => {
  const { calls, decimalsOf, kind, quote, request, terms, trust } = requestedOrder
  const typedData = quote.typedData as TypedData | undefined
  const shownOrder = quote.limitOrder
  if (typedData === undefined || shownOrder === undefined) throw new Unreadable("the quote has no limit order")
  const { hash, sellAmount, validTo } = checkFields(requestedOrder, typedData, shownOrder.appData, report)
  checkAppData(requestedOrder, shownOrder.appData, report)
  const uid = concat(hash, terms.wallet, numberBytes(BigInt(validTo), 4))
  if (bytes(shownOrder.uid) !== uid) report("wrong_hash", "limitOrder.uid", "The uid does not match the order.")
  if (Date.parse(shownOrder.expiresAt) !== validTo * 1_000)
    report("wrong_deadline", "limitOrder.expiresAt", "`expiresAt` differs from the order's `validTo`.")
  const tokenIn = address(request.tokenIn)
  const isNativeToken = tokenIn === NATIVE
  const soldToken = isNativeToken ? chains[terms.chainId]!.wrapped : tokenIn
  const otherOrders = trust.openOrders === undefined ? 0n : parseUnits(trust.openOrders, decimalsOf(tokenIn))
  const context = { sold: soldToken, isNativeToken, sellAmount, uid }
  checkCalls(requestedOrder, context, sellAmount + otherOrders, report)
  const isPresigned = calls.some(({ data, to }) => to === settlement && readSettlement(data) !== null)
  if (isPresigned !== (kind.orderSigning === "PRESIGN"))
    report("wrong_signing", "limitOrder", "The account uses another signing method for orders.")
  switch (kind.orderSigning) {
    case "PRESIGN":
      return null
    case "EIP712":
      return { type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash, userOperationHash: null, typedData }
    case "SAFE": {
      const domain = { chainId: terms.chainId, verifyingContract: terms.wallet }
      const message = typedDataOf(domain, "SafeMessage", { message: ["bytes", hash] })
      return {
        type: "LIMIT_ORDER",
        method: "eth_signTypedData_v4",
        hash: typedDataHash(message),
        userOperationHash: null,
        typedData: message
      }
    }
  }
}
