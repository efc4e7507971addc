import { Context, Effect, Layer, Option } from "effect"
import {
  type BadRequest,
  type RequestProblem,
  requireNoProblem,
  requireValid,
  type UpstreamUnavailable
} from "../errors/index.ts"
import { feePayments } from "../fees/index.ts"
import type { Movement } from "../history/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import { baseUnitsOrNone, withAssumptions } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import {
  contentOfPrepared,
  gasFeeOf,
  Preparations,
  type Prepared,
  QuoteSettings,
  QuoteStore,
  quoteOfPrepared
} from "../quotes/index.ts"
import {
  endsOf,
  IndividualVerificationRequired,
  priceImpactE18,
  SwapProviders,
  SwapQuoteUnavailable
} from "../swap/index.ts"
import {
  type ByToken,
  type QuotedPrices,
  quotedPrices,
  requireListed,
  type Token,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "../tokens/index.ts"
import type { GasLimits } from "../user-operations/index.ts"
import { WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { type BatchContent, type BatchQuote, batchKind } from "./BatchContent.ts"
import { amountOf, type BatchOrder, type BatchStep, feesOf, gasTokensThatDiffer, stepProblems } from "./BatchOrder.ts"
import { type BatchOperation, BatchRequest } from "./BatchRequest.ts"
import { type BatchPlan, planBatch } from "./batchPlan.ts"
import { BatchElementUnavailable } from "./errors.ts"

export type BatchError =
  | WalletNotRegistered
  | TokensNotAuthorized
  | IndividualVerificationRequired
  | BadRequest
  | SwapQuoteUnavailable
  | UnpaidGasLimit
  | BatchElementUnavailable

const requireBatchRequest = requireValid(BatchRequest)

/** A generous gas limit for such a batch of a wallet that is not deployed. */
const provisionalLimits = (steps: ReadonlyArray<BatchStep>): GasLimits => ({
  callGasLimit: steps.reduce((gas, { tokenOut }) => gas + (tokenOut === null ? 80_000n : 400_000n), 100_000n),
  verificationGasLimit: 350_000n,
  preVerificationGas: 60_000n + 8_000n * BigInt(steps.length),
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
})

/** The fields of an element that name tokens. */
const tokenFields = (operation: BatchOperation): ReadonlyArray<readonly [string, BatchRequest["walletAddress"]]> =>
  operation.type === "swap"
    ? [
        ["tokenIn", operation.params.tokenIn],
        ["tokenOut", operation.params.tokenOut]
      ]
    : [["token", operation.params.token]]

/** The expected movements, as quoted. */
const expectedOf = (order: BatchOrder, plan: BatchPlan, prices: ByToken<UsdPriceE18>): ReadonlyArray<Movement> => {
  const account = order.wallet.account.address
  const move = (
    token: Token,
    amount: bigint,
    fields: Pick<Movement, "account" | "counterparty" | "direction" | "role">
  ) => ({
    ...fields,
    asset: { chainId: order.request.chainId, token: token.address },
    amount,
    usd: usdValueOrNull(amount, token, prices.get(tokenKey(token))),
    leg: 0
  })
  return plan.elements.flatMap((element, i): ReadonlyArray<Movement> => {
    const out = { direction: "OUT", account } as const
    if (element.type === "transfer") {
      return [move(element.token, element.split.net, { ...out, role: "PRINCIPAL", counterparty: element.toAddress })]
    }
    const ends = endsOf(element.route)
    const payments = feePayments(element.split, order.steps[i]!.fees, order.collectors)
    return [
      move(element.tokenIn, element.split.net, {
        ...out,
        role: "PRINCIPAL",
        counterparty: ends.first
      }),
      ...payments.map(({ amount, recipient }) =>
        move(element.tokenIn, amount, { ...out, role: "FEE", counterparty: recipient })
      ),
      move(element.tokenOut, element.amountOut, {
        direction: "IN",
        role: "PRINCIPAL",
        account: element.toAddress,
        counterparty: ends.last
      })
    ]
  })
}

const contentOf = (order: BatchOrder, prepared: Prepared<BatchPlan>, prices: QuotedPrices): BatchContent => {
  const { elements } = prepared.operation.plan
  return {
    ...contentOfPrepared(prepared, prices),
    request: order.request,
    payGasFeeToken: order.payGasFeeToken,
    elements: elements.map((element) =>
      element.type === "swap" ? { ...element, priceImpactE18: priceImpactE18(element, prices.usd) } : element
    ),
    collectors: order.collectors,
    fees: [
      gasFeeOf(prepared.gas, prepared.intent),
      ...elements.flatMap((element) => (element.type === "swap" ? element.fees : []))
    ]
  }
}

/** Transfers and swaps joined into one operation. */
export class Batches extends Context.Service<
  Batches,
  {
    /**
     * Prepares a batch and stores it, to be executed by its hash. Refusals in this order: wallet not registered, tokens
     * not listed, real-world asset without a verified individual, all other problems of the request (all at
     * once), a gas token that no paymaster accepts, a swap without a quote.
     */
    readonly quote: (project: Project, request: BatchRequest) => Effect.Effect<BatchQuote, BatchError>
  }
>()("@countersign/core/batch/Batches") {
  static readonly layer = Layer.effect(
    Batches,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const providers = yield* SwapProviders
      const preparations = yield* Preparations
      const store = yield* QuoteStore
      const { operatorSharePercent, operatorTreasury } = yield* QuoteSettings

      /** The tokens of each element, and the one that pays the gas. */
      const tokensOf = Effect.fnUntraced(function* ({ chainId, operations }: BatchRequest) {
        const fields = operations.flatMap((operation, i) =>
          [...tokenFields(operation), ["payGasFeeToken", operation.params.payGasFeeToken] as const].map(
            ([field, address]) => ({ field: `operations[${i}].params.${field}`, chainId, address })
          )
        )
        const tokens = yield* requireListed(catalog, fields)
        const byAddress = new Map(tokens.map((token) => [token.address, token]))
        return (address: Token["address"]): Token => byAddress.get(address)!
      })

      const resolve = Effect.fnUntraced(function* (project: Project, input: BatchRequest) {
        const request = yield* requireBatchRequest(input)
        const wallet = yield* wallets.require(project.id, request.walletAddress)
        if (wallet.type !== "SMART") return yield* new WalletNotRegistered({ walletAddress: request.walletAddress })
        const tokenAt = yield* tokensOf(request)
        const payGasFeeToken = tokenAt(request.operations[0]!.params.payGasFeeToken)
        const problems: Array<RequestProblem> = [...gasTokensThatDiffer(request)]
        const steps = request.operations.map((operation, i): BatchStep => {
          const isSwap = operation.type === "swap"
          const tokenIn = tokenAt(isSwap ? operation.params.tokenIn : operation.params.token)
          const tokenOut = isSwap ? tokenAt(operation.params.tokenOut) : null
          problems.push(...stepProblems(operation, i, tokenIn, tokenOut, payGasFeeToken))
          return {
            operation,
            tokenIn,
            tokenOut,
            amount: Option.getOrElse(baseUnitsOrNone(amountOf(operation).amount, tokenIn.decimals), () => 0n),
            toAddress: operation.params.toAddress ?? wallet.account.address,
            fees: feesOf(operation)
          }
        })
        const realWorldAsset = steps
          .flatMap(({ tokenIn, tokenOut }) => (tokenOut === null ? [] : [tokenIn, tokenOut]))
          .find((token) => token.realWorldAsset)
        if (realWorldAsset !== undefined) {
          return yield* new IndividualVerificationRequired({ symbol: realWorldAsset.symbol })
        }
        yield* requireNoProblem(problems)
        const order: BatchOrder = {
          project,
          wallet,
          request,
          payGasFeeToken,
          steps,
          collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
        }
        return order
      })

      /** The provider and its offer for the first swap; both null where the batch has no swap. */
      const firstOffer = Effect.fnUntraced(function* ({ request, steps }: BatchOrder) {
        const index = steps.findIndex(({ tokenOut }) => tokenOut !== null)
        const step = steps[index]
        if (step === undefined || step.tokenOut === null) return { provider: null, offer: null }
        const { chainId } = request
        const market = { chainIdIn: chainId, chainIdOut: chainId, isLimitOrder: false }
        const provider = providers.find((candidate) => candidate.serves(market))
        if (provider === undefined) {
          return yield* new BatchElementUnavailable({ index, reason: "no provider serves this chain" })
        }
        const { amount: amountIn, tokenIn, tokenOut } = step
        const offer = yield* Effect.mapError(
          provider.offer({ tokenIn, tokenOut, amountIn, limit: null }),
          (error) => new BatchElementUnavailable({ index, reason: error.message })
        )
        return { provider, offer }
      })

      const pricesFor = ({ payGasFeeToken, request, steps }: BatchOrder) =>
        quotedPrices(prices, request.chainId, [
          payGasFeeToken,
          ...steps.flatMap(({ tokenIn, tokenOut }) => (tokenOut === null ? [tokenIn] : [tokenIn, tokenOut]))
        ])

      const prepare = Effect.fnUntraced(function* (order: BatchOrder) {
        const { payGasFeeToken, request, steps, wallet } = order
        const account = {
          chainId: request.chainId,
          account: wallet.account,
          payGasFeeToken,
          tokens: steps.map(({ tokenIn }) => tokenIn.address)
        }
        const terms = yield* preparations.gasTerms({ ...account, projectId: order.project.id })
        const [context, { offer, provider }, quoted] = yield* Effect.all(
          [preparations.open(account, terms), firstOffer(order), pricesFor(order)],
          { concurrency: 3 }
        )
        const prepared = yield* preparations.prepare(context, {
          provisionalLimits: provisionalLimits(steps),
          plan: planBatch(order, provider, offer),
          spends: ({ elements }) =>
            elements.map(({ split }, i) => ({ token: steps[i]!.tokenIn, amount: steps[i]!.amount - split.gasFee }))
        })
        return { prepared, quoted }
      })

      return Batches.of({
        quote: Effect.fn("Batches.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          const { prepared, quoted } = yield* Effect.catchTag(
            withAssumptions(prepare(order)),
            "UPSTREAM_UNAVAILABLE",
            (error: UpstreamUnavailable) => Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
          )
          const content = contentOf(order, prepared, quoted)
          const quote = quoteOfPrepared({
            project,
            kind: batchKind,
            content,
            prepared,
            transaction: { type: "BATCH", expected: expectedOf(order, prepared.operation.plan, quoted.usd) },
            metadata: order.request.metadata
          })
          yield* store.insert([quote])
          return { quote, content }
        })
      })
    })
  )
}
