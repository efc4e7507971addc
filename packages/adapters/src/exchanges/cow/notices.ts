import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { OfferRequest, OrderLimit } from "@countersign/core/trading/swap"
import type { Account } from "@countersign/core/wallets/registry"
import { toWrappedToken } from "../../chains/deployments/index.ts"
import { needsAllowance } from "./allowingCalls.ts"
import { schemeOf } from "./limitIntent.ts"
import type { OrderLifetime } from "./orderLifetime.ts"

/** Facts about an order from which its notices are derived. */
export interface OrderFacts {
  readonly chainId: EvmChainId
  readonly account: Account
  /** Whether the wallet's contract can already verify signatures; true if the order needs no contract signature. */
  readonly isDeployed: boolean
  /** The wallet's balance of the requested input token. For the native token it is the balance before wrapping. */
  readonly balance: bigint
  readonly allowance: bigint
  /** Amount of the sold token that other open orders of the wallet may still sell. */
  readonly openOrdersAmount: bigint
  /** Maximum amount that the order sells. */
  readonly maxAmount: bigint
  readonly openCount: number
  readonly openLimit: number
  /** Output at the market price; null if there is currently no market. */
  readonly marketAmountOut: bigint | null
  /** Expiry in Unix seconds. */
  readonly validTo: number
  readonly lifetime: OrderLifetime
  readonly appData: string
}

interface LimitOrderRequest extends OfferRequest {
  readonly limit: OrderLimit
}

const amountText = (amount: bigint, token: Token) => `${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`

const marketNotice = (
  { limit, tokenIn, tokenOut }: LimitOrderRequest,
  { marketAmountOut }: OrderFacts
): string | null => {
  if (marketAmountOut === null)
    return `There is no market price for this amount of ${tokenIn.symbol} in ${tokenOut.symbol} now.`
  return marketAmountOut < limit.minAmountOut
    ? null
    : `The market price is better than the limit: about ${amountText(marketAmountOut, tokenOut)}. The order can be filled immediately after it is placed.`
}

const balanceNotice = (
  { amountIn, tokenIn }: LimitOrderRequest,
  { account, balance, openOrdersAmount }: OrderFacts
): string | null => {
  const isWrapped = isNativeToken(tokenIn.address)
  if (balance >= amountIn + (isWrapped ? 0n : openOrdersAmount)) return null
  if (balance === 0n && !isWrapped && schemeOf(account) !== "PRESIGN") {
    return `The wallet has no ${tokenIn.symbol}, and the order book rejects such an order. The service submits it for three minutes after it is signed; then the order fails. Deposit ${tokenIn.symbol} first.`
  }
  const otherOrdersText = openOrdersAmount > 0n ? " for all of its open orders" : ""
  return `The wallet has ${amountText(balance, tokenIn)}${otherOrdersText}. The order can be filled completely only after a deposit.`
}

const arrivalNotice = ({ tokenOut }: LimitOrderRequest): string | null =>
  isNativeToken(tokenOut.address)
    ? `The order pays ${toWrappedToken(tokenOut).symbol}, because a settlement can't send the native token to a contract.`
    : null

const feeNotice = ({ limit }: LimitOrderRequest): string | null =>
  limit.feeShares.length === 0
    ? null
    : "CoW Protocol takes the fees from the amount that the order receives above its limit, keeps a quarter of them, and pays the remainder weekly in WETH."

const allowanceNotice = ({ tokenIn }: LimitOrderRequest, orderFacts: OrderFacts): string | null => {
  if (!needsAllowance(orderFacts)) return null
  const { symbol } = toWrappedToken(tokenIn)
  return `The approval of ${symbol} covers this order and the orders that are open now. If you quote another ${symbol} order before this one is open, the later approval replaces the earlier one, and one of the two orders can't be filled. Quote the next ${symbol} order after this one is open.`
}

/** Warns about the number of open orders once half of the limit is reached. */
const openOrdersNotice = ({ openCount, openLimit }: OrderFacts): string | null =>
  openCount * 2 < openLimit
    ? null
    : `The wallet has ${openCount} open orders. The order book accepts at most ${openLimit} orders per wallet that the market price does not reach yet.`

/** Returns the notices that the owner should read before signing. */
export const noticesOf = (orderRequest: LimitOrderRequest, orderFacts: OrderFacts): ReadonlyArray<string> =>
  [
    orderFacts.lifetime.notice,
    marketNotice(orderRequest, orderFacts),
    balanceNotice(orderRequest, orderFacts),
    arrivalNotice(orderRequest),
    feeNotice(orderRequest),
    allowanceNotice(orderRequest, orderFacts),
    openOrdersNotice(orderFacts)
  ].filter((notice) => notice !== null)
