import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import type { RequestProblem } from "@countersign/core/errors"
import { FINALITY } from "@countersign/core/executions"
import type { Fee } from "@countersign/core/fees"
import type { LimitOrderIntent } from "@countersign/core/intents"
import { LIMIT_ORDER, OrderBook } from "@countersign/core/limit-orders"
import { type Address, decimalFromBaseUnits, Entropy, isEvmAddress, isNativeCoin } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  type OrderLimit,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { type Token, tokenKey } from "@countersign/core/tokens"
import { ChainReader } from "@countersign/core/user-operations"
import type { Account } from "@countersign/core/wallets"
import { DateTime, Effect } from "effect"
import { cowContracts, deploymentOf, orderBookPaths } from "../deployments/index.ts"
import { bytesFromHex } from "../evm/index.ts"
import { allowingCalls } from "./allowingCalls.ts"
import { appDataText, MOST_PARTNER_BPS, wholeBpsOrNull } from "./appData.ts"
import { limitIntent, type OrderTerms, schemeOf } from "./limitIntent.ts"

const NAME = "CoW Protocol"

const WEEK_SECONDS = 7 * 86_400
const YEAR_SECONDS = 365 * 86_400
/** The book wants a minute when the order comes, and its owner some time to sign it. */
const SHORTEST_SECONDS = 120
/** The last second that fits into an order. */
const LAST_SECOND = 2 ** 32 - 1
/** An order that the market takes at once is filled within an auction or two. */
const AUCTION_SECONDS = 60
const SALT_BYTES = 8

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/** The quote of a chain's coin is one of its wrapped coin: the settlement takes no other, and pays contracts in no other. */
const wrapped = (token: Token, chainId: EvmChainId): Token => {
  if (!isNativeCoin(token.address)) return token
  const { address, name, symbol } = deploymentOf(chainId).wrappedNative
  return { ...token, address, name, symbol }
}

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

const expirationProblems = (limit: OrderLimit, nowSeconds: number): ReadonlyArray<RequestProblem> => {
  const { account, expirationSeconds } = limit
  if (expirationSeconds === null) return []
  const isPresigned = account !== null && schemeOf(account) === "PRESIGN"
  if (expirationSeconds < SHORTEST_SECONDS) {
    return [problem("expiration", "too_soon", `An order book takes orders of ${SHORTEST_SECONDS} seconds and more.`)]
  }
  if (isPresigned) {
    return nowSeconds + expirationSeconds <= LAST_SECOND
      ? []
      : [problem("expiration", "too_late", `The last second of an order is ${LAST_SECOND} in unix time.`)]
  }
  return expirationSeconds <= YEAR_SECONDS
    ? []
    : [problem("expiration", "too_late", `The order book takes orders of ${YEAR_SECONDS} seconds (a year) at most.`)]
}

/** CoW takes fees for others in whole hundredths of a percent, and cuts their sum without a word. */
const feeProblems = ({ feeShares }: OrderLimit): ReadonlyArray<RequestProblem> => {
  const field = (type: "SERVICE" | "EXTRA") => (type === "SERVICE" ? "transactionFeePercent" : "extraFee.percentage")
  const uneven = feeShares.filter(({ percent }) => wholeBpsOrNull(percent) === null)
  const total = feeShares.reduce((sum, { percent }) => sum + percent, 0)
  return [
    ...uneven.map(({ percent, type }) =>
      problem(
        field(type),
        "not_exact",
        `CoW Protocol takes fees in whole hundredths of a percent, and a part of this one is ${percent} %.`
      )
    ),
    ...(total * 100 > MOST_PARTNER_BPS
      ? [
          problem(
            field(feeShares[0]!.type),
            "too_high",
            `CoW Protocol takes at most 1 % of a limit order for others, and the fees are ${total} % together.`
          )
        ]
      : [])
  ]
}

