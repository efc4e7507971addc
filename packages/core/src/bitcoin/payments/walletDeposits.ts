import { Effect } from "effect"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { maxBigInt, minBigInt } from "../../foundation/primitives/index.ts"
import type { BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import type { PlannedStage } from "../../operations/quotes/index.ts"
import type { RevertReason } from "../../operations/user-operations/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { type CoinSelection, dustLimit, type FeeRate, type Output } from "../chain/index.ts"
import { type FixedUtxos, selectionOfFixedUtxos } from "./fixedUtxos.ts"
import { BITCOIN_PAYMENT, bitcoinPaymentState } from "./paymentState.ts"
import { planPayment } from "./planPayment.ts"
import type { PaymentTransaction } from "./preparedPayment.ts"
import { usableUtxos } from "./usableUtxos.ts"
import { type BitcoinWallet, bitcoinText, missingReason, walletPayments } from "./walletPayments.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

export interface DepositOrder {
  readonly projectId: ProjectId
  readonly wallet: BitcoinWallet
  /** The outputs in this order. The wallet's change follows. */
  readonly outputs: ReadonlyArray<Output>
  /** The receiver's minimum fee rate. Null if it has none. */
  readonly minFeeRate: FeeRate | null
  /** Unix milliseconds at which the receiver's address expires. */
  readonly broadcastUntilMs: number
  /** UTXOs and change that a third party has chosen. If absent, this service selects them. */
  readonly fixed?: FixedUtxos
}

/** A payment that is ready to be signed. */
export interface Deposit extends PaymentTransaction {
  readonly selection: CoinSelection<PayableUtxo>
  readonly feeRate: FeeRate
  /** Number of blocks within which the first confirmation is likely. */
  readonly withinBlocks: number
  readonly intent: BitcoinTransactionIntent
}

export type DepositPlan =
  | { readonly _tag: "Deposit"; readonly deposit: Deposit }
  /** The balance is too low, so there is nothing to sign. */
  | { readonly _tag: "Missing"; readonly revertReason: RevertReason }
  /**
   * The payment can't be created: an output is below the dust limit, or the UTXOs that a third party has chosen are
   * rejected. `reason` is a clause.
   */
  | { readonly _tag: "Impossible"; readonly reason: string }

/** Maximum ratio between a fee rate that the third party sets and the rate for a fast confirmation. */
const MAX_RATE_FACTOR = 3n

/** THORChain accepts no transactions with a lock time. */
const NO_LOCK_TIME = [0]

/**
 * Prepares payments whose outputs a third party defines, such as a bridge. The wallet pays the miner fee in addition.
 */
export const walletDeposits = Effect.gen(function* () {
  const payments = yield* walletPayments

  return Effect.fnUntraced(function* ({
    broadcastUntilMs,
    fixed,
    minFeeRate,
    outputs,
    projectId,
    wallet
  }: DepositOrder): Effect.fn.Return<DepositPlan, BadRequest | UpstreamUnavailable> {
    const dustOutput = outputs.find(({ script, value }) => value < dustLimit(script))
    if (dustOutput !== undefined) {
      const minAmount = bitcoinText(dustLimit(dustOutput.script))
      return {
        _tag: "Impossible",
        reason: `its payment has an output of ${bitcoinText(dustOutput.value)}, but nodes do not relay outputs below ${minAmount}`
      }
    }
    const { kind, script } = yield* payments.source(wallet)
    const [rates, { utxos, state }, createGenerator] = yield* Effect.all(
      [payments.ratesFor(undefined, "FAST"), payments.utxosOf(wallet.address, script, false), payments.randomness],
      { concurrency: "unbounded" }
    )
    const { longTermFeeRate, withinBlocks } = rates
    if (fixed !== undefined) {
      const maxFeeRate = rates.feeRate * MAX_RATE_FACTOR
      const selection = selectionOfFixedUtxos(
        { ...fixed, kind, script, outputs, maxFeeRate, minFeeRate: rates.minFeeRate },
        usableUtxos(utxos, state).flat()
      )
      if (typeof selection === "string") return { _tag: "Impossible", reason: selection }
      const sequences = fixed.coins.map(({ sequence }) => sequence)
      const payment = { script, key: wallet.key, selection, sequences, broadcastUntilMs }
      const intent = yield* payments.withFreshId(projectId, kind, payment, NO_LOCK_TIME)
      return { _tag: "Deposit", deposit: { ...payment, feeRate: rates.feeRate, withinBlocks, intent } }
    }
    const requiredRate = minBigInt(minFeeRate ?? 0n, rates.feeRate * MAX_RATE_FACTOR)
    const feeRate = maxBigInt(requiredRate, rates.feeRate)
    const plan = planPayment<PayableUtxo>(
      usableUtxos(utxos, state),
      { kind, script, feeRate, longTermFeeRate, outputs, feeFrom: "WALLET" },
      createGenerator()
    )
    if (plan._tag === "Dust")
      return yield* Effect.die(new Error("A fee in addition to the amount does not reduce an output"))
    if (plan._tag === "Missing") {
      return { _tag: "Missing", revertReason: missingReason(plan.available, plan.missing, feeRate) }
    }
    const payment = { script, key: wallet.key, selection: plan.selection, broadcastUntilMs }
    const intent = yield* payments.withFreshId(projectId, kind, payment, NO_LOCK_TIME)
    return { _tag: "Deposit", deposit: { ...payment, feeRate, withinBlocks, intent } }
  })
})

/** Returns the stage that broadcasts a deposit, and tracks it until it has this many confirmations. */
export const depositStage = (confirmations: number): PlannedStage => ({
  name: BITCOIN_PAYMENT,
  intent: 0,
  status: "PROCESSING",
  state: bitcoinPaymentState.start(confirmations)
})
