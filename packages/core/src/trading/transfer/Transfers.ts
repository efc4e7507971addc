import { Context, Effect, Layer } from "effect"
import { requireValid } from "../../foundation/errors/index.ts"
import {
  combineResults,
  feeProblem,
  gasTokenProblem,
  lookUps,
  Preparations,
  type QuoteRefusal,
  requireNoProblems,
  resolveAmount
} from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { type TransferQuote, transferKind } from "./TransferContent.ts"
import { TransferRequest } from "./TransferRequest.ts"
import { expectedTransferMovements, planTransfer, type TransferOrder, transferContent } from "./transferPlan.ts"

/** Gas limit of the calls, including the fee payments. */
const CALL_GAS = 250_000n

const requireTransferRequest = requireValid(TransferRequest)

/** Quotes transfers of tokens and native tokens on EVM chains. */
export class Transfers extends Context.Service<
  Transfers,
  {
    /**
     * Prepares and stores a transfer. The caller executes it by its hash. If several errors apply, the first one in
     * this list is returned:
     * - a violation of the request schema
     * - the chain is not served
     * - the wallet is not registered
     * - the token is not listed
     * - all other problems of the request
     * - too much unpaid gas
     * - a gas token that no paymaster accepts
     */
    readonly quote: (project: Project, request: TransferRequest) => Effect.Effect<TransferQuote, QuoteRefusal>
  }
>()("@countersign/core/transfer/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const lookUp = yield* lookUps
      const preparations = yield* Preparations

      const resolve = Effect.fnUntraced(function* (project: Project, input: TransferRequest) {
        const request = yield* requireTransferRequest(input)
        const { chainId } = request
        yield* lookUp.served({ chainId })
        const wallet = yield* lookUp.smartWallet(project, request.walletAddress)
        const order = yield* lookUp.order(project, wallet, request, {
          token: { chainId, address: request.token },
          payGasFeeToken: { chainId, address: request.payGasFeeToken }
        })
        const { payGasFeeToken, token } = order.tokens
        const { amount } = yield* Effect.fromResult(
          combineResults({
            amount: resolveAmount("amount", request.amount, token),
            fees: requireNoProblems([gasTokenProblem(request, payGasFeeToken, { token }), feeProblem(request)])
          })
        )
        return { ...order, amount } satisfies TransferOrder
      })

      return Transfers.of({
        quote: Effect.fn("Transfers.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          const { request, tokens, wallet } = order
          const { payGasFeeToken, token } = tokens
          const { chainId, metadata } = request
          return yield* preparations.quote(
            { project, wallet, chainId, payGasFeeToken, spent: [token] },
            {
              kind: transferKind,
              readData: preparations.readPrices(chainId, [token, payGasFeeToken]),
              prepare: () => ({
                callGas: CALL_GAS,
                plan: planTransfer(order),
                listSpentAmounts: ({ split }) => [{ token, amount: order.amount - split.gasFee }]
              }),
              readExtraData: () => Effect.void,
              respond: ({ featureData: prices, prepared }) =>
                Effect.succeed({
                  type: "TRANSFER",
                  content: transferContent(order, prepared, prices),
                  expected: expectedTransferMovements(order, prepared.plan, prices),
                  metadata
                })
            }
          )
        })
      })
    })
  )
}