/** The fees of the request as CoW takes them: of what the order buys, at its limit. */
const feesOf = ({ feeShares, minAmountOut }: OrderLimit, tokenOut: Token): ReadonlyArray<Fee> =>
  feeShares.map(({ percent, recipient, type }) => ({
    type,
    chainId: tokenOut.chainId,
    token: tokenOut.address,
    amount: (minAmountOut * BigInt(wholeBpsOrNull(percent) ?? 0)) / 10_000n,
    toAddress: recipient,
    percentage: String(percent)
  }))

interface Known {
  readonly chainId: EvmChainId
  readonly account: Account
  readonly isDeployed: boolean
  /** Of the sold token as it is asked for: the coin's where that is wrapped first. */
  readonly balance: bigint
  readonly allowance: bigint
  /** What other open orders of the wallet can still take of the sold token. */
  readonly promised: bigint
  readonly most: bigint
  readonly openCount: number
  readonly openLimit: number
  /** Null where nobody trades it now. */
  readonly marketOut: bigint | null
  readonly validTo: number
  readonly appData: string
}

const amountText = (amount: bigint, token: Token) => `${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`

/** What the owner should know before signing. */
const noticesOf = (
  { amountIn, limit, tokenIn, tokenOut }: OfferRequest & { readonly limit: OrderLimit },
  known: Known
) => {
  const { balance, chainId, marketOut, openCount, openLimit, promised } = known
  const out = wrapped(tokenOut, chainId)
  return [
    ...(marketOut === null ? [`Nobody trades ${tokenIn.symbol} for ${tokenOut.symbol} in this amount now.`] : []),
    ...(marketOut !== null && marketOut >= limit.minAmountOut
      ? [
          `The market gives more than the limit now: about ${amountText(marketOut, tokenOut)}. The order is filled as soon as it is in the book.`
        ]
      : []),
    ...(balance < amountIn + (isNativeCoin(tokenIn.address) ? 0n : promised)
      ? [
          `The wallet has ${amountText(balance, tokenIn)}${promised > 0n ? ` for all of its open orders` : ""}: the order can't be filled whole before it has more.`
        ]
      : []),
    ...(out === tokenOut ? [] : [`It arrives as ${out.symbol}: a settlement can't pay coin to a contract.`]),
    ...(limit.feeShares.length === 0
      ? []
      : [
          "CoW Protocol takes the fees out of what the order buys beyond its limit, keeps a quarter of them, and pays the rest out weekly in WETH."
        ]),
    `The wallet has ${openCount} open ${openCount === 1 ? "order" : "orders"} there; the book takes ${openLimit} that are away from the market's price.`
  ]
}

