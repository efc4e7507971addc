import { chainOf, isEvmChainId } from "../chains/index.ts"
import type { RequestProblem } from "../errors/index.ts"
import type { FeeCollectors } from "../fees/index.ts"
import { type DecimalString, isEvmAddress, type WalletAddress } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { amountProblems, feeProblems, gasTokenProblems } from "../quotes/index.ts"
import type { Wallet } from "../wallets/index.ts"
import { outputRecipientProblems } from "./outputRecipient.ts"
import type { SwapTokens } from "./SwapContent.ts"
import type { SwapRequest } from "./SwapRequest.ts"

/** A request with its wallet and tokens looked up. */
export interface SwapOrder {
  readonly project: Project
  readonly wallet: Wallet
  readonly request: SwapRequest
  readonly tokens: SwapTokens
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  readonly recipient: WalletAddress
  readonly collectors: FeeCollectors
}

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/** Everything that is wrong with a swap whose wallet and tokens are known. */
export const swapProblems = (request: SwapRequest, tokens: SwapTokens): ReadonlyArray<RequestProblem> => {
  const { payGasFeeToken, tokenIn, tokenOut } = tokens
  const problems = [...amountProblems("amountIn", request.amountIn, tokenIn)]
  if (request.minAmountOut !== undefined) {
    problems.push(...amountProblems("minAmountOut", request.minAmountOut, tokenOut))
  }
  if (isEvmChainId(request.chainIdIn) && !isEvmAddress(request.walletAddress)) {
    problems.push(problem("walletAddress", "wrong_chain", `Expected a wallet of ${chainOf(request.chainIdIn).name}.`))
  }
  if (tokenIn.address === tokenOut.address && tokenIn.chainId === tokenOut.chainId) {
    problems.push(problem("tokenOut", "same_token", "tokenIn and tokenOut are the same token on the same chain."))
  }
  if (request.routeProfile === "FASTEST_BRIDGE" && request.chainIdIn === request.chainIdOut) {
    problems.push(problem("routeProfile", "not_cross_chain", "FASTEST_BRIDGE is for cross-chain swaps only."))
  }
  problems.push(...gasTokenProblems(request, payGasFeeToken, { tokenIn, tokenOut }))
  if (isEvmAddress(request.toAddress) !== (request.chainIdOut !== 0)) {
    problems.push(problem("toAddress", "wrong_chain", `Expected an address of ${chainOf(request.chainIdOut).name}.`))
  }
  problems.push(...outputRecipientProblems(request.toAddress), ...feeProblems(request))
  return problems
}

/** The terms of a limit order; null for a swap at the market's price. */
export const limitOf = ({ expiration, minAmountOut, partialFillable }: SwapRequest) =>
  minAmountOut === undefined
    ? null
    : { minAmountOut: minAmountOut satisfies DecimalString, expirationSeconds: expiration ?? null, partialFillable }
