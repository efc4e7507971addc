import { Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { isEvmAddress } from "../../foundation/primitives/index.ts"
import { Preparations } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { bitcoinToken, sumOf } from "../chain/index.ts"
import { paymentQuotes } from "./paymentQuotes.ts"
import { planChild } from "./planChild.ts"
import { rateOf } from "./planReplacement.ts"
import {
  insufficientFunds,
  notReplaceable,
  pendingTransactions,
  type ReplaceRequest,
  requireHigherRate
} from "./replacement.ts"
import { outpointText, usableUtxos } from "./usableUtxos.ts"
import { walletPayments } from "./walletPayments.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

/** Maximum weight in weight units that nodes relay (Bitcoin Core, policy.h). */
const MAX_STANDARD_TX_WEIGHT = 400_000

/**
 * Quotes a child transaction that speeds up a pending deposit: it spends the deposit's outputs to the wallet, and pays
 * the fee for both transactions (CPFP).
 */
export const depositAcceleration = Effect.gen(function* () {
  const preparations = yield* Preparations
  const payments = yield* walletPayments
  const requirePending = yield* pendingTransactions
  const { keep, requireWallet } = yield* paymentQuotes

  return Effect.fnUntraced(function* (project: Project, request: ReplaceRequest, deposit: Transaction) {
    const { feeRate: requestedFeeRate, kind: requestedKind } = request
    const { chainIdIn, id, legs, metadata, type, walletAddress } = deposit
    const txid = legs[0]?.hash ?? null
    if (type !== "CRYPTO_DEPOSIT" || chainIdIn !== 0 || isEvmAddress(walletAddress) || txid === null) {
      return yield* notReplaceable("Only Bitcoin transactions can be replaced.")
    }
    if (requestedKind === "CANCEL")
      return yield* notReplaceable("Only the sender of an incoming payment can cancel it.")
    const parent = yield* requirePending(deposit)
    if (parent === null) return yield* notReplaceable("No node has the transaction, so its outputs can't be spent.")
    const { kind, script, wallet } = yield* requireWallet(project, walletAddress)
    const [{ feeRate, withinBlocks }, { utxos, state }, prices] = yield* Effect.all(
      [
        payments.ratesFor(requestedFeeRate ?? undefined, "FAST"),
        payments.utxosOf(walletAddress, script, false),
        preparations.readPrices(0, [bitcoinToken])
      ],
      { concurrency: "unbounded" }
    )
    if (parent.weight > MAX_STANDARD_TX_WEIGHT) {
      return yield* notReplaceable(
        `The transaction's weight is reported as ${parent.weight}, and nodes do not relay transactions of this weight.`
      )
    }
    yield* requireHigherRate(request, feeRate, rateOf(parent.fee, parent.weight))
    const receivedUtxos = utxos.filter((utxo) => utxo.txid === txid && !state.pendingSpends.has(outpointText(utxo)))
    if (receivedUtxos.length === 0)
      return yield* notReplaceable("Another transaction of the wallet already spends the deposit's outputs.")
    const [otherUtxos = []] = usableUtxos(utxos, state)
    const selection = planChild<PayableUtxo>(
      { kind, script, feeRate, parent, utxos: receivedUtxos },
      otherUtxos.filter(({ block }) => block !== null)
    )
    if (selection === null) return yield* insufficientFunds("a transaction that speeds up the deposit", feeRate)
    // A server may report a wrong fee or weight of the parent. This check limits the loss to the deposit.
    const value = sumOf(receivedUtxos)
    if (selection.fee >= value) {
      return yield* BadRequest.of(
        "feeRate",
        "fee_exceeds_deposit",
        `The fee would be ${selection.fee} satoshis, and the deposit is only ${value} satoshis. Set a lower \`feeRate\`, or wait.`
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
})