/** Limit orders in CoW Protocol's books. */
export const make = Effect.gen(function* () {
  const book = yield* OrderBook
  const reader = yield* ChainReader
  const entropy = yield* Entropy

  const knowledge = Effect.fnUntraced(function* (
    request: OfferRequest,
    limit: OrderLimit,
    account: Account,
    chainId: EvmChainId
  ) {
    const sold = wrapped(request.tokenIn, chainId)
    const bought = wrapped(request.tokenOut, chainId)
    const price = book
      .marketPrice({
        chainId,
        owner: account.address,
        receiver: receiverOf(limit),
        sellToken: sold.address,
        buyToken: bought.address,
        sellAmount: request.amountIn
      })
      .pipe(Effect.catchTag("ORDER_REFUSED", ({ message }) => Effect.fail(noRoute(message))))
    const state = reader.accountState(chainId, {
      address: account.address,
      tokens: [request.tokenIn.address],
      allowances: [{ token: sold.address, spender: cowContracts.vaultRelayer }]
    })
    const [marketOut, { allowances, balances, hasCode }, open, now] = yield* Effect.all(
      [price, state, book.openOrders(chainId, account.address), DateTime.now],
      { concurrency: 3 }
    )
    const salt = bytesFromHex(`0x${Buffer.from(yield* entropy.bytes(SALT_BYTES)).toString("hex")}`)
    return {
      chainId,
      account,
      // A Safe that is not there yet can't be asked whether it stands to a signature.
      isDeployed: hasCode || schemeOf(account) === "EIP712",
      balance: balances.get(tokenKey(request.tokenIn)) ?? 0n,
      allowance: allowances[0] ?? 0n,
      promised: open.remaining.get(sold.address) ?? 0n,
      most: request.amountIn,
      openCount: open.count,
      openLimit: open.limit,
      marketOut,
      validTo: Math.floor(DateTime.toEpochMillis(now) / 1_000) + (limit.expirationSeconds ?? WEEK_SECONDS),
      appData: appDataText(limit.feeShares, salt)
    } satisfies Known
  })

  const offerOf = (request: OfferRequest, limit: OrderLimit, known: Known): Offer => {
    const { account, chainId, marketOut } = known
    const { tokenIn, tokenOut } = request
    const sold = wrapped(tokenIn, chainId)
    const bought = wrapped(tokenOut, chainId)
    const scheme = schemeOf(account)
    const terms: OrderTerms = {
      account,
      chainId,
      scheme,
      validTo: known.validTo,
      appDataText: known.appData,
      order: {
        sellToken: sold.address,
        buyToken: bought.address,
        receiver: receiverOf(limit),
        sellAmount: request.amountIn,
        buyAmount: limit.minAmountOut,
        partiallyFillable: limit.partialFillable
      }
    }
    const intent: LimitOrderIntent = limitIntent(terms)
    const calls = allowingCalls(
      known,
      { tokenIn, sold, amount: request.amountIn },
      scheme === "PRESIGN" ? intent.uid : null
    )
    const needsOperation = calls.length > 0
    const isMarket = marketOut !== null && marketOut >= limit.minAmountOut
    return {
      ...request,
      amountOut: limit.minAmountOut,
      certainty: "FLOOR",
      blockNumber: null,
      route: [
        {
          amountIn: request.amountIn,
          amountOut: limit.minAmountOut,
          hops: [
            {
              venue: NAME,
              through: cowContracts.settlement,
              poolId: null,
              feePips: null,
              tokenIn: tokenIn.address,
              tokenOut: tokenOut.address
            }
          ]
        }
      ],
      fees: feesOf(limit, bought),
      takesFees: true,
      arrivesAs: bought,
      notices: noticesOf({ ...request, limit }, known),
      executionSeconds: isMarket ? AUCTION_SECONDS : (limit.expirationSeconds ?? WEEK_SECONDS),
      stages: [
        { name: LIMIT_ORDER, intent: needsOperation ? 1 : 0, status: "PROCESSING" },
        ...(needsOperation ? [] : [{ name: FINALITY, intent: null, status: "COMPLETED" as const }])
      ],
      forAmount: (amountIn) => Effect.sync(() => offerOf({ ...request, amountIn }, limit, known)),
      afterwards: null,
      intent: needsOperation
        ? { _tag: "Calls", calls: () => Effect.succeed(calls), after: () => Effect.succeed([intent]) }
        : { _tag: "Intents", intents: (_terms: OfferTerms) => Effect.succeed([intent]) }
    }
  }

  const provider: SwapProvider = {
    id: "LIMIT_ORDER_PROVIDER_A",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isLimitOrder && chainIdIn === chainIdOut && isEvmChainId(chainIdIn) && orderBookPaths[chainIdIn] !== undefined,
    limitProblems: (limit, nowSeconds) => [...expirationProblems(limit, nowSeconds), ...feeProblems(limit)],
    offer: Effect.fn("CowSwapProvider.offer")(function* (request): Effect.fn.Return<Offer, OfferError> {
      const { limit, tokenIn, tokenOut } = request
      const { chainId } = tokenIn
      if (limit === null || !isEvmChainId(chainId)) return yield* noRoute("it takes limit orders alone")
      if (limit.account === null) return yield* noRoute("the wallet is no smart account")
      if (wrapped(tokenIn, chainId).address === wrapped(tokenOut, chainId).address) {
        return yield* noRoute("the coin and its wrapped form have one price; a swap without a limit wraps it")
      }
      return offerOf(request, limit, yield* knowledge(request, limit, limit.account, chainId))
    })
  }
  return provider
})

const receiverOf = ({ recipient }: OrderLimit): Address => {
  if (!isEvmAddress(recipient)) throw new Error("An EVM chain has EVM receivers")
  return recipient
}
