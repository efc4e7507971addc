import { Context, Effect, Layer, Option } from "effect"
import { type BadRequest, requireNoProblem, requireValid, type UpstreamUnavailable } from "../errors/index.ts"
import { listedFees } from "../fees/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import { baseUnitsOrNone, withAssumptions } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import {
  amountProblems,
  contentOfPrepared,
  feeProblems,
  gasFeeOf,
  gasTokenProblems,
  Preparations,
  type Prepared,
  QuoteSettings,
  QuoteStore,
  quoteOfPrepared
} from "../quotes/index.ts"
import {
  type QuotedPrices,
  quotedPrices,
  requireListed,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized
} from "../tokens/index.ts"
import type { GasLimits } from "../user-operations/index.ts"
import { WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { type TransferContent, type TransferQuote, transferKind } from "./TransferContent.ts"
import { TransferRequest } from "./TransferRequest.ts"
import { expectedOfTransfer, planTransfer, type TransferOrder, type TransferPlan } from "./transferPlan.ts"

export type TransferError =
  | WalletNotRegistered
  | TokensNotAuthorized
  | BadRequest
  | UnpaidGasLimit
  | UpstreamUnavailable

/** A generous gas limit for a transfer with its fees, of a wallet that is not deployed. */
const provisionalLimits: GasLimits = {
  callGasLimit: 250_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

const requireTransferRequest = requireValid(TransferRequest)

/** The computed content of a transfer that is ready to be signed. */
const contentOf = (order: TransferOrder, prepared: Prepared<TransferPlan>, prices: QuotedPrices): TransferContent => {
  const { collectors, request, tokens } = order
  const { split } = prepared.operation.plan
  return {
    ...contentOfPrepared(prepared, prices),
    request,
    tokens,
    amount: order.amount,
    split,
    collectors,
    fees: [gasFeeOf(prepared.gas, prepared.intent), ...listedFees(tokens.token, split, request, collectors)]
  }
}

/** Transfers of tokens and coin on EVM chains. */
export class Transfers extends Context.Service<
  Transfers,
  {
    /**
     * Prepares a transfer and stores it, to be executed by its hash. Refusals in this order: wallet not registered,
     * tokens not listed, all other problems of the request (all at once), gas left unpaid before, a gas token that no
     * paymaster accepts.
     */
    readonly quote: (project: Project, request: TransferRequest) => Effect.Effect<TransferQuote, TransferError>
  }
>()("@countersign/core/transfer/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const preparations = yield* Preparations
      const store = yield* QuoteStore
      const { operatorSharePercent, operatorTreasury } = yield* QuoteSettings

      const resolve = Effect.fnUntraced(function* (project: Project, input: TransferRequest) {
        const request = yield* requireTransferRequest(input)
        const { chainId } = request
        const wallet = yield* wallets.require(project.id, request.walletAddress)
        if (wallet.type !== "SMART") return yield* new WalletNotRegistered({ walletAddress: request.walletAddress })
        const [token, payGasFeeToken] = yield* requireListed(catalog, [
          { field: "token", chainId, address: request.token },
          { field: "payGasFeeToken", chainId, address: request.payGasFeeToken }
        ])
        const tokens = { token: token!, payGasFeeToken: payGasFeeToken! }
        yield* requireNoProblem([
          ...amountProblems("amount", request.amount, tokens.token),
          ...gasTokenProblems(request, tokens.payGasFeeToken, { token: tokens.token }),
          ...feeProblems(request)
        ])
        const order: TransferOrder = {
          project,
          wallet,
          request,
          tokens,
          amount: Option.getOrThrow(baseUnitsOrNone(request.amount, tokens.token.decimals)),
          collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
        }
        return order
      })

      const prepare = Effect.fnUntraced(function* (order: TransferOrder) {
        const { chainId } = order.request
        const { payGasFeeToken, token } = order.tokens
        const account = { chainId, account: order.wallet.account, payGasFeeToken, tokens: [token.address] }
        const terms = yield* preparations.gasTerms({ ...account, projectId: order.project.id })
        const [context, quoted] = yield* Effect.all(
          [preparations.open(account, terms), quotedPrices(prices, chainId, [token, payGasFeeToken])],
          { concurrency: 2 }
        )
        const prepared = yield* preparations.prepare(context, {
          provisionalLimits,
          plan: planTransfer(order),
          spends: ({ split }) => [{ token, amount: order.amount - split.gasFee }]
        })
        return { prepared, quoted }
      })

      return Transfers.of({
        quote: Effect.fn("Transfers.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          const { prepared, quoted } = yield* withAssumptions(prepare(order))
          const content = contentOf(order, prepared, quoted)
          const expected = expectedOfTransfer(order, prepared.operation.plan.split, quoted.usd)
          const quote = quoteOfPrepared({
            project,
            kind: transferKind,
            content,
            prepared,
            transaction: { type: "TRANSFER", expected },
            metadata: order.request.metadata
          })
          yield* store.insert([quote])
          return { quote, content }
        })
      })
    })
  )
}
