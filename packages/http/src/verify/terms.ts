import type { LendingQuote, LendingRequest } from "../client/resources.ts"
import { address, type Bytes, bytes, largest, Unreadable } from "./bytes.ts"
import { chains, type LenderKind, NATIVE } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import type { AnyQuote, AnyRequest, Trust } from "./shapes.ts"

/** One element of what was asked for: a transfer, or a swap with what its quote promises. Amounts are in base units. */
export interface Element {
  readonly path: string
  readonly tokenIn: Bytes
  readonly amount: bigint
  readonly to: Bytes
  /** What the fees' percentages take of the amount, rounded down. */
  readonly serviceFee: bigint
  readonly extraFee: { readonly to: Bytes; readonly amount: bigint } | null
  readonly deductsGas: boolean
  /** Null for a transfer. */
  readonly out: { readonly token: Bytes; readonly least: bigint } | null
}

/** The legs of a lending operation. */
export interface LendingTerms {
  readonly kind: LenderKind
  readonly legs: ReadonlyArray<{
    readonly action: LendingAction
    readonly token: Bytes
    /** Base units; everything there is where it is MAX. */
    readonly amount: bigint | "MAX"
    /** Which side of a market of Morpho Blue; null where it was not said. */
    readonly isCollateral: boolean | null
    /** Whether gas is taken out of its amount. */
    readonly bearsGas: boolean
  }>
  /** Ids of the markets that may be used. */
  readonly markets: ReadonlySet<Bytes>
}

/** A request in one shape, whatever it is of. */
export interface Terms {
  readonly chainId: number
  readonly wallet: Bytes
  readonly gasToken: Bytes
  readonly elements: ReadonlyArray<Element>
  /** Null of other operations. */
  readonly lending: LendingTerms | null
  /** The most that gas can cost, as the quote says: in whole coins, and in whole tokens of the one that pays. */
  readonly shownGas: { readonly coin: string; readonly token: string }
  /** Fields in which the quote repeats the request: what it says, what was asked, where. */
  readonly echoes: ReadonlyArray<{ readonly path: string; readonly said: unknown; readonly asked: unknown }>
}

/** Decimals of a token: the coin's and its wrapped form's are known, others the caller must know. */
export type DecimalsOf = (token: Bytes) => number

export class UnknownDecimals extends Error {
  readonly token: Bytes
  constructor(token: Bytes) {
    super(`The decimals of ${token} are not known: give them in \`trust.decimals\`.`)
    this.token = token
  }
}

export const decimalsFrom =
  (chainId: number, { decimals = {} }: Trust): DecimalsOf =>
  (token) => {
    if (token === NATIVE || token === chains[chainId]?.wrapped) return 18
    const given = Object.entries(decimals).find(([known]) => known.toLowerCase() === token)?.[1]
    if (given === undefined) throw new UnknownDecimals(token)
    return given
  }

/** Base units of an amount in whole tokens. */
export const units = (text: unknown, decimals: number): bigint => {
  const [, digits = "", fraction = ""] = (typeof text === "string" && /^(\d{1,78})(?:\.(\d{1,78}))?$/u.exec(text)) || []
  const significant = fraction.replace(/0+$/u, "")
  if (digits === "" || significant.length > decimals) throw new Unreadable(`${text} is no amount of such a token`)
  return BigInt(digits + significant.padEnd(decimals, "0"))
}

/** A share in percent of an amount, rounded down: nobody takes more than was agreed. */
const percentRoundingDown = (amount: bigint, percent: number): bigint => {
  const [mantissa = "0", exponent = "0"] = String(percent).split("e")
  const [digits = "0", fraction = ""] = mantissa.split(".")
  const scale = fraction.length - Number(exponent)
  if (scale < 0) throw new Unreadable(`${percent} is no percentage`)
  return (amount * BigInt(digits + fraction)) / (100n * 10n ** BigInt(scale))
}

interface FeeFields {
  readonly transactionFeePercent?: number | undefined
  readonly extraFee?: { readonly percentage: number; readonly toAddress: string } | undefined
}

const feesOf = (amount: bigint, { extraFee, transactionFeePercent = 0 }: FeeFields) => ({
  serviceFee: percentRoundingDown(amount, transactionFeePercent),
  extraFee:
    extraFee === undefined
      ? null
      : { to: address(extraFee.toAddress), amount: percentRoundingDown(amount, extraFee.percentage) }
})

