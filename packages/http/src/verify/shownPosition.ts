import type { LiquidityAddition, LiquidityCreation, LiquidityQuote, LiquidityRebalance } from "../client/resources.ts"
import { decimalsFrom, echoedFields, parseUnits } from "./amounts.ts"
import { address, type Bytes, parseInteger, Unreadable } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"
import type { AmountPair } from "./liquidityMath.ts"
import type { PoolKey } from "./PositionAct.ts"
import type { Convention, Ticks } from "./prices.ts"
import type { LiquidityTerms, RequestedDeposit, Terms } from "./requestTerms.ts"
import type { KnownPosition, LiquidityRequest, Trust } from "./shapes.ts"

/** Compares positions in requests and quotes with the facts that the caller supplies. */

export class UnknownPosition extends Error {
  constructor(tokenId: string) {
    super(
      `Position ${tokenId} is unknown. Read it with \`positions(${tokenId})\` of the position manager, and set it in \`trust.positions\`.`
    )
  }
}

export type PositionState = PoolKey & Ticks & { readonly id: bigint; readonly liquidity: bigint }

export const knownPosition = (tokenId: string, { positions = {} }: Trust): PositionState => {
  const callerPosition: KnownPosition | undefined = positions[tokenId]
  if (callerPosition === undefined) throw new UnknownPosition(tokenId)
  const { fee, liquidity, tickLower, tickUpper, token0, token1 } = callerPosition
  return {
    id: parseInteger(tokenId),
    token0: address(token0),
    token1: address(token1),
    fee,
    tickLower,
    tickUpper,
    liquidity: parseInteger(String(liquidity))
  }
}

export type PlacementQuote = LiquidityCreation | LiquidityAddition | LiquidityRebalance
interface Amounts {
  readonly amount0: string
  readonly amount1: string
}

/** How the quote orders the tokens of a pool: `isReversed` is true if its token0 is the pool's token1. */
export interface TokenOrder {
  readonly isReversed: boolean
  /** Decimals of token0 and token1 in the quote's order. */
  readonly decimals: readonly [number, number]
}

/** Converts displayed amounts to base units in the pool's token order. */
export const amountsInPoolOrder = ({ amount0, amount1 }: Amounts, { decimals, isReversed }: TokenOrder): AmountPair => {
  const [first, second] = [parseUnits(amount0, decimals[0]), parseUnits(amount1, decimals[1])]
  return isReversed ? [second, first] : [first, second]
}

export const conventionOf = ({ decimals: [baseDecimals, quoteDecimals], isReversed }: TokenOrder): Convention => ({
  baseDecimals,
  quoteDecimals,
  baseIsToken0: !isReversed
})

export const priceIn =
  ({ decimals: [base, quote], isReversed }: TokenOrder) =>
  (root: bigint): number => {
    const price = (Number(root) / 2 ** 96) ** 2
    return (isReversed ? 1 / price : price) * 10 ** (base - quote)
  }

export const quotedDepositValues = (quote: PlacementQuote, tokenOrder: TokenOrder): RequestedDeposit["shown"] => ({
  tickLower: quote.tickLower,
  tickUpper: quote.tickUpper,
  liquidity: parseInteger(quote.liquidity),
  amounts: amountsInPoolOrder(quote, tokenOrder),
  leftovers: amountsInPoolOrder(quote.leftovers, tokenOrder)
})

export const placementEchoes = (quote: PlacementQuote, fee: number) =>
  echoedFields("", quote, { poolFeePercent: String(fee / 10_000), amounts: `${quote.amount0},${quote.amount1}` })

export interface Subject {
  readonly quote: LiquidityQuote
  readonly request: LiquidityRequest
  readonly trust: Trust
}

/** Builds the terms that all operations on positions share. */
export const sharedTerms = ({ quote, request, trust }: Subject) => {
  const { chainId, payGasFeeToken = NATIVE, slippage = 0.5, walletAddress } = request
  const contracts = chains[chainId]
  if (contracts === undefined) throw new Unreadable(`the verifier does not support chain ${chainId}`)
  const { maxGasFeeNative, maxGasFeeToken } = quote.estimatedGasFees
  const wrappedIfNative = (token: string): Bytes => (address(token) === NATIVE ? contracts.wrapped : address(token))
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
    shownGas: { nativeToken: maxGasFeeNative, token: maxGasFeeToken },
    echoes: echoedFields("", quote, { walletAddress, nftAddress: manager, slippage })
  }
  return { decimalsOf: decimalsFrom(chainId, trust), liquidity, pooled: wrappedIfNative, terms }
}

/** Returns how the quote orders the tokens of a position, and the token fields that must match the position. */
export const tokenOrderOf = (
  { token0, token1 }: PositionState,
  quote: { readonly token0: string; readonly token1: string },
  decimalsOf: (token: Bytes) => number
) => {
  const isReversed = address(quote.token0) === token1
  const tokens = isReversed ? ([token1, token0] as const) : ([token0, token1] as const)
  const tokenOrder: TokenOrder = { isReversed, decimals: [decimalsOf(tokens[0]), decimalsOf(tokens[1])] }
  return { naming: tokenOrder, echoes: echoedFields("", quote, { token0: tokens[0], token1: tokens[1] }) }
}
