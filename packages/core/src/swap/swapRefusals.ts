import { Option } from "effect"
import { chainOf } from "../chains/index.ts"
import type { RequestProblem } from "../errors/index.ts"
import { baseUnitsOrNone, DecimalString, isEvmAddress } from "../primitives/index.ts"
import type { Token } from "../tokens/index.ts"
import type { SwapRequest } from "./SwapRequest.ts"

export interface SwapTokens {
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly payGasFeeToken: Token
}

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

const amountProblems = (path: string, amount: DecimalString, token: Token): ReadonlyArray<RequestProblem> => {
  const units = baseUnitsOrNone(amount, token.decimals)
  if (Option.isSome(units)) {
    return units.value === 0n ? [problem(path, "not_positive", "Expected an amount above zero.")] : []
  }
  const [whole = ""] = amount.split(".")
  const isTooLarge = Option.isNone(baseUnitsOrNone(DecimalString.make(whole), token.decimals))
  return isTooLarge
    ? [
        problem(
          path,
          "too_large",
          `${amount} ${token.symbol} is too large: a token holds at most 2^256 - 1 base units.`
        )
      ]
    : [problem(path, "too_many_decimals", `${token.symbol} has ${token.decimals} decimals; "${amount}" does not fit.`)]
}

/** Everything that is wrong with a swap whose tokens are known. */
export const swapProblems = (request: SwapRequest, tokens: SwapTokens): ReadonlyArray<RequestProblem> => {
  const { payGasFeeToken, tokenIn, tokenOut } = tokens
  const problems = [...amountProblems("amountIn", request.amountIn, tokenIn)]
  if (request.limit !== null) {
    problems.push(...amountProblems("minAmountOut", request.limit.minAmountOut, tokenOut))
  }
  if (tokenIn.address === tokenOut.address && tokenIn.chainId === tokenOut.chainId) {
    problems.push(problem("tokenOut", "same_token", "tokenIn and tokenOut are the same token on the same chain."))
  }
  if (request.routeProfile === "FASTEST_BRIDGE" && request.chainIdIn === request.chainIdOut) {
    problems.push(problem("routeProfile", "not_cross_chain", "FASTEST_BRIDGE is for cross-chain swaps only."))
  }
  if (
    request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" &&
    payGasFeeToken.address !== tokenIn.address &&
    payGasFeeToken.address !== tokenOut.address
  ) {
    problems.push(
      problem(
        "gasFeePaymentMethod",
        "gas_token_is_not_swapped",
        "DEDUCT_FROM_AMOUNT takes the gas fee out of what is swapped, so payGasFeeToken must be tokenIn or tokenOut. Use ADD_TO_AMOUNT to pay gas with another token."
      )
    )
  }
  if (isEvmAddress(request.toAddress) !== (request.chainIdOut !== 0)) {
    problems.push(problem("toAddress", "wrong_chain", `Expected an address of ${chainOf(request.chainIdOut).name}.`))
  }
  if (request.transactionFeePercent + (request.extraFee?.percentage ?? 0) >= 100) {
    problems.push(
      problem("extraFee", "fees_take_all", "transactionFeePercent and extraFee together leave nothing to swap.")
    )
  }
  return problems
}