interface SwapFields extends FeeFields {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: string
  readonly gasFeePaymentMethod: string
  readonly slippage?: number | undefined
  readonly minAmountOut?: string | undefined
}

interface SwapAnswer {
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountOut: string
  readonly minAmountOut: string
}

/** The least that a swap must give: what the quote promises, and no less than slippage and the caller allow. */
const leastOf = (asked: SwapFields, answer: SwapAnswer, trusted: string | undefined, decimals: number): bigint => {
  const amountOut = units(answer.amountOut, decimals)
  return largest(
    units(answer.minAmountOut, decimals),
    amountOut - percentRoundingDown(amountOut, asked.slippage ?? 0.5) - 1n,
    units(asked.minAmountOut ?? "0", decimals),
    units(trusted ?? "0", decimals)
  )
}

const swapElement = (
  path: string,
  asked: SwapFields,
  to: Bytes,
  answer: SwapAnswer,
  trusted: string | undefined,
  decimalsOf: DecimalsOf
): Element => {
  const tokenIn = address(asked.tokenIn)
  const tokenOut = address(asked.tokenOut)
  const amount = units(asked.amountIn, decimalsOf(tokenIn))
  return {
    path,
    tokenIn,
    amount,
    to,
    ...feesOf(amount, asked),
    deductsGas: asked.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
    out: { token: tokenOut, least: leastOf(asked, answer, trusted, decimalsOf(tokenOut)) }
  }
}

const echoesIn = <A extends object>(path: string, said: A, asked: Partial<Record<keyof A, unknown>>) =>
  Object.entries(asked).map(([name, value]) => ({
    path: `${path}${name}`,
    said: (said as Record<string, unknown>)[name],
    asked: value
  }))

const mismatch = (): never => {
  throw new Unreadable("the quote is of another kind than the request")
}

const isLendingQuote = (quote: AnyQuote): quote is LendingQuote => quote.type.startsWith("LENDING_")

/** The token of a leg, as the quote shows it. */
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
  const asked = lendingActions.flatMap((action) => {
    const leg = request[action]
    return leg === undefined ? [] : [{ action, leg }]
  })
  const [first] = asked
  const kind = LENDERS[request.provider]
  if (first === undefined || kind === undefined) throw new Unreadable("the request asks for nothing that is known")
  const { chainId } = first.leg
  const decimalsOf = decimalsFrom(chainId, trust)
  const gasToken = address(request.gas.tokenAddress)
  const bearer =
    request.gas.paymentMethod === "DEDUCT_FROM_AMOUNT"
      ? asked.find(
          ({ action, leg }) =>
            (action === "supply" || action === "repay") &&
            leg.amount !== "MAX" &&
            address(leg.tokenAddress) === gasToken
        )
      : undefined
  const legs = asked.map(({ action, leg }) => {
    const token = address(leg.tokenAddress)
    const side = "side" in leg ? leg.side : undefined
    return {
      action,
      token,
      amount: leg.amount === "MAX" ? ("MAX" as const) : units(leg.amount, decimalsOf(token)),
      isCollateral: kind === "AAVE" || side === undefined ? null : side === "COLLATERAL",
      bearsGas: action === bearer?.action
    }
  })
  const named = asked.flatMap(({ leg: { marketId } }) => (marketId === undefined ? [] : [marketId]))
  const gas = quote.fees.find(({ type }) => type === "GAS")
  return {
    chainId,
    wallet: address(request.walletAddress),
    gasToken,
    elements: [],
    lending: { kind, legs, markets: new Set([...named, ...(trust.markets ?? [])].map(bytes)) },
    shownGas: { coin: gas?.nativeAmount ?? "0", token: gas?.amount.value ?? "0" },
    echoes: [
      ...echoesIn("", quote, { walletAddress: request.walletAddress }),
      ...asked.flatMap(({ action, leg }) => {
        const shown = shownLeg(quote, action)
        // Of everything, and of an amount that bears gas, only the quote knows how much it is.
        const isKnown = leg.amount !== "MAX" && action !== bearer?.action
        const said = {
          tokenAddress: shown?.tokenAddress,
          chainId: shown?.chainId,
          ...(isKnown ? { amount: canonical(shown?.amount.value ?? "") } : {})
        }
        return echoesIn(`${action}.`, said, {
          tokenAddress: leg.tokenAddress,
          chainId,
          ...(isKnown ? { amount: canonical(leg.amount) } : {})
        })
      })
    ]
  }
}

