import { Effect, Result } from "effect"
import { type ChainId, chainOf, isEvmChainId } from "../../foundation/chains/index.ts"
import { type RequestProblem, requireValid } from "../../foundation/errors/index.ts"
import { feeShares } from "../../foundation/fees/index.ts"
import { isEvmAddress } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import {
  combineResults,
  feeProblem,
  gasTokenProblem,
  lookUps,
  type ResolvedRequest,
  requireNoProblems,
  resolveAmount,
  type ValidationResult
} from "../../operations/quotes/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import type { Wallet } from "../../wallets/registry/index.ts"
import { SwapQuoteUnavailable } from "./errors.ts"
import { evmFeesOf } from "./evmFees.ts"
import { outputRecipientProblems } from "./outputRecipient.ts"
import { type OrderLimit, SwapProviders } from "./provider/Offer.ts"
import { realWorldAssets } from "./realWorldAssets.ts"
import { SwapRequest } from "./SwapRequest.ts"

const requireSwapRequest = requireValid(SwapRequest)

type SwapTokens = SwapOrder["tokens"]

export interface SwapOrder extends ResolvedRequest<SwapRequest, "tokenIn" | "tokenOut" | "payGasFeeToken", Wallet> {
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  /** Null for a market swap. */
  readonly limit: OrderLimit | null
  /** The calls that add the wallet to the allowlists of its tokens, as a separate operation. Usually empty. */
  readonly joins: ReadonlyArray<Call>
}

const limitOf = (
  { request, wallet, collectors }: Pick<SwapOrder, "request" | "wallet" | "collectors">,
  tokenOut: Token
): ValidationResult<OrderLimit | null> => {
  const { expiration, minAmountOut, partialFillable, toAddress } = request
  return minAmountOut === undefined
    ? Result.succeed(null)
    : Result.map(resolveAmount("minAmountOut", minAmountOut, tokenOut), (units) => ({
        minAmountOut: units,
        expirationSeconds: expiration ?? null,
        partialFillable,
        account: wallet.type === "SMART" ? wallet.account : null,
        recipient: toAddress,
        feeShares: feeShares(evmFeesOf(request), collectors)
      }))
}

/** Returns the problems of a swap, except those of its amounts. */
const swapProblems = (
  request: SwapRequest,
  { payGasFeeToken, tokenIn, tokenOut }: SwapTokens
): ReadonlyArray<RequestProblem | null> => {
  const { chainIdIn, chainIdOut, extraFee, routeProfile, toAddress, walletAddress } = request
  const problem = (isWrong: boolean, path: string, code: string, message: string) =>
    isWrong ? { path, code, message } : null
  return [
    problem(
      isEvmChainId(chainIdIn) && !isEvmAddress(walletAddress),
      "walletAddress",
      "wrong_chain",
      `Expected a wallet of ${chainOf(chainIdIn).name}.`
    ),
    problem(
      chainIdIn === 0 && isEvmAddress(walletAddress),
      "walletAddress",
      "wrong_chain",
      "Expected a Bitcoin wallet, because tokenIn is on Bitcoin (`chainIdIn` 0)."
    ),
    problem(
      extraFee !== undefined && isEvmAddress(extraFee.toAddress) !== isEvmChainId(chainIdIn),
      "extraFee.toAddress",
      "wrong_chain",
      `Expected an address on ${chainOf(chainIdIn).name}, because the fee is paid on this chain.`
    ),
    problem(
      tokenIn.address === tokenOut.address && chainIdIn === chainIdOut,
      "tokenOut",
      "same_token",
      "tokenIn and tokenOut are the same token on the same chain."
    ),
    problem(
      routeProfile === "FASTEST_BRIDGE" && chainIdIn === chainIdOut,
      "routeProfile",
      "not_cross_chain",
      "FASTEST_BRIDGE is only for cross-chain swaps."
    ),
    gasTokenProblem(request, payGasFeeToken, { tokenIn }),
    problem(
      isEvmAddress(toAddress) !== isEvmChainId(chainIdOut),
      "toAddress",
      "wrong_chain",
      `Expected an address on ${chainOf(chainIdOut).name}.`
    ),
    ...outputRecipientProblems(toAddress),
    feeProblem(request)
  ]
}

/** Validates swap requests and resolves their tokens. */
export const swapOrders = Effect.gen(function* () {
  const lookUp = yield* lookUps
  const providers = yield* SwapProviders
  const assets = yield* realWorldAssets

  /**
   * Returns the fields whose chain this service must serve: usually the source and the destination. For a cross-chain
   * swap that a provider serves, only the source, and only if it is an EVM chain.
   */
  const chainFields = ({ chainIdIn, chainIdOut }: SwapRequest): Readonly<Record<string, ChainId>> => {
    const isCrossChain =
      chainIdIn !== chainIdOut &&
      providers.some((provider) => provider.serves({ chainIdIn, chainIdOut, isLimitOrder: false }))
    if (!isCrossChain) return { chainIdIn, chainIdOut }
    return isEvmChainId(chainIdIn) ? { chainIdIn } : {}
  }

  /** Returns the problems of a limit order that the chain's order books do not support. */
  const limitProblems = ({ chainIdIn, chainIdOut }: SwapRequest, limit: OrderLimit | null) =>
    limit === null
      ? []
      : providers
          .filter((provider) => provider.serves({ chainIdIn, chainIdOut, isLimitOrder: true }))
          .flatMap((provider) => provider.findLimitProblems?.(limit) ?? [])

  return Effect.fnUntraced(function* (project: Project, input: SwapRequest) {
    const request = yield* requireSwapRequest(input)
    const { chainIdIn, chainIdOut } = request
    yield* lookUp.served(chainFields(request))
    const wallet = yield* lookUp.wallet(project, request.walletAddress)
    const order = yield* lookUp.order(project, wallet, request, {
      tokenIn: { chainId: chainIdIn, address: request.tokenIn },
      tokenOut: { chainId: chainIdOut, address: request.tokenOut },
      payGasFeeToken: { chainId: chainIdIn, address: request.payGasFeeToken }
    })
    const { tokenIn, tokenOut } = order.tokens
    // The treasuries in `collectors` have EVM addresses, so they can't receive fees on Bitcoin.
    const collectors =
      chainIdIn === 0 ? { ...order.collectors, treasury: null, operatorTreasury: null } : order.collectors
    yield* assets.requireVerified(project, request, order.tokens)
    const { amountIn, limit } = yield* Effect.fromResult(
      combineResults({
        amountIn: resolveAmount("amountIn", request.amountIn, tokenIn),
        limit: Result.flatMap(limitOf(order, tokenOut), (limit) =>
          Result.map(requireNoProblems(limitProblems(request, limit)), () => limit)
        ),
        others: requireNoProblems(swapProblems(request, order.tokens))
      })
    )
    const allowlistCalls = yield* Effect.catchTag(
      assets.joiningCalls(wallet, request, order.tokens),
      "UPSTREAM_UNAVAILABLE",
      (error) => Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
    )
    return { ...order, collectors, amountIn, limit, joins: allowlistCalls } satisfies SwapOrder
  })
})
