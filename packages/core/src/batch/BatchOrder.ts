import type { RequestProblem } from "../errors/index.ts"
import type { FeeCollectors, FeeRequest } from "../fees/index.ts"
import type { Address } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { amountProblems, feeProblems, gasTokenProblems } from "../quotes/index.ts"
import { outputRecipientProblems } from "../swap/index.ts"
import type { Token } from "../tokens/index.ts"
import type { SmartWallet } from "../wallets/index.ts"
import type { BatchOperation, BatchRequest } from "./BatchRequest.ts"

/** An element whose tokens are known. */
export interface BatchStep {
  readonly operation: BatchOperation
  /** The token that is sent or sold. */
  readonly tokenIn: Token
  /** The token that a swap buys; null for a transfer. */
  readonly tokenOut: Token | null
  /** Base units of tokenIn. */
  readonly amount: bigint
  readonly toAddress: Address
  readonly fees: FeeRequest
}

export interface BatchOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly request: BatchRequest
  readonly payGasFeeToken: Token
  readonly steps: ReadonlyArray<BatchStep>
  readonly collectors: FeeCollectors
}

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/** The fees that an element asks for; a transfer asks for none. */
export const feesOf = ({ params, type }: BatchOperation): FeeRequest =>
  type === "swap" ? params : { transactionFeePercent: 0 }

export const amountOf = (operation: BatchOperation) =>
  operation.type === "swap"
    ? { field: "amountIn", amount: operation.params.amountIn }
    : { field: "amount", amount: operation.params.amount }

/** Elements with another gas token than the first element: a batch pays its gas once, with one token. */
export const gasTokensThatDiffer = ({ operations }: BatchRequest): ReadonlyArray<RequestProblem> =>
  operations.flatMap(({ params }, i) =>
    params.payGasFeeToken === operations[0]?.params.payGasFeeToken
      ? []
      : [
          problem(
            `operations[${i}].params.payGasFeeToken`,
            "gas_tokens_differ",
            "A batch pays its gas once, so every element must name the same payGasFeeToken as the first one."
          )
        ]
  )

/** All problems of an element whose tokens are known. */
export const stepProblems = (
  operation: BatchOperation,
  i: number,
  tokenIn: Token,
  tokenOut: Token | null,
  payGasFeeToken: Token
): ReadonlyArray<RequestProblem> => {
  const { amount, field } = amountOf(operation)
  const fields = tokenOut === null ? { token: tokenIn } : { tokenIn, tokenOut }
  const isSame = tokenOut !== null && tokenOut.address === tokenIn.address
  return [
    ...amountProblems(field, amount, tokenIn),
    ...(isSame ? [problem("tokenOut", "same_token", "tokenIn and tokenOut are the same token.")] : []),
    ...gasTokenProblems(operation.params, payGasFeeToken, fields),
    ...(operation.type === "swap" && operation.params.toAddress !== undefined
      ? outputRecipientProblems(operation.params.toAddress)
      : []),
    ...feeProblems(feesOf(operation))
  ].map((requestProblem) => ({ ...requestProblem, path: `operations[${i}].params.${requestProblem.path}` }))
}

/**
 * The element that pays the gas fee from its amount: the first that asks for this and sends the gas token; null where
 * the fee is added to the amount, or is taken from the output of a swap.
 */
export const gasBearer = ({ payGasFeeToken, steps }: BatchOrder): number | null => {
  const index = steps.findIndex(
    ({ operation, tokenIn }) =>
      operation.params.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && tokenIn.address === payGasFeeToken.address
  )
  return index < 0 ? null : index
}