/** What was asked for, with what the quote promises of it. */
export const termsOf = (request: AnyRequest, quote: AnyQuote, trust: Trust): Terms => {
  if (/^LIQUIDITY_/u.test(quote.type)) throw new Unreadable("operations on liquidity can't be checked here")
  const wallet = address(request.walletAddress)
  const minima = trust.minAmountsOut ?? []
  if ("gas" in request) {
    if (!isLendingQuote(quote)) return mismatch()
    return lendingTerms(request, quote, trust)
  }
  if (quote.type !== "SWAP" && quote.type !== "BATCH" && quote.type !== "TRANSFER") return mismatch()
  const { maxGasFeeNative, maxGasFeeToken } = quote.estimatedGasFees
  const onlyElements = { lending: null, shownGas: { coin: maxGasFeeNative, token: maxGasFeeToken } }
  if ("chainIdIn" in request) {
    if (quote.type !== "SWAP" || request.chainIdIn !== request.chainIdOut) return mismatch()
    const { amountIn, chainIdIn, toAddress, tokenIn, tokenOut, walletAddress } = request
    const decimalsOf = decimalsFrom(chainIdIn, trust)
    return {
      ...onlyElements,
      chainId: chainIdIn,
      wallet,
      gasToken: address(request.payGasFeeToken),
      elements: [swapElement("", request, address(toAddress), quote, minima[0], decimalsOf)],
      echoes: echoesIn("", quote, {
        chainIn: chainIdIn,
        chainOut: chainIdIn,
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
    if (quote.type !== "BATCH" || quote.operations.length !== request.operations.length) return mismatch()
    const swaps = request.operations.filter(({ type }) => type === "swap")
    const elements = request.operations.map((operation, i): Element => {
      const result = quote.operations[i]!
      const path = `operations[${i}].`
      if (operation.type === "swap") {
        if (result.type !== "swap") return mismatch()
        const to = address(operation.params.toAddress ?? wallet)
        const trusted = minima[swaps.indexOf(operation)]
        return swapElement(`${path}swap.`, operation.params, to, result.swap, trusted, decimalsOf)
      }
      if (result.type !== "transfer") return mismatch()
      const { amount, gasFeePaymentMethod, toAddress, token } = operation.params
      const tokenIn = address(token)
      return {
        path: `${path}transfer.`,
        tokenIn,
        amount: units(amount, decimalsOf(tokenIn)),
        to: address(toAddress),
        serviceFee: 0n,
        extraFee: null,
        deductsGas: gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
        out: null
      }
    })
    return {
      ...onlyElements,
      chainId,
      wallet,
      gasToken: address(request.operations[0]!.params.payGasFeeToken),
      elements,
      echoes: request.operations.flatMap((operation, i) => {
        const result = quote.operations[i]!
        if (operation.type === "swap" && result.type === "swap") {
          const { amountIn, toAddress = wallet, tokenIn, tokenOut } = operation.params
          const said = { ...result.swap, amountIn: canonical(result.swap.amountIn) }
          return echoesIn(`operations[${i}].swap.`, said, {
            tokenIn,
            tokenOut,
            amountIn: canonical(amountIn),
            toAddress
          })
        }
        return operation.type === "transfer" && result.type === "transfer"
          ? echoesIn(`operations[${i}].transfer.`, result.transfer, {
              token: operation.params.token,
              toAddress: operation.params.toAddress
            })
          : []
      })
    }
  }
  if (quote.type !== "TRANSFER") return mismatch()
  const tokenIn = address(request.token)
  const amount = units(request.amount, decimalsOf(tokenIn))
  return {
    ...onlyElements,
    chainId,
    wallet,
    gasToken: address(request.payGasFeeToken),
    elements: [
      {
        path: "",
        tokenIn,
        amount,
        to: address(request.toAddress),
        ...feesOf(amount, request),
        deductsGas: request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
        out: null
      }
    ],
    echoes: echoesIn("", quote, {
      chainId,
      token: request.token,
      amount: request.amount,
      walletAddress: request.walletAddress,
      toAddress: request.toAddress
    })
  }
}

/** "1.50" and "1.5" are one amount. */
const canonical = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/u, "") : text)
