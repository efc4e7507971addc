import { DateTime, Effect, Option } from "effect"
import { BadRequest, requireValid } from "../../foundation/errors/index.ts"
import { Entropy } from "../../foundation/primitives/index.ts"
import { mainOperation } from "../../operations/intents/index.ts"
import { lookUps, Preparations, preparedContent, preparedQuoteOf } from "../../operations/quotes/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { FailedToCreateFiatWithdraw } from "../errors.ts"
import { BankDestination } from "../methods/PaymentMethod.ts"
import { type BoundWithdrawal, type FiatProviderRequest, FiatProviders } from "../provider/FiatProvider.ts"
import { FIAT_PAYOUT, FIAT_SUBMISSION } from "./depositQuote.ts"
import type { FiatQuote } from "./FiatOrder.ts"
import { orderDetails } from "./fiatDetails.ts"
import { newOrder, orderStarts } from "./newOrder.ts"
import {
  allowanceUses,
  expectedWithdrawalMovements,
  netOfWithdrawal,
  planWithdrawal,
  signatureDeadlineOrNull,
  withdrawalExpiry,
  withdrawalKind
} from "./withdrawalPlan.ts"

/** Gas limit of the calls in a withdrawal's operation: the approval, and the payment of a fee. */
const CALL_GAS = 250_000n

const requireDestination = requireValid(BankDestination)

const providerRequestOf = (quote: FiatQuote, amount: bigint): FiatProviderRequest => ({
  projectId: quote.projectId,
  direction: quote.direction,
  method: quote.method,
  currency: quote.currency,
  token: quote.token,
  chainId: quote.chainId,
  walletAddress: quote.walletAddress,
  individualId: quote.individualId,
  amount
})

/** Creates the binding offer for a quoted withdrawal to a bank account, at its provider. */
const boundWithdrawals = Effect.gen(function* () {
  const providers = yield* FiatProviders

  return Effect.fnUntraced(function* (quote: FiatQuote, net: bigint, destination: BankDestination) {
    const provider = providers.find(({ name }) => name === quote.provider)
    if (provider === undefined) {
      return yield* new FailedToCreateFiatWithdraw({
        reason: `${quote.provider} is no longer configured. Request a new quote.`
      })
    }
    const boundWithdrawal = yield* provider
      .bindWithdrawal(providerRequestOf(quote, net), destination, quote.id)
      .pipe(
        Effect.mapError((error) =>
          error._tag === "FIAT_REFUSAL" && error.field !== undefined
            ? BadRequest.of(error.field, "refused", error.message)
            : new FailedToCreateFiatWithdraw({ reason: error.message })
        )
      )
    if (boundWithdrawal.fiatAmount < quote.fiatAmount) {
      return yield* new FailedToCreateFiatWithdraw({
        reason: "the provider now pays less than the quoted amount. Request a new quote."
      })
    }
    const deadline = signatureDeadlineOrNull(boundWithdrawal)
    if (deadline !== null && DateTime.isLessThanOrEqualTo(deadline, yield* DateTime.now)) {
      return yield* new FailedToCreateFiatWithdraw({
        reason: "the provider's offer ends before the operation can be included. Request a new quote."
      })
    }
    return boundWithdrawal
  })
})

