import type { LendingQuote, LendingRequest, LiquidityQuote } from "../client/resources.ts"
import {
  type DecimalsOf,
  decimalsFrom,
  echoedFields,
  type FeeFields,
  feesOf,
  minOutputOf,
  parseUnits,
  removeTrailingZeros
} from "./amounts.ts"
import { address, type Bytes, bytes, parseInteger, textBytes, Unreadable } from "./bytes.ts"
import type { LenderKind } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import { isAboveDebt } from "./lending.ts"
import { liquidityTerms } from "./liquidityTerms.ts"
import type { Element, Terms } from "./requestTerms.ts"
import type { AnyQuote, AnyRequest, Trust } from "./shapes.ts"
import { tokenKeyOn } from "./spokePools.ts"

interface SwapFields extends FeeFields {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: string
  readonly gasFeePaymentMethod: string
  readonly slippage?: number | undefined
  readonly minAmountOut?: string | undefined
}

interface SwapResponse {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountOut: string
  readonly minAmountOut: string
}

/** The chain on which a swap delivers its output. Token keys and decimals depend on it. */
interface OutputChain {
  readonly decimalsOf: DecimalsOf
  readonly named: (token: Bytes) => Bytes
}

const swapElement = (
  swapFields: SwapFields,
  to: Bytes,
  response: SwapResponse,
  trustedMinimum: string | undefined,
  decimalsOf: DecimalsOf,
  outputChain: OutputChain = { decimalsOf, named: (token) => token }
): Element => {
  const tokenIn = address(swapFields.tokenIn)
  const tokenOut = address(swapFields.tokenOut)
  const amount = parseUnits(swapFields.amountIn, decimalsOf(tokenIn))
  return {
    tokenIn,
    amount,
    to,
    ...feesOf(amount, swapFields),
    deductsGas: swapFields.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
    out: {
      token: outputChain.named(tokenOut),
      minAmount: minOutputOf(swapFields, response, trustedMinimum, outputChain.decimalsOf(tokenOut))
    }
  }
}

interface TransferFields extends FeeFields {
  readonly token: string
  readonly amount: string
  readonly toAddress: string
  readonly gasFeePaymentMethod: string
}

const transferElement = (transferFields: TransferFields, decimalsOf: DecimalsOf): Element => {
  const tokenIn = address(transferFields.token)
  const amount = parseUnits(transferFields.amount, decimalsOf(tokenIn))
  return {
    tokenIn,
    amount,
    to: address(transferFields.toAddress),
    ...feesOf(amount, transferFields),
    deductsGas: transferFields.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
    out: null
  }
}

const throwMismatch = (): never => {
  throw new Unreadable("the type of the quote differs from the request")
}

const isLendingQuote = (quote: AnyQuote): quote is LendingQuote => quote.type.startsWith("LENDING_")

const isLiquidityQuote = (quote: AnyQuote): quote is LiquidityQuote => quote.type.startsWith("LIQUIDITY_")

const shownLeg = (quote: LendingQuote, action: LendingAction) => {
  switch (action) {
    case "supply":
      return quote.supply?.tokenIn
    case "withdraw":
      return quote.withdraw?.tokenOut
    default:
      return quote[action]?.token
  }
}

const LENDERS: Readonly<Record<string, LenderKind>> = { LENDING_PROVIDER_A: "AAVE", LENDING_PROVIDER_B: "MORPHO" }

const lendingActions = ["supply", "borrow", "repay", "withdraw"] as const

