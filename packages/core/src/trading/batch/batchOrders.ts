import { Effect, Result } from "effect"
import { type RequestProblem, requireValid } from "../../foundation/errors/index.ts"
import type { FeeRequest } from "../../foundation/fees/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { requireNoRealWorldAsset, type Token, type TokenRef } from "../../foundation/tokens/index.ts"
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
import type { Project } from "../../tenancy/projects/index.ts"
import { outputRecipientProblems } from "../swap/index.ts"
import { type BatchOperation, BatchRequest } from "./BatchRequest.ts"

/** A validated batch element with its tokens. */
export interface BatchStep {
  readonly operation: BatchOperation
  /** The token that is sent or sold. */
  readonly tokenIn: Token
  /** The token that a swap buys; null for a transfer. */
  readonly tokenOut: Token | null
  /** Base units of tokenIn. */
  readonly amount: bigint
  readonly toAddress: Address
  /** Zero for a transfer. */
  readonly fees: FeeRequest
}

export interface BatchOrder extends ResolvedRequest<BatchRequest, string> {
  readonly payGasFeeToken: Token
  readonly steps: ReadonlyArray<BatchStep>
}

const requireBatchRequest = requireValid(BatchRequest)

const pathOf = (i: number, field: string): string => `operations[${i}].params.${field}`

/** Returns the token fields of the request, by their path in it. */
const tokenFields = ({ chainId, operations }: BatchRequest): Readonly<Record<string, TokenRef>> =>
  Object.fromEntries(
    operations.flatMap(({ params, type }, i) => {
      const tokens = type === "swap" ? { tokenIn: params.tokenIn, tokenOut: params.tokenOut } : { token: params.token }
      return Object.entries({ ...tokens, payGasFeeToken: params.payGasFeeToken }).map(
        ([field, address]) => [pathOf(i, field), { chainId, address }] as const
      )
    })
  )

/**
 * Returns a problem for each element whose gas token differs from that of the first element. A batch pays its gas once,
 * in one token.
 */
const gasTokenProblems = ({ operations }: BatchRequest): ReadonlyArray<RequestProblem | null> =>
  operations.map(({ params }, i) =>
    params.payGasFeeToken === operations[0]?.params.payGasFeeToken
      ? null
      : {
          path: pathOf(i, "payGasFeeToken"),
          code: "gas_tokens_differ",
          message: "A batch pays its gas fee once, so all elements must have the payGasFeeToken of the first element."
        }
  )

/** Validates an element. Fails with all of its problems. */
const stepOf = (
  operation: BatchOperation,
  tokenOf: (field: string) => Token,
  payGasFeeToken: Token,
  wallet: Address
): ValidationResult<BatchStep> => {
  if (operation.type === "transfer") {
    const { params } = operation
    const token = tokenOf("token")
    const resolvedTransfer = combineResults({
      amount: resolveAmount("amount", params.amount, token),
      others: requireNoProblems([gasTokenProblem(params, payGasFeeToken, { token })])
    })
    const { toAddress } = params
    const fees = { transactionFeePercent: 0 }
    return Result.map(resolvedTransfer, ({ amount }) => ({
      operation,
      tokenIn: token,
      tokenOut: null,
      amount,
      toAddress,
      fees
    }))
  }
  const { params } = operation
  const { toAddress = wallet } = params
  const [tokenIn, tokenOut] = [tokenOf("tokenIn"), tokenOf("tokenOut")]
  const sameTokenProblem = { path: "tokenOut", code: "same_token", message: "tokenIn and tokenOut are the same token." }
  const resolvedSwap = combineResults({
    amount: resolveAmount("amountIn", params.amountIn, tokenIn),
    others: requireNoProblems([
      tokenOut.address === tokenIn.address ? sameTokenProblem : null,
      gasTokenProblem(params, payGasFeeToken, { tokenIn }),
      ...outputRecipientProblems(toAddress),
      feeProblem(params)
    ])
  })
  return Result.map(resolvedSwap, ({ amount }) => ({ operation, tokenIn, tokenOut, amount, toAddress, fees: params }))
}

/** Validates batch requests and resolves their tokens. */
export const batchOrders = Effect.gen(function* () {
  const lookUp = yield* lookUps

  return Effect.fnUntraced(function* (project: Project, input: BatchRequest) {
    const request = yield* requireBatchRequest(input)
    const { chainId, operations } = request
    yield* lookUp.served({ chainId })
    const wallet = yield* lookUp.smartWallet(project, request.walletAddress)
    const order = yield* lookUp.order(project, wallet, request, tokenFields(request))
    const tokenAt = (i: number) => (field: string) => order.tokens[pathOf(i, field)]!
    yield* requireNoRealWorldAsset(
      operations.flatMap(({ type }, i) => (type === "swap" ? ["tokenIn", "tokenOut"].map(tokenAt(i)) : []))
    )
    const payGasFeeToken = tokenAt(0)("payGasFeeToken")
    const { steps } = yield* Effect.fromResult(
      combineResults({
        gasToken: requireNoProblems(gasTokenProblems(request)),
        steps: combineResults(
          operations.map((operation, i) =>
            Result.mapError(stepOf(operation, tokenAt(i), payGasFeeToken, wallet.account.address), (refusal) =>
              refusal.withPaths((path) => pathOf(i, path))
            )
          )
        )
      })
    )
    return { ...order, payGasFeeToken, steps } satisfies BatchOrder
  })
})

/**
 * Returns the index of the element whose amount pays the gas fee: the first one that sends the gas token and requests
 * `DEDUCT_FROM_AMOUNT`. Null if there is none.
 */
export const gasPayingStepIndex = ({ payGasFeeToken, steps }: BatchOrder): number | null => {
  const index = steps.findIndex(
    ({ operation, tokenIn }) =>
      operation.params.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && tokenIn.address === payGasFeeToken.address
  )
  return index < 0 ? null : index
}