/** Prepares the operation that sends the token to the provider or approves it, and the stages that follow. */
const preparedWithdrawals = Effect.gen(function* () {
  const preparations = yield* Preparations
  const chain = yield* ChainReader
  const lookUp = yield* lookUps

  /** Returns whether the provider still has an allowance from a failed withdrawal. */
  const hasAllowance = Effect.fnUntraced(function* (
    { chainId, token, walletAddress }: FiatQuote,
    { recipient, erc20Call }: BoundWithdrawal
  ) {
    if (erc20Call !== "APPROVE") return false
    const allowances = [{ token: token.address, spender: recipient }]
    const state = yield* chain.readAccountState(chainId, { address: walletAddress, tokens: [], allowances })
    return (state.allowances[0] ?? 0n) > 0n
  })

  return Effect.fnUntraced(function* (
    project: Project,
    orderId: string,
    quote: FiatQuote,
    boundWithdrawal: BoundWithdrawal
  ) {
    const { chainId, token } = quote
    const wallet = yield* lookUp.smartWallet(project, quote.walletAddress)
    const { collectors } = yield* lookUp.order(project, wallet, quote, {
      token: { chainId, address: token.address }
    })
    const openContext = yield* preparations.requestContext({
      project,
      wallet,
      chainId,
      payGasFeeToken: token,
      spent: [token]
    })
    const [context, prices] = yield* Effect.all([openContext, preparations.readPrices(chainId, [token])], {
      concurrency: 2
    })
    const preparation = yield* preparations.prepare(context, {
      callGas: CALL_GAS,
      plan: planWithdrawal(quote, boundWithdrawal, yield* hasAllowance(quote, boundWithdrawal), collectors),
      listSpentAmounts: () => [{ token, amount: quote.tokenAmount }]
    })
    const { fees, ...division } = preparation.plan
    const content = { ...preparedContent(preparation, prices, [...fees, ...quote.fees], chainId), orderId }
    return preparedQuoteOf({
      id: mainOperation(preparation.intents)!.hash,
      project,
      wallet,
      kind: withdrawalKind,
      prepared: { ...preparation, expiresAt: withdrawalExpiry(preparation.expiresAt, boundWithdrawal) },
      response: {
        type: "FIAT_WITHDRAWAL",
        content,
        expected: expectedWithdrawalMovements(quote, boundWithdrawal, boundWithdrawal.fiatAmount, division, prices),
        metadata: {},
        uses: allowanceUses(quote, boundWithdrawal),
        details: orderDetails({ id: orderId, quote, fiatAmount: boundWithdrawal.fiatAmount, receivedAmount: null })
      },
      chainIdIn: chainId,
      chainIdOut: chainId,
      stages: [
        { name: FIAT_SUBMISSION, intent: null, status: "PROCESSING" },
        { name: FIAT_PAYOUT, intent: null, status: "PROCESSING" }
      ]
    }).quote
  })
})

/**
 * Creates withdrawal orders: binds the offer at the provider, and stores the order with the operation that the owner
 * signs.
 */
export const withdrawalOrders = Effect.gen(function* () {
  const preparations = yield* Preparations
  const entropy = yield* Entropy
  const bindWithdrawal = yield* boundWithdrawals
  const prepare = yield* preparedWithdrawals
  const { insert, requireQuote } = yield* orderStarts

  return Effect.fn("FiatOrders.withdraw")(function* (project: Project, quoteId: string, input: BankDestination) {
    const destination = yield* requireDestination(input)
    const quote = yield* requireQuote(project, quoteId, "WITHDRAWAL")
    if (destination.type !== quote.method) {
      return yield* BadRequest.of(
        "paymentMethod.type",
        "not_as_quoted",
        `Expected ${quote.method}, the payment method of the quote.`
      )
    }
    const { tokenAmount, transactionFeePercent } = quote
    const net = Option.getOrThrow(netOfWithdrawal(tokenAmount, transactionFeePercent, project.treasury))
    const boundWithdrawal = yield* bindWithdrawal(quote, net, destination)
    const id = yield* entropy.uuid
    // The wallet and the token were checked when the fiat quote was created, so the first two errors occur only if one
    // of them was removed since.
    const executedQuote = yield* Effect.catchTag(
      prepare(project, id, quote, boundWithdrawal),
      ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", "NOT_AUTHORIZED_TOKENS", "UPSTREAM_UNAVAILABLE"],
      (error) => Effect.fail(new FailedToCreateFiatWithdraw({ reason: error.message }))
    )
    const order = newOrder(quote, yield* DateTime.now, {
      id,
      executedQuote: executedQuote.id,
      fiatAmount: boundWithdrawal.fiatAmount,
      providerQuote: boundWithdrawal.providerQuote,
      allowance:
        boundWithdrawal.erc20Call === "APPROVE"
          ? { spender: boundWithdrawal.recipient, amount: boundWithdrawal.tokenAmount }
          : null,
      expiresAt: executedQuote.expiresAt
    })
    yield* insert(order, Effect.catchTag(preparations.storeQuotes([executedQuote]), "QUOTE_EXISTS", Effect.die))
    return { order, executed: executedQuote }
  })
})