const lendingTerms = (request: LendingRequest, quote: LendingQuote, trust: Trust): Terms => {
  const requestedLegs = lendingActions.flatMap((action) => {
    const leg = request[action]
    return leg === undefined ? [] : [{ action, leg }]
  })
  const [firstLeg] = requestedLegs
  const kind = LENDERS[request.provider]
  if (firstLeg === undefined || kind === undefined)
    throw new Unreadable("the verifier does not support this type of request")
  const { chainId } = firstLeg.leg
  const decimalsOf = decimalsFrom(chainId, trust)
  const gasToken = address(request.gas.tokenAddress)
  const gasPayingLeg =
    request.gas.paymentMethod === "DEDUCT_FROM_AMOUNT"
      ? requestedLegs.find(
          ({ action, leg }) =>
            (action === "supply" || action === "repay") &&
            leg.amount !== "MAX" &&
            address(leg.tokenAddress) === gasToken
        )
      : undefined
  const legs = requestedLegs.map(({ action, leg }) => {
    const token = address(leg.tokenAddress)
    const side = "side" in leg ? leg.side : undefined
    return {
      action,
      token,
      amount: leg.amount === "MAX" ? ("MAX" as const) : parseUnits(leg.amount, decimalsOf(token)),
      shown: parseUnits(shownLeg(quote, action)?.amount.value ?? "0", decimalsOf(token)),
      isCollateral: kind === "AAVE" || side === undefined ? null : side === "COLLATERAL",
      marketId: leg.marketId === undefined ? null : bytes(leg.marketId),
      bearsGas: action === gasPayingLeg?.action
    }
  })
  const namedMarkets = requestedLegs.flatMap(({ leg: { marketId } }) => (marketId === undefined ? [] : [marketId]))
  const gasFee = quote.fees.find(({ type }) => type === "GAS")
  return {
    chainId,
    wallet: address(request.walletAddress),
    gasToken,
    elements: [],
    liquidity: null,
    lending: {
      kind,
      legs,
      shownMarket: quote.marketId === null ? null : bytes(quote.marketId),
      markets: new Set([...namedMarkets, ...(trust.markets ?? [])].map(bytes)),
      allOf: (marketId, side) => {
        const knownLoan = Object.entries(trust.loans ?? {}).find(([id]) => bytes(id) === marketId)?.[1]
        if (knownLoan === undefined) return null
        const { borrowShares, collateral, supplyShares } = knownLoan
        return parseInteger(String({ SUPPLY: supplyShares, DEBT: borrowShares, COLLATERAL: collateral }[side]))
      }
    },
    shownGas: { nativeToken: gasFee?.nativeAmount ?? "0", token: gasFee?.amount.value ?? "0" },
    echoes: [
      ...echoedFields("", quote, { walletAddress: request.walletAddress }),
      ...echoedFields("provider.", quote.provider, { id: request.provider }),
      ...requestedLegs.flatMap(({ action, leg }) => {
        const shownAmount = shownLeg(quote, action)
        // The request does not state these amounts, only the quote does: MAX, an amount after gas, and a debt below the
        // requested repayment.
        const exceedsDebt = legs.some((each) => each.action === action && isAboveDebt(each))
        const isAmountRequested = leg.amount !== "MAX" && action !== gasPayingLeg?.action && !exceedsDebt
        const quotedFields = {
          tokenAddress: shownAmount?.tokenAddress,
          chainId: shownAmount?.chainId,
          ...(isAmountRequested ? { amount: removeTrailingZeros(shownAmount?.amount.value ?? "") } : {})
        }
        return echoedFields(`${action}.`, quotedFields, {
          tokenAddress: leg.tokenAddress,
          chainId,
          ...(isAmountRequested ? { amount: removeTrailingZeros(leg.amount) } : {})
        })
      })
    ]
  }
}

/** Encodes a receiver. A Bitcoin address is encoded as the bytes of its text, as bridges require. */
const receiverOn = (chainId: number, text: string): Bytes => (chainId === 0 ? textBytes(text) : address(text))

