import type {
  LiquidityAddition,
  LiquidityCreation,
  LiquidityQuote,
  LiquidityRebalance,
  LiquidityWithdrawal
} from "../client/resources.ts"
import { decimalsFrom, echoesIn, feesOf, leastOf, percentRoundingDown, units } from "./amounts.ts"
import type { LiquidityTerms, Placing, Taking, Terms } from "./asked.ts"
import { address, type Bytes, Unreadable, whole } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"
import type { Pair } from "./liquidityMath.ts"
import type { PoolName } from "./PositionAct.ts"
import { type AskedPrices, areTicksAround, areTicksNear, type Convention, fractionOf, type Ticks } from "./prices.ts"
import type { KnownPosition, LiquidityRequest, Trust } from "./shapes.ts"

export class UnknownPosition extends Error {
  constructor(tokenId: string) {
    super(
      `Position ${tokenId} is not known: read it with \`positions(${tokenId})\` of the position manager, and give it in \`trust.positions\`.`
    )
  }
}

type Known = PoolName & Ticks & { readonly id: bigint; readonly liquidity: bigint }

const knownPosition = (tokenId: string, { positions = {} }: Trust): Known => {
  const given: KnownPosition | undefined = positions[tokenId]
  if (given === undefined) throw new UnknownPosition(tokenId)
  const { fee, liquidity, tickLower, tickUpper, token0, token1 } = given
  return {
    id: whole(tokenId),
    token0: address(token0),
    token1: address(token1),
    fee,
    tickLower,
    tickUpper,
    liquidity: whole(String(liquidity))
  }
}

type Placed = LiquidityCreation | LiquidityAddition | LiquidityRebalance
interface Amounts {
  readonly amount0: string
  readonly amount1: string
}

/** How the answer names the tokens of a pool. */
interface Naming {
  readonly isReversed: boolean
  /** Of token0 and token1 as the answer names them. */
  readonly decimals: readonly [number, number]
}

/** In the pool's order. */
const pairOf = ({ amount0, amount1 }: Amounts, { decimals, isReversed }: Naming): Pair => {
  const [first, second] = [units(amount0, decimals[0]), units(amount1, decimals[1])]
  return isReversed ? [second, first] : [first, second]
}

const conventionOf = ({ decimals: [baseDecimals, quoteDecimals], isReversed }: Naming): Convention => ({
  baseDecimals,
  quoteDecimals,
  baseIsToken0: !isReversed
})

const priceIn =
  ({ decimals: [base, quote], isReversed }: Naming) =>
  (root: bigint): number => {
    const price = (Number(root) / 2 ** 96) ** 2
    return (isReversed ? 1 / price : price) * 10 ** (base - quote)
  }

const shownPlacing = (quote: Placed, naming: Naming): Placing["shown"] => ({
  tickLower: quote.tickLower,
  tickUpper: quote.tickUpper,
  liquidity: whole(quote.liquidity),
  amounts: pairOf(quote, naming),
  leftovers: pairOf(quote.leftovers, naming)
})

const placedEchoes = (quote: Placed, fee: number) =>
  echoesIn("", quote, { poolFeePercent: String(fee / 10_000), amounts: `${quote.amount0},${quote.amount1}` })

interface Subject {
  readonly quote: LiquidityQuote
  readonly request: LiquidityRequest
  readonly trust: Trust
}

/** What all operations have in common, with the terms that each fills in. */
const common = ({ quote, request, trust }: Subject) => {
  const { chainId, payGasFeeToken = NATIVE, slippage = 0.5, walletAddress } = request
  const contracts = chains[chainId]
  if (contracts === undefined) throw new Unreadable(`chain ${chainId} is not known`)
  const { maxGasFeeNative, maxGasFeeToken } = quote.estimatedGasFees
  const pooled = (token: string): Bytes => (address(token) === NATIVE ? contracts.wrapped : address(token))
  const manager = contracts.positionManager
  const liquidity: LiquidityTerms = {
    manager,
    open: null,
    taking: null,
    placing: null,
    payout: null,
    shares: { service: 0, extra: null },
    slippage
  }
  const terms: Terms = {
    chainId,
    wallet: address(walletAddress),
    gasToken: address(payGasFeeToken),
    elements: [],
    lending: null,
    liquidity,
    shownGas: { coin: maxGasFeeNative, token: maxGasFeeToken },
    echoes: echoesIn("", quote, { walletAddress, nftAddress: manager, slippage })
  }
  return { decimalsOf: decimalsFrom(chainId, trust), liquidity, pooled, terms }
}

