import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import type { Fee } from "@countersign/core/foundation/fees"
import {
  type Address,
  Entropy,
  isEvmAddress,
  percentFromRatio,
  shareRoundingDown
} from "@countersign/core/foundation/primitives"
import { type Token, tokenKey } from "@countersign/core/foundation/tokens"
import { FINALITY } from "@countersign/core/operations/executions"
import type { LimitOrderIntent } from "@countersign/core/operations/intents"
import { ChainReader } from "@countersign/core/operations/user-operations"
import { LIMIT_ORDER, OrderBook } from "@countersign/core/trading/limit-orders"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  type OrderLimit,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import type { Account } from "@countersign/core/wallets/registry"
import { DateTime, Effect } from "effect"
import { cowContracts, orderBookPaths, toWrappedToken } from "../../chains/deployments/index.ts"
import { bytesFromHex } from "../../chains/evm/index.ts"
import { allowingCalls } from "./allowingCalls.ts"
import { appDataText } from "./appData.ts"
import { limitIntent, type OrderTerms, schemeOf } from "./limitIntent.ts"
import { limitProblems } from "./limitProblems.ts"
import { noticesOf, type OrderFacts } from "./notices.ts"
import { orderLifetime } from "./orderLifetime.ts"

const NAME = "CoW Protocol"

/** Expected seconds until a marketable order is filled: one or two auctions. */
const AUCTION_SECONDS = 60
const SALT_BYTES = 8

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/** Converts the fees of the request to partner fees: fractions of the bought amount at the limit price. */
const feesOf = ({ feeShares, minAmountOut }: OrderLimit, tokenOut: Token): ReadonlyArray<Fee> =>
  feeShares.map(({ recipient, share, type }) => ({
    type,
    chainId: tokenOut.chainId,
    token: tokenOut.address,
    amount: shareRoundingDown(minAmountOut, share),
    toAddress: recipient,
    percentage: percentFromRatio(share)
  }))

/** Creates the provider of limit orders in CoW Protocol's order books. */
export const make = Effect.gen(function* () {
  const book = yield* OrderBook
  const reader = yield* ChainReader
  const entropy = yield* Entropy

  const readMarketAndAccount = Effect.fnUntraced(function* (
    request: OfferRequest,
    limit: OrderLimit,
    account: Account,
    chainId: EvmChainId
  ) {
    const soldToken = toWrappedToken(request.tokenIn)
    const boughtToken = toWrappedToken(request.tokenOut)
    const price = book
      .readMarketPrice({
        chainId,
        owner: account.address,
        receiver: receiverOf(limit),
        sellToken: soldToken.address,
        buyToken: boughtToken.address,
        sellAmount: request.amountIn
      })
      .pipe(Effect.catchTag("ORDER_REFUSED", ({ message }) => Effect.fail(noRoute(message))))
    const state = reader.readAccountState(chainId, {
      address: account.address,
      tokens: [request.tokenIn.address],
      allowances: [{ token: soldToken.address, spender: cowContracts.vaultRelayer }]
    })
    const [marketAmountOut, { allowances, balances, hasCode }, open, now] = yield* Effect.all(
      [price, state, book.readOpenOrders(chainId, account.address), DateTime.now],
      { concurrency: 3 }
    )
    const salt = bytesFromHex(`0x${Buffer.from(yield* entropy.bytes(SALT_BYTES)).toString("hex")}`)
    const nowSeconds = Math.floor(DateTime.toEpochMillis(now) / 1_000)
    const lifetime = orderLifetime(limit, nowSeconds)
    return {
      chainId,
      account,
      // A Safe that is not deployed can't verify a signature.
      isDeployed: hasCode || schemeOf(account) === "EIP712",
      balance: balances.get(tokenKey(request.tokenIn)) ?? 0n,
      allowance: allowances[0] ?? 0n,
      openOrdersAmount: open.remaining.get(soldToken.address) ?? 0n,
      maxAmount: request.amountIn,
      openCount: open.count,
      openLimit: open.limit,
      marketAmountOut,
      validTo: nowSeconds + lifetime.seconds,
      lifetime,
      appData: appDataText(limit.feeShares, salt)
    } satisfies OrderFacts
  })

  const offerOf = (request: OfferRequest, limit: OrderLimit, orderFacts: OrderFacts): Offer => {
    const { account, chainId, marketAmountOut } = orderFacts
    const { tokenIn, tokenOut } = request
    const soldToken = toWrappedToken(tokenIn)
    const boughtToken = toWrappedToken(tokenOut)
    const scheme = schemeOf(account)
    const terms: OrderTerms = {
      account,
      chainId,
      scheme,
      validTo: orderFacts.validTo,
      appDataText: orderFacts.appData,
      order: {
        sellToken: soldToken.address,
        buyToken: boughtToken.address,
        receiver: receiverOf(limit),
        sellAmount: request.amountIn,
        buyAmount: limit.minAmountOut,
        partiallyFillable: limit.partialFillable
      }
    }
    const intent: LimitOrderIntent = limitIntent(terms)
    const calls = allowingCalls(
      orderFacts,
      { tokenIn, soldToken, amount: request.amountIn },
      scheme === "PRESIGN" ? intent.uid : null
    )
    const needsOperation = calls.length > 0
    const isMarket = marketAmountOut !== null && marketAmountOut >= limit.minAmountOut
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
      fees: feesOf(limit, boughtToken),
      takesFees: true,
      arrivesAs: boughtToken,
      notices: noticesOf({ ...request, limit }, orderFacts),
      executionSeconds: isMarket ? AUCTION_SECONDS : orderFacts.lifetime.seconds,
      stages: [
        { name: LIMIT_ORDER, intent: needsOperation ? 1 : 0, status: "PROCESSING" },
        ...(needsOperation ? [] : [{ name: FINALITY, intent: null, status: "COMPLETED" as const }])
      ],
      requoteAmount: (amountIn) => Effect.sync(() => offerOf({ ...request, amountIn }, limit, orderFacts)),
      requestFollowUp: null,
      intent: needsOperation
        ? { _tag: "Calls", buildCalls: () => Effect.succeed(calls), listLaterIntents: () => Effect.succeed([intent]) }
        : { _tag: "Intents", buildIntents: (_terms: OfferTerms) => Effect.succeed([intent]) }
    }
  }

  const provider: SwapProvider = {
    id: "LIMIT_ORDER_PROVIDER_A",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isLimitOrder && chainIdIn === chainIdOut && isEvmChainId(chainIdIn) && orderBookPaths[chainIdIn] !== undefined,
    findLimitProblems: limitProblems,
    offer: Effect.fn("CowSwapProvider.offer")(function* (request): Effect.fn.Return<Offer, OfferError> {
      const { limit, tokenIn, tokenOut } = request
      const { chainId } = tokenIn
      if (limit === null || !isEvmChainId(chainId)) return yield* noRoute("it supports limit orders only")
      if (limit.account === null) return yield* noRoute("the wallet is not a smart account")
      if (toWrappedToken(tokenIn).address === toWrappedToken(tokenOut).address) {
        return yield* noRoute(
          "the native token and its wrapped form always have the same price. A swap without a limit wraps or unwraps it"
        )
      }
      return offerOf(request, limit, yield* readMarketAndAccount(request, limit, limit.account, chainId))
    })
  }
  return provider
})

const receiverOf = ({ recipient }: OrderLimit): Address => {
  if (!isEvmAddress(recipient)) throw new Error("The receiver on an EVM chain must be an EVM address")
  return recipient
}