/** Derives the terms of a request, including the outputs that its quote states. */
export const termsOf = (request: AnyRequest, quote: AnyQuote, trust: Trust): Terms => {
  if ("tokenId" in request || "poolFeePercent" in request) {
    return isLiquidityQuote(quote) ? (liquidityTerms(request, quote, trust) ?? throwMismatch()) : throwMismatch()
  }
  const wallet = address(request.walletAddress)
  const minima = trust.minAmountsOut ?? []
  if ("provider" in request) {
    if (!isLendingQuote(quote)) return throwMismatch()
    return lendingTerms(request, quote, trust)
  }
  if (quote.type !== "SWAP" && quote.type !== "LIMIT_ORDER" && quote.type !== "BATCH" && quote.type !== "TRANSFER")
    return throwMismatch()
  const { maxGasFeeNative, maxGasFeeToken } = quote.estimatedGasFees
  const elementTerms = {
    lending: null,
    liquidity: null,
    shownGas: { nativeToken: maxGasFeeNative, token: maxGasFeeToken }
  }
  if ("chainIdIn" in request) {
    if (quote.type !== "SWAP" && quote.type !== "LIMIT_ORDER") return throwMismatch()
    const { amountIn, chainIdIn, chainIdOut, toAddress, tokenIn, tokenOut, walletAddress } = request
    const isOrder = request.minAmountOut !== undefined && chainIdIn === chainIdOut
    if (quote.type === "LIMIT_ORDER" && !isOrder) return throwMismatch()
    const decimalsOf = decimalsFrom(chainIdIn, trust)
    const isCrossChain = chainIdIn !== chainIdOut
    const destination: OutputChain | undefined = isCrossChain
      ? { decimalsOf: decimalsFrom(chainIdOut, trust), named: (token) => tokenKeyOn(chainIdOut, token) }
      : undefined
    return {
      ...elementTerms,
      chainId: chainIdIn,
      wallet,
      gasToken: address(request.payGasFeeToken),
      ...(isCrossChain ? { chainIdOut } : {}),
      elements: [swapElement(request, receiverOn(chainIdOut, toAddress), quote, minima[0], decimalsOf, destination)],
      echoes: echoedFields("", quote, {
        chainIn: chainIdIn,
        chainOut: chainIdOut,
        tokenIn,
        tokenOut,
        amountIn,
        walletAddress,
        toAddress
      })
    }
  }
  const { chainId } = request
  const decimalsOf = decimalsFrom(chainId, trust)
  if ("operations" in request) {
    if (quote.type !== "BATCH" || quote.operations.length !== request.operations.length) return throwMismatch()
    const swaps = request.operations.filter(({ type }) => type === "swap")
    const parts = request.operations.map((operation, i): Pick<Terms, "echoes"> & { readonly element: Element } => {
      const quotedOperation = quote.operations[i]!
      if (operation.type === "swap") {
        if (quotedOperation.type !== "swap") return throwMismatch()
        const path = `operations[${i}].swap.`
        const { amountIn, toAddress = wallet, tokenIn, tokenOut } = operation.params
        const trustedMinimum = minima[swaps.indexOf(operation)]
        const quotedFields = { ...quotedOperation.swap, amountIn: removeTrailingZeros(quotedOperation.swap.amountIn) }
        return {
          element: swapElement(operation.params, address(toAddress), quotedOperation.swap, trustedMinimum, decimalsOf),
          echoes: echoedFields(path, quotedFields, {
            tokenIn,
            tokenOut,
            amountIn: removeTrailingZeros(amountIn),
            toAddress
          })
        }
      }
      if (quotedOperation.type !== "transfer") return throwMismatch()
      const path = `operations[${i}].transfer.`
      const { toAddress, token } = operation.params
      return {
        element: transferElement(operation.params, decimalsOf),
        echoes: echoedFields(path, quotedOperation.transfer, { token, toAddress })
      }
    })
    return {
      ...elementTerms,
      chainId,
      wallet,
      gasToken: address(request.operations[0]!.params.payGasFeeToken),
      elements: parts.map(({ element }) => element),
      echoes: parts.flatMap(({ echoes }) => echoes)
    }
  }
  if (quote.type !== "TRANSFER") return throwMismatch()
  const { amount, toAddress, token, walletAddress } = request
  return {
    ...elementTerms,
    chainId,
    wallet,
    gasToken: address(request.payGasFeeToken),
    elements: [transferElement(request, decimalsOf)],
    echoes: echoedFields("", quote, { chainId, token, amount, walletAddress, toAddress })
  }
}