type Deposit = Extract<LiquidityRequest, { amountIn: string }>

/** The terms of something that is put in: it leaves the wallet as fees and as what the position is made of. */
const depositTerms = (
  subject: Subject & { readonly request: Deposit; readonly quote: LiquidityCreation | LiquidityAddition },
  placing: Placing
): Terms => {
  const { quote, request } = subject
  const { decimalsOf, liquidity, terms } = common(subject)
  const tokenIn = address(request.tokenIn)
  const amount = units(request.amountIn, decimalsOf(tokenIn))
  return {
    ...terms,
    elements: [
      {
        path: "",
        tokenIn,
        amount,
        to: terms.wallet,
        ...feesOf(amount, request),
        deductsGas: request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
        out: "POSITION"
      }
    ],
    liquidity: { ...liquidity, placing },
    echoes: [
      ...terms.echoes,
      ...placedEchoes(quote, placing.pool.fee),
      ...echoesIn("", quote, { chain: request.chainId, amountIn: request.amountIn }),
      ...echoesIn("tokenIn.", quote.tokenIn, { address: request.tokenIn, chainId: request.chainId })
    ]
  }
}

const pipsOf = (percent: number): number => {
  const { over, under } = fractionOf(percent)
  return Number((over * 10_000n) / under)
}

type Create = Extract<LiquidityRequest, { poolFeePercent: number }>

const createTerms = (request: Create, quote: LiquidityCreation, trust: Trust): Terms => {
  const subject = { quote, request, trust }
  const { decimalsOf, pooled } = common(subject)
  const [first, second] = [pooled(request.token0), pooled(request.token1)]
  const naming: Naming = { isReversed: first > second, decimals: [decimalsOf(first), decimalsOf(second)] }
  const [token0, token1] = naming.isReversed ? [second, first] : [first, second]
  const fee = pipsOf(request.poolFeePercent)
  const terms = depositTerms(subject, {
    tokenId: null,
    recipient: address(request.toAddress),
    pool: { token0, token1, fee },
    isRange: (ticks) => areTicksAround(ticks, request, conventionOf(naming), fee),
    ticks: null,
    createsPool: quote.poolCreated,
    priceOf: priceIn(naming),
    shown: shownPlacing(quote, naming)
  })
  const { toAddress, token0: asked0, token1: asked1 } = request
  return {
    ...terms,
    echoes: [...terms.echoes, ...echoesIn("", quote, { toAddress, token0: asked0, token1: asked1, tokenId: null })]
  }
}

/** How an answer names the tokens of a position, and whether they are its tokens. */
const namingOf = (
  { token0, token1 }: Known,
  quote: { readonly token0: string; readonly token1: string },
  decimalsOf: (token: Bytes) => number
) => {
  const isReversed = address(quote.token0) === token1
  const tokens = isReversed ? ([token1, token0] as const) : ([token0, token1] as const)
  const naming: Naming = { isReversed, decimals: [decimalsOf(tokens[0]), decimalsOf(tokens[1])] }
  return { naming, echoes: echoesIn("", quote, { token0: tokens[0], token1: tokens[1] }) }
}

type Add = Extract<LiquidityRequest, { amountIn: string; tokenId: string }>

const addTerms = (request: Add, quote: LiquidityAddition, trust: Trust): Terms => {
  const subject = { quote, request, trust }
  const known = knownPosition(request.tokenId, trust)
  const { decimalsOf } = common(subject)
  const { echoes, naming } = namingOf(known, quote, decimalsOf)
  const asked: AskedPrices = request
  const terms = depositTerms(subject, {
    tokenId: known.id,
    recipient: address(request.walletAddress),
    pool: known,
    isRange: (ticks) => areTicksNear(ticks, asked, conventionOf(naming), known.fee),
    ticks: known,
    createsPool: false,
    priceOf: priceIn(naming),
    shown: shownPlacing(quote, naming)
  })
  const { tokenId, walletAddress: toAddress } = request
  return {
    ...terms,
    echoes: [...terms.echoes, ...echoes, ...echoesIn("", quote, { toAddress, tokenId, poolCreated: false })]
  }
}

type Take = Extract<LiquidityRequest, { toAddress: string; tokenId: string }>

