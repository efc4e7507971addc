import { Effect, Option } from "effect"
import type { TransactionDraft } from "../../../accounting/history/index.ts"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { deductFees, type FeeDeduction } from "../../../foundation/fees/index.ts"
import { type Address, decimalFromBaseUnits, type Metadata } from "../../../foundation/primitives/index.ts"
import type { QuotedPrices, Token } from "../../../foundation/tokens/index.ts"
import {
  expectedMovements,
  feeMovementsOf,
  feeProblem,
  gasTokenProblem,
  type PlanParameters,
  Preparations,
  preparedContent,
  type QuoteData,
  type QuoteKind,
  type ResolvedRequest,
  requireNoProblems,
  resolveAmount,
  type Use
} from "../../../operations/quotes/index.ts"
import { type Call, transferCall } from "../../../operations/user-operations/index.ts"
import { outputRecipientProblems } from "../../swap/index.ts"
import type { LiquidityRefusal } from "../errors.ts"
import type { CreateLiquidityContent } from "../LiquidityContent.ts"
import type { Deposit, MarketError } from "../LiquidityMarket.ts"
import type { AddLiquidityRequest, CreateLiquidityRequest } from "../LiquidityRequest.ts"
import { LiquidityYields, type YieldEstimator } from "../LiquidityYields.ts"
import { checkCosts, LiquiditySettings } from "../plan/bounds.ts"
import { placementContent } from "../plan/contents.ts"
import type { DisplayPair } from "../plan/poolPrices.ts"
import { priceProblem } from "../plan/requestedRange.ts"
import { type LiquidityError, rejectDeposit } from "./context.ts"

type DepositRequest = CreateLiquidityRequest | AddLiquidityRequest
/**
 * The content of a deposit quote without its request. Only the requests of creating and adding have different types.
 */
type DepositContent = Omit<CreateLiquidityContent, "request">

type DepositTokens = Readonly<Record<"tokenIn" | "payGasFeeToken", Token>>

interface DepositOrder extends ResolvedRequest<DepositRequest, "tokenIn" | "payGasFeeToken"> {
  /** Base units of `tokenIn`. */
  readonly amountIn: bigint
}

/** The position or price range that receives a deposit. */
export interface DepositTarget {
  readonly pair: DisplayPair
  readonly pool: Address
  readonly manager: Address
  /** Whether the operation creates or initializes the pool. */
  readonly poolCreated: boolean
  readonly prices: QuotedPrices
  readonly deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
  /** The subject and details of the transaction, and the resources that the operation uses. */
  readonly about: Pick<TransactionDraft, "details" | "subject"> & { readonly uses?: ReadonlyArray<Use> }
  readonly metadata: Metadata
}

interface DepositPlan extends FeeDeduction {
  readonly deposit: Deposit
  readonly calls: ReadonlyArray<Call>
}

const CALL_GAS = 1_000_000n
/** Gas limit of a deposit into a new pool. It is high, because creating a pool deploys a contract. */
const NEW_POOL_CALL_GAS = 6_000_000n

/** Validates the values of a deposit request. */
export const depositFields = (request: DepositRequest, { payGasFeeToken, tokenIn }: DepositTokens) => ({
  amountIn: resolveAmount("amountIn", request.amountIn, tokenIn),
  others: requireNoProblems([
    gasTokenProblem(request, payGasFeeToken, { tokenIn }),
    feeProblem(request),
    ...("toAddress" in request ? outputRecipientProblems(request.toAddress) : []),
    priceProblem(request)
  ])
})

/** Plans a deposit: the amount after fees, the resulting liquidity, and the calls for the fees and the deposit. */
const planDeposit = (
  { amountIn, collectors, request, tokens: { tokenIn }, wallet }: DepositOrder,
  deposit: DepositTarget["deposit"]
) =>
  Effect.fnUntraced(function* ({
    deadline,
    maxGasFee
  }: PlanParameters): Effect.fn.Return<DepositPlan, BadRequest | MarketError> {
    const gasFee = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n
    const feeDeduction = deductFees(tokenIn, amountIn, gasFee, request, collectors)
    if (Option.isNone(feeDeduction)) {
      return yield* BadRequest.of(
        "amountIn",
        "fees_exceed_amount",
        `The fees equal or exceed the amount of ${request.amountIn} ${tokenIn.symbol}. The gas fee can be up to ${decimalFromBaseUnits(maxGasFee, tokenIn.decimals)}.`
      )
    }
    const { payments, split } = feeDeduction.value
    const offeredDeposit = yield* deposit(split.net)
    const account = wallet.account.address
    const calls = offeredDeposit.buildCalls({
      sender: account,
      recipient: "toAddress" in request ? request.toAddress : account,
      slippagePercent: request.slippage,
      deadline
    })
    return {
      ...feeDeduction.value,
      deposit: offeredDeposit,
      calls: [...payments.map(({ amount, recipient }) => transferCall(tokenIn, recipient, amount)), ...calls]
    }
  })

