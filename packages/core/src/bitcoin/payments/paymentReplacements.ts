import { Effect, Option } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import { isEvmAddress, maxBigInt } from "../../foundation/primitives/index.ts"
import type { Execution } from "../../operations/executions/index.ts"
import type { BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import { Preparations, QuoteStore } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { BitcoinTransactions, bitcoinToken, sumOf } from "../chain/index.ts"
import { bitcoinPaymentKind } from "./BitcoinPaymentContent.ts"
import { paymentQuotes } from "./paymentQuotes.ts"
import { planReplacement, rateOf } from "./planReplacement.ts"
import {
  insufficientFunds,
  notReplaceable,
  pendingTransactions,
  type ReplaceRequest,
  requireHigherRate
} from "./replacement.ts"
import { usableUtxos } from "./usableUtxos.ts"
import { walletPayments } from "./walletPayments.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

/** Quotes a transaction that replaces a pending transaction of the wallet and pays a higher fee (BIP-125). */
export const paymentReplacements = Effect.gen(function* () {
  const transactions = yield* BitcoinTransactions
  const preparations = yield* Preparations
  const quotes = yield* QuoteStore
  const payments = yield* walletPayments
  const requirePending = yield* pendingTransactions
  const { keep, requireWallet } = yield* paymentQuotes

  /** Returns an unconfirmed transaction of the wallet, and the outputs that its replacement keeps. */
  const pendingPayment = Effect.fnUntraced(function* (
    transaction: Transaction,
    execution: Execution,
    requestedKind: ReplaceRequest["kind"]
  ) {
    const replacedQuote = Option.getOrNull(yield* quotes.find(transaction.projectId, execution.quoteId))
    const intent = replacedQuote?.intents.find(
      (one): one is BitcoinTransactionIntent => one.type === "BITCOIN_TRANSACTION"
    )
    if (replacedQuote === null || intent?.terms === undefined || isEvmAddress(replacedQuote.walletAddress)) {
      return yield* notReplaceable("Only Bitcoin transactions can be replaced.")
    }
    const isPayment = replacedQuote.kind === bitcoinPaymentKind.kind
    // The replacement of a swap's deposit would be a separate operation, so no stage would track the swap.
    if (requestedKind === "BUMP" && !isPayment) {
      return yield* notReplaceable(
        "The fee of a swap's deposit can't be bumped. Cancel the deposit and request a new quote."
      )
    }
    yield* requirePending(transaction)
    const { outputs } =
      requestedKind === "BUMP" ? bitcoinPaymentKind.decode(replacedQuote.content!).preview : { outputs: [] }
    return {
      address: replacedQuote.walletAddress,
      metadata: replacedQuote.metadata,
      txid: transaction.legs[0]?.hash ?? intent.txid,
      terms: intent.terms,
      kept: outputs.filter(({ role }) => role !== "CHANGE")
    }
  })

  const replace = Effect.fnUntraced(function* (
    project: Project,
    request: ReplaceRequest,
    { address, kept: keptOutputs, metadata, terms, txid }: Effect.Success<ReturnType<typeof pendingPayment>>
  ) {
    const { feeRate: requestedFeeRate, kind: requestedKind, transactionId } = request
    const { kind, script, wallet } = yield* requireWallet(project, address)
    const [{ feeRate, incrementalFeeRate, withinBlocks }, { utxos, state }, prices] = yield* Effect.all(
      [
        payments.ratesFor(requestedFeeRate ?? undefined, "FAST"),
        payments.utxosOf(address, script, false),
        preparations.readPrices(0, [bitcoinToken])
      ],
      { concurrency: "unbounded" }
    )
    // Nodes would also evict the descendants, and require the replacement to pay their fees (BIP-125, rule 3).
    if ([...state.pendingSpends].some((outpoint) => outpoint.startsWith(`${txid}:`))) {
      return yield* notReplaceable(
        "Another payment of the wallet spends the change of this payment, and a replacement would also drop that payment. Replace that payment instead, because its fee speeds up both."
      )
    }
    const fee = sumOf(terms.inputs) - sumOf(terms.outputs)
    yield* requireHigherRate(request, feeRate, rateOf(fee, terms.maxWeight))
    const ownTxids = new Set(terms.inputs.map(({ txid }) => txid))
    const [otherUtxos = []] = usableUtxos(utxos, state)
    const confirmedUtxos: ReadonlyArray<PayableUtxo> = otherUtxos.filter(
      ({ block, txid }) => block !== null && !ownTxids.has(txid)
    )
    const selection = planReplacement<PayableUtxo>(
      {
        kind,
        script,
        feeRate,
        incrementalFeeRate,
        utxos: terms.inputs.map((input) => ({ ...input, block: null })),
        fee,
        weight: terms.maxWeight,
        outputs: keptOutputs.map(({ address: to, value }) => ({ script: transactions.scriptOf(to), value }))
      },
      confirmedUtxos
    )
    if (selection === null) return yield* insufficientFunds("a replacement", feeRate)
    return yield* keep(kind, {
      project,
      wallet,
      prices,
      payment: {
        walletAddress: address,
        script,
        key: wallet.key,
        selection,
        named: keptOutputs,
        feeRate: maxBigInt(feeRate, rateOf(selection.fee, selection.weight))
      },
      withinBlocks,
      tipHeight: state.tipHeight,
      shares: [],
      replaces: { kind: requestedKind, transactionId },
      metadata,
      warnings: []
    })
  })

  return Effect.fnUntraced(function* (
    project: Project,
    request: ReplaceRequest,
    transaction: Transaction,
    execution: Execution
  ) {
    return yield* replace(project, request, yield* pendingPayment(transaction, execution, request.kind))
  })
})