/** The terms of something that is taken out. */
const takeTerms = (
  subject: Subject & { readonly request: Take; readonly quote: LiquidityWithdrawal | LiquidityRebalance },
  percentage: number
) => {
  const { quote, request, trust } = subject
  const { decimalsOf, liquidity, pooled, terms } = common(subject)
  const known = knownPosition(request.tokenId, trust)
  const { echoes, naming } = namingOf(known, quote, decimalsOf)
  const { chainId, extraFee, toAddress, tokenId, transactionFeePercent = 0 } = request
  const taken = percentRoundingDown(known.liquidity, percentage)
  const collected = pairOf(quote.collected, naming)
  const taking: Taking = {
    tokenId: known.id,
    ticks: known,
    liquidity: taken,
    // Of a position without liquidity any part is all of it.
    isAll: taken === known.liquidity,
    shown: { liquidity: null, burned: null, removed: pairOf(quote.removed, naming), collected }
  }
  return {
    decimalsOf,
    known,
    naming,
    pooled,
    taking,
    terms: {
      ...terms,
      echoes: [
        ...terms.echoes,
        ...echoes,
        ...echoesIn("", quote, { chainId, payGasFeeToken: terms.gasToken, toAddress, tokenId, transactionFeePercent })
      ]
    },
    liquidity: {
      ...liquidity,
      open: { tokens: [known.token0, known.token1], promised: collected } as const,
      taking,
      shares: {
        service: transactionFeePercent,
        extra: extraFee === undefined ? null : { to: address(extraFee.toAddress), percent: extraFee.percentage }
      }
    }
  }
}

const SCALE = 10n ** 18n

/** An amount with the fees that were taken of it, in percent of the whole. Rounded up. */
const wholeOf = (rest: bigint, ...percents: ReadonlyArray<number>): bigint => {
  const left = percents.reduce((share, percent) => share - percentRoundingDown(SCALE, percent), SCALE)
  if (left <= 0n) throw new Unreadable("the fees take everything")
  return (rest * SCALE) / left + 1n
}

type Withdraw = Extract<LiquidityRequest, { percentage: number }>

const withdrawTerms = (request: Withdraw, quote: LiquidityWithdrawal, trust: Trust): Terms => {
  const { decimalsOf, liquidity, taking, terms } = takeTerms({ quote, request, trust }, request.percentage)
  const { percentage, tokenOut } = request
  const token = address(tokenOut)
  const { extra, service } = liquidity.shares
  const beforeFees = (amount: bigint) => wholeOf(amount, service, extra?.percent ?? 0)
  const least = leastOf(request, quote, trust.minAmountsOut?.[0], decimalsOf(token), beforeFees)
  return {
    ...terms,
    echoes: [...terms.echoes, ...echoesIn("", quote, { percentage, tokenOut })],
    liquidity: {
      ...liquidity,
      taking: { ...taking, shown: { ...taking.shown, liquidity: whole(quote.liquidity), burned: quote.burned } },
      payout: { to: address(request.toAddress), token, least }
    }
  }
}

type Rebalance = Extract<LiquidityRequest, { newPosition: object }>

const rebalanceTerms = (request: Rebalance, quote: LiquidityRebalance, trust: Trust): Terms => {
  const { known, liquidity, naming, terms } = takeTerms({ quote, request, trust }, 100)
  const { newPosition } = request
  // Prices of a position that there is are said in the pool's own order.
  const convention = conventionOf({ ...naming, isReversed: false })
  return {
    ...terms,
    echoes: [
      ...terms.echoes,
      ...placedEchoes(quote, known.fee),
      ...echoesIn("newPosition.", quote.newPosition, { ...newPosition })
    ],
    liquidity: {
      ...liquidity,
      placing: {
        tokenId: null,
        recipient: address(request.toAddress),
        pool: known,
        isRange: (ticks) => areTicksAround(ticks, newPosition, convention, known.fee),
        ticks: null,
        createsPool: false,
        priceOf: priceIn(naming),
        shown: shownPlacing(quote, naming)
      }
    }
  }
}

/** What was asked of a position, with what the quote promises of it; null where the two are of different kinds. */
export const liquidityTerms = (request: LiquidityRequest, quote: LiquidityQuote, trust: Trust): Terms | null => {
  if ("poolFeePercent" in request) return quote.type === "LIQUIDITY_CREATE" ? createTerms(request, quote, trust) : null
  if ("newPosition" in request)
    return quote.type === "LIQUIDITY_REBALANCE" ? rebalanceTerms(request, quote, trust) : null
  if ("percentage" in request) return quote.type === "LIQUIDITY_WITHDRAW" ? withdrawTerms(request, quote, trust) : null
  return quote.type === "LIQUIDITY_ADD" ? addTerms(request, quote, trust) : null
}