/** Builds the content of a deposit quote, without its request. */
const contentOf = (
  { amountIn, collectors, request, tokens: { payGasFeeToken, tokenIn } }: DepositOrder,
  {
    featureData: { manager, pair, poolCreated, prices },
    beside: yieldOf,
    prepared
  }: QuoteData<DepositTarget, YieldEstimator, DepositPlan>,
  warnings: ReadonlyArray<string>
): DepositContent => {
  const { isInOrder, token0, token1 } = pair
  const { deposit, fees, split } = prepared.plan
  const { forToken0, forToken1 } = deposit
  return {
    ...preparedContent(prepared, prices, fees, request.chainId),
    ...placementContent(deposit, pair),
    warnings,
    collectors,
    tokens: { token0, token1, tokenIn, payGasFeeToken },
    amountIn,
    split,
    forToken0: isInOrder ? forToken0 : forToken1,
    forToken1: isInOrder ? forToken1 : forToken0,
    estimatedApr: yieldOf({ ...deposit, isInPool: false }),
    manager,
    poolCreated
  }
}

/** Returns the expected movements out of the wallet: the deposit and its fees. */
const expectedMovementsOf = (
  { tokens: { tokenIn }, wallet }: DepositOrder,
  { pool, prices }: DepositTarget,
  { payments, split }: DepositPlan
) => {
  const account = wallet.account.address
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token: tokenIn, amount: split.net, counterparty: pool },
      ...feeMovementsOf(account, tokenIn, payments)
    ],
    prices.usd
  )
}

/** Creates quotes for deposits of one token into a range. */
export const depositQuoter = Effect.gen(function* () {
  const preparations = yield* Preparations
  const settings = yield* LiquiditySettings
  const yields = yield* LiquidityYields

  const responseOf = Effect.fnUntraced(function* (
    order: DepositOrder,
    preparedData: QuoteData<DepositTarget, YieldEstimator, DepositPlan>
  ) {
    const { about, metadata, pair, prices } = preparedData.featureData
    const { plan } = preparedData.prepared
    const { deposit } = plan
    const costs = { ...deposit, sqrtPricesX96: [deposit.sqrtPriceX96], pair }
    const warnings = yield* Effect.fromResult(checkCosts(costs, prices, settings, order.request, "amountIn"))
    return {
      content: contentOf(order, preparedData, warnings),
      expected: expectedMovementsOf(order, preparedData.featureData, plan),
      ...about,
      metadata
    }
  })

  return <Request extends DepositRequest>(
    order: DepositOrder & { readonly request: Request },
    type: "LIQUIDITY_CREATE" | "LIQUIDITY_ADD",
    kind: QuoteKind<DepositContent & { readonly request: Request }>,
    readData: Effect.Effect<DepositTarget, LiquidityError | LiquidityRefusal>
  ) => {
    const { project, request, tokens, wallet } = order
    const { payGasFeeToken, tokenIn } = tokens
    const { chainId } = request
    const quoteEffect = preparations.quote(
      { project, wallet, chainId, payGasFeeToken, spent: [tokenIn] },
      {
        kind,
        readData,
        prepare: ({ deposit, poolCreated }) => ({
          callGas: poolCreated ? NEW_POOL_CALL_GAS : CALL_GAS,
          plan: planDeposit(order, deposit),
          listSpentAmounts: ({ split }: DepositPlan) => [{ token: tokenIn, amount: order.amountIn - split.gasFee }]
        }),
        readExtraData: ({ pool, poolCreated }): Effect.Effect<YieldEstimator> =>
          poolCreated ? Effect.succeed(() => null) : yields(chainId, pool),
        respond: (preparedData) =>
          Effect.map(responseOf(order, preparedData), (response) => ({
            ...response,
            type,
            content: { ...response.content, request }
          }))
      }
    )
    return Effect.catchTag(quoteEffect, "LIQUIDITY_REFUSAL", rejectDeposit)
  }
})
