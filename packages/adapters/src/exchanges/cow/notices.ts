import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, isNativeCoin } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { OfferRequest, OrderLimit } from "@countersign/core/trading/swap"
import type { Account } from "@countersign/core/wallets/registry"
import { wrapped } from "../../chains/deployments/index.ts"
import { needsAllowance } from "./allowingCalls.ts"
import { schemeOf } from "./limitIntent.ts"
import type { OrderLifetime } from "./orderLifetime.ts"

/** What an order is made with. */
export interface Known {
  readonly chainId: EvmChainId
  readonly account: Account
  /** Whether its contract can be asked for what it stands to, where that is asked. */
  readonly isDeployed: boolean
  /** Of the sold token as it is asked for: the coin's where that is wrapped first. */
  readonly balance: bigint
  readonly allowance: bigint
  /** What other open orders of the wallet can still take of the sold token. */
  readonly promised: bigint
  /** The most that the order sells. */
  readonly most: bigint
  readonly openCount: number
  readonly openLimit: number
  /** Null where nobody trades it now. */
  readonly marketOut: bigint | null
  /** Unix seconds. */
  readonly validTo: number
  readonly lifetime: OrderLifetime
  readonly appData: string
}

interface Asked extends OfferRequest {
  readonly limit: OrderLimit
}

const amountText = (amount: bigint, token: Token) => `${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`

const ofMarket = ({ limit, tokenIn, tokenOut }: Asked, { marketOut }: Known): string | null => {
  if (marketOut === null) return `Nobody trades ${tokenIn.symbol} for ${tokenOut.symbol} in this amount now.`
  return marketOut < limit.minAmountOut
    ? null
    : `The market gives more than the limit now: about ${amountText(marketOut, tokenOut)}. The order is filled as soon as it is in the book.`
}

const ofBalance = ({ amountIn, tokenIn }: Asked, { account, balance, promised }: Known): string | null => {
  const isWrapped = isNativeCoin(tokenIn.address)
  if (balance >= amountIn + (isWrapped ? 0n : promised)) return null
  if (balance === 0n && !isWrapped && schemeOf(account) !== "PRESIGN") {
    return `The wallet has no ${tokenIn.symbol}, and the book takes no such order. It is handed in for three minutes after it was signed, and fails after that.`
  }
  const others = promised > 0n ? " for all of its open orders" : ""
  return `The wallet has ${amountText(balance, tokenIn)}${others}: the order can't be filled whole before it has more.`
}

const ofArrival = ({ tokenOut }: Asked): string | null =>
  isNativeCoin(tokenOut.address)
    ? `It arrives as ${wrapped(tokenOut).symbol}: a settlement can't pay coin to a contract.`
    : null

const ofFees = ({ limit }: Asked): string | null =>
  limit.feeShares.length === 0
    ? null
    : "CoW Protocol takes the fees out of what the order buys beyond its limit, keeps a quarter of them, and pays the rest out weekly in WETH."

const ofAllowance = ({ tokenIn }: Asked, known: Known): string | null => {
  if (!needsAllowance(known)) return null
  const { symbol } = wrapped(tokenIn)
  return `It sets what CoW Protocol may take of ${symbol} to the sum of this order and of those that are open now. Another order of ${symbol} that is quoted at the same time is not in that sum: the one of the two that is executed later keeps the other from being filled. Quote the next order of ${symbol} once this one is open.`
}

const ofPlaces = ({ openCount, openLimit }: Known): string =>
  `The wallet has ${openCount} open ${openCount === 1 ? "order" : "orders"} there; the book takes ${openLimit} that are away from the market's price.`

/** What the owner should know before signing. */
export const noticesOf = (asked: Asked, known: Known): ReadonlyArray<string> =>
  [
    known.lifetime.notice,
    ofMarket(asked, known),
    ofBalance(asked, known),
    ofArrival(asked),
    ofFees(asked),
    ofAllowance(asked, known),
    ofPlaces(known)
  ].filter((notice) => notice !== null)
