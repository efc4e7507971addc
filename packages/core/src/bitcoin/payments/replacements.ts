import { Effect, Option } from "effect"
import { endings, HistoryStore, type Transaction, TransactionNotFound } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { greater, isEvmAddress } from "../../foundation/primitives/index.ts"
import { type Execution, ExecutionStore } from "../../operations/executions/index.ts"
import type { BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import { Preparations, QuoteStore } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { BitcoinTransactions, bitcoinCoin, type FeeRate, sumOf, TransactionInBlock } from "../chain/index.ts"
import { bitcoinPaymentKind } from "./BitcoinPaymentContent.ts"
import { rateText } from "./feeRates.ts"
import { keptPayments } from "./keptPayments.ts"
import { planChild } from "./planChild.ts"
import { planReplacement, rateOf } from "./planReplacement.ts"
import { outpointText, usableCoins } from "./usableCoins.ts"
import type { PayableCoin } from "./walletCoins.ts"
import { walletPayments } from "./walletPayments.ts"

export interface ReplaceRequest {
  readonly transactionId: string
  readonly kind: "BUMP" | "CANCEL"
  /** In sat/vB; null for the rate of a block soon. */
  readonly feeRate: number | null
}

/** Weight units (Bitcoin Core, policy.h). */
const MAX_STANDARD_TX_WEIGHT = 400_000

const refuse = (reason: string) => BadRequest.of("transactionId", "not_replaceable", reason)

const tooPoor = (what: string, feeRate: FeeRate) =>
  BadRequest.of(
    "feeRate",
    "insufficient_funds",
    `The wallet's coins do not pay for ${what} at ${rateText(feeRate)} sat/vB.`
  )

/** Payments in the place of one that waits, and those that pay for a deposit that waits. */
export const replacements = Effect.gen(function* () {
  const transactions = yield* BitcoinTransactions
  const preparations = yield* Preparations
  const quotes = yield* QuoteStore
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore
  const making = yield* walletPayments
  const { keep, requireWallet } = yield* keptPayments

  /** The chain may have it in a block that its history does not have yet. */
  const requireWaiting = Effect.fnUntraced(function* ({ legs: [leg], status }: Transaction) {
    const hash = leg?.hash ?? null
    const found = hash === null ? null : yield* making.transaction(hash)
    if (found !== null && found.block !== null) {
      return yield* new TransactionInBlock({
        txid: found.txid,
        height: found.block.height,
        consequence: "A transaction in a block can't be replaced or cancelled."
      })
    }
    if (endings.has(status)) return yield* refuse(`It has ended as ${status}.`)
    return found
  })

  /** An unconfirmed transaction of the wallet, and the outputs that its replacement keeps. */
  const unconfirmedPayment = Effect.fnUntraced(function* (
    transaction: Transaction,
    execution: Execution,
    wanted: ReplaceRequest["kind"]
  ) {
    const before = Option.getOrNull(yield* quotes.find(transaction.projectId, execution.quoteId))
    const intent = before?.intents.find((one): one is BitcoinTransactionIntent => one.type === "BITCOIN_TRANSACTION")
    if (before === null || intent?.terms === undefined || isEvmAddress(before.walletAddress)) {
      return yield* refuse("Only Bitcoin transactions can be replaced.")
    }
    const isPayment = before.kind === bitcoinPaymentKind.kind
    // A bumped deposit would be an operation of its own, whose swap nothing follows.
    if (wanted === "BUMP" && !isPayment) {
      return yield* refuse("The deposit of a swap can't be bumped. Cancel it and request a new quote.")
    }
    yield* requireWaiting(transaction)
    const { outputs } = wanted === "BUMP" ? bitcoinPaymentKind.decode(before.content!).preview : { outputs: [] }
    return {
      address: before.walletAddress,
      metadata: before.metadata,
      txid: transaction.legs[0]?.hash ?? intent.txid,
      terms: intent.terms,
      kept: outputs.filter(({ role }) => role !== "CHANGE")
    }
  })

  /** A rate above that of the transaction that waits. */
  const requireHigher = Effect.fnUntraced(function* (asked: number | null, feeRate: FeeRate, before: FeeRate) {
    if (asked !== null && feeRate <= before) {
      return yield* BadRequest.of(
        "feeRate",
        "fee_rate_too_low",
        `Its fee rate is ${rateText(before)} sat/vB: give a higher one.`
      )
    }
  })

  const replacePayment = Effect.fnUntraced(function* (
    project: Project,
    { feeRate: asked, kind: wanted, transactionId }: ReplaceRequest,
    { address, kept, metadata, terms, txid }: Effect.Success<ReturnType<typeof unconfirmedPayment>>
  ) {
    const { kind, script, wallet } = yield* requireWallet(project, address)
    const [{ feeRate, incrementalFeeRate, withinBlocks }, { coins, state }, prices] = yield* Effect.all(
      [
        making.ratesFor(asked ?? undefined, "FAST"),
        making.coinsOf(address, script, false),
        preparations.prices(0, [bitcoinCoin])
      ],
      { concurrency: "unbounded" }
    )
    // Nodes would drop the descendants too, and require the replacement to pay their fees (BIP-125, rule 3).
    if ([...state.underWay].some((outpoint) => outpoint.startsWith(`${txid}:`))) {
      return yield* refuse(
        "Another payment of the wallet spends its change and would be lost with it. Replace that payment instead: its fee speeds up both."
      )
    }
    const fee = sumOf(terms.inputs) - sumOf(terms.outputs)
    yield* requireHigher(asked, feeRate, rateOf(fee, terms.maxWeight))
    const own = new Set(terms.inputs.map(({ txid }) => txid))
    const [more = []] = usableCoins(coins, state)
    const confirmed: ReadonlyArray<PayableCoin> = more.filter(({ block, txid }) => block !== null && !own.has(txid))
    const selection = planReplacement<PayableCoin>(
      {
        kind,
        script,
        feeRate,
        incrementalFeeRate,
        coins: terms.inputs.map((input) => ({ ...input, block: null })),
        fee,
        weight: terms.maxWeight,
        outputs: kept.map(({ address: to, value }) => ({ script: transactions.scriptOf(to), value }))
      },
      confirmed
    )
    if (selection === null) return yield* tooPoor("a replacement", feeRate)
    return yield* keep(kind, {
      project,
      wallet,
      prices,
      payment: {
        walletAddress: address,
        script,
        key: wallet.key,
        selection,
        named: kept,
        feeRate: greater(feeRate, rateOf(selection.fee, selection.weight))
      },
      withinBlocks,
      tipHeight: state.tipHeight,
      shares: [],
      replaces: { kind: wanted, transactionId },
      metadata,
      warnings: []
    })
  })

  /** A deposit that waits: its coins are the wallet's already, and a transaction that spends them pays for both. */
  const payForDeposit = Effect.fnUntraced(function* (
    project: Project,
    { feeRate: asked, kind: wanted }: ReplaceRequest,
    deposit: Transaction
  ) {
    const { chainIdIn, id, legs, metadata, type, walletAddress } = deposit
    const txid = legs[0]?.hash ?? null
    if (type !== "CRYPTO_DEPOSIT" || chainIdIn !== 0 || isEvmAddress(walletAddress) || txid === null) {
      return yield* refuse("Only Bitcoin transactions can be replaced.")
    }
    if (wanted === "CANCEL") return yield* refuse("It is an incoming payment: only its sender can cancel it.")
    const parent = yield* requireWaiting(deposit)
    if (parent === null) return yield* refuse("No node has it now: there is nothing to spend.")
    const { kind, script, wallet } = yield* requireWallet(project, walletAddress)
    const [{ feeRate, withinBlocks }, { coins, state }, prices] = yield* Effect.all(
      [
        making.ratesFor(asked ?? undefined, "FAST"),
        making.coinsOf(walletAddress, script, false),
        preparations.prices(0, [bitcoinCoin])
      ],
      { concurrency: "unbounded" }
    )
    if (parent.weight > MAX_STANDARD_TX_WEIGHT) {
      return yield* refuse(`Its weight is reported as ${parent.weight}: nodes do not relay such a transaction.`)
    }
    yield* requireHigher(asked, feeRate, rateOf(parent.fee, parent.weight))
    const received = coins.filter((coin) => coin.txid === txid && !state.underWay.has(outpointText(coin)))
    if (received.length === 0) return yield* refuse("Its coins are spent by another transaction of the wallet.")
    const [more = []] = usableCoins(coins, state)
    const selection = planChild<PayableCoin>(
      { kind, script, feeRate, parent, coins: received },
      more.filter(({ block }) => block !== null)
    )
    if (selection === null) return yield* tooPoor("a transaction that speeds it up", feeRate)
    // The node that reports the parent's fee and weight may be wrong: the loss stays below the deposit.
    const value = sumOf(received)
    if (selection.fee >= value) {
      return yield* BadRequest.of(
        "feeRate",
        "fee_exceeds_deposit",
        `The fee would be ${selection.fee} satoshis, and the deposit has ${value}. Give a lower feeRate, or wait.`
      )
    }
    return yield* keep(kind, {
      project,
      wallet,
      prices,
      payment: { walletAddress, script, key: wallet.key, selection, named: [], feeRate },
      withinBlocks,
      tipHeight: state.tipHeight,
      shares: [],
      replaces: { kind: "CHILD", transactionId: id },
      metadata,
      warnings: []
    })
  })

  return Effect.fn("BitcoinPayments.replace")(function* (project: Project, request: ReplaceRequest) {
    const { transactionId } = request
    const transaction = Option.getOrNull(yield* history.find(project.id, transactionId))
    if (transaction === null) return yield* new TransactionNotFound({ transactionId })
    const execution = Option.getOrNull(yield* executions.find(project.id, transactionId))
    return execution === null
      ? yield* payForDeposit(project, request, transaction)
      : yield* replacePayment(project, request, yield* unconfirmedPayment(transaction, execution, request.kind))
  })
})
