import { Context, Effect, Layer, Result } from "effect"
import type { TransactionNotFound } from "../../accounting/history/index.ts"
import { BadRequest, requireValid } from "../../foundation/errors/index.ts"
import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import {
  combineResults,
  feeProblem,
  lookUps,
  Preparations,
  requireNoProblems,
  resolveAmount
} from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import {
  BitcoinTransactions,
  bitcoinToken,
  type CoinSelection,
  type Output,
  type TransactionInBlock
} from "../chain/index.ts"
import type { BitcoinPaymentQuote } from "./BitcoinPaymentContent.ts"
import { BitcoinPaymentRequest, MAX } from "./BitcoinPaymentRequest.ts"
import { type DeductedFee, divideAmounts, type RequestedOutput } from "./paymentOutputs.ts"
import { type PaymentDecision, type PaymentRefusal, paymentQuotes } from "./paymentQuotes.ts"
import { planPayment } from "./planPayment.ts"
import type { PreviewOutput } from "./preparedPayment.ts"
import type { ReplaceRequest } from "./replacement.ts"
import { replacements } from "./replacements.ts"
import { usableUtxos } from "./usableUtxos.ts"
import { bitcoinText, missingReason, walletPayments } from "./walletPayments.ts"
import type { PayableUtxo } from "./walletUtxos.ts"

const requireRequest = requireValid(BitcoinPaymentRequest)

/**
 * Computes the outputs if the complete balance is sent. The fee percentages apply to each receiver's amount. The first
 * receiver's amount before these fees is the balance minus the other amounts and the miner fee.
 */
const fullBalanceOutputs = Effect.fnUntraced(function* (
  requestedOutputs: ReadonlyArray<RequestedOutput>,
  shares: ReadonlyArray<DeductedFee>,
  planOf: (
    outputs: ReadonlyArray<Output>
  ) => ReturnType<typeof planPayment<PayableUtxo & { readonly isCoinbase: boolean }>>
) {
  // The miner fee depends on the number of fee outputs, but not on their amounts.
  const plan = planOf([...requestedOutputs, ...shares.map(({ script }) => ({ script, value: 0n }))])
  if (plan._tag !== "Payment") return requestedOutputs
  const [first, ...further] = requestedOutputs
  const fullOutput = { ...first!, value: plan.selection.outputs[0]?.value ?? 0n }
  const [, ...others] = yield* Effect.fromResult(divideAmounts([fullOutput, ...further], shares))
  return [first!, ...others]
})

/** Quotes Bitcoin payments. */
export class BitcoinPayments extends Context.Service<
  BitcoinPayments,
  {
    /**
     * Prepares and stores a payment, which the owner signs as a PSBT. If the balance is too low, the response contains
     * the missing amount, and nothing to sign or execute.
     */
    readonly quote: (
      project: Project,
      request: BitcoinPaymentRequest
    ) => Effect.Effect<BitcoinPaymentQuote, PaymentRefusal>
    /**
     * Prepares a payment that replaces an unconfirmed payment (BIP-125): either with the same receivers and a higher
     * fee, or as a cancellation that returns the amount to the wallet. For an unconfirmed deposit, prepares a child
     * transaction that pays the fee for both (CPFP).
     */
    readonly replace: (
      project: Project,
      request: ReplaceRequest
    ) => Effect.Effect<BitcoinPaymentQuote, PaymentRefusal | TransactionNotFound | TransactionInBlock>
  }
>()("@countersign/core/bitcoin-payments/BitcoinPayments") {
  static readonly layer = Layer.effect(
    BitcoinPayments,
    Effect.gen(function* () {
      const transactions = yield* BitcoinTransactions
      const lookUp = yield* lookUps
      const preparations = yield* Preparations
      const payments = yield* walletPayments
      const { keep, lacking, requireWallet } = yield* paymentQuotes

      /** Returns the fee receivers: the project's treasury, then the receiver of the extra fee. */
      const sharesOf = (
        { bitcoinTreasury }: Project,
        { extraFee, transactionFeePercent }: BitcoinPaymentRequest
      ): ReadonlyArray<DeductedFee> => {
        const share = (role: DeductedFee["role"], address: BitcoinAddress | null | undefined, percentage = 0) =>
          address == null || percentage === 0
            ? []
            : [{ role, address, script: transactions.scriptOf(address), percentage }]
        return [
          ...share("SERVICE_FEE", bitcoinTreasury, transactionFeePercent),
          ...share("EXTRA_FEE", extraFee?.toAddress, extraFee?.percentage)
        ]
      }

      /** Returns the requested receivers and amounts. If the complete balance is sent, the first amount is zero. */
      const receiversOf = ({ amount, furtherReceivers = [], toAddress }: BitcoinPaymentRequest) => {
        const receivers = [
          { amount, toAddress, path: "amount" },
          ...furtherReceivers.map((one, at) => ({ ...one, path: `furtherReceivers[${at}].amount` }))
        ]
        return combineResults(
          receivers.map(({ path, toAddress: address, ...one }) =>
            Result.map(
              one.amount === MAX ? Result.succeed(0n) : resolveAmount(path, one.amount, bitcoinToken),
              (value) => ({ path, value, address, script: transactions.scriptOf(address) })
            )
          )
        )
      }

      const quote = Effect.fn("BitcoinPayments.quote")(function* (project: Project, input: BitcoinPaymentRequest) {
        const request = yield* requireRequest(input)
        const { wallet, kind, script } = yield* requireWallet(project, request.walletAddress)
        yield* lookUp.order(project, wallet, request, {
          token: { chainId: 0, address: request.token },
          payGasFeeToken: { chainId: 0, address: request.payGasFeeToken }
        })
        const { receivers: requestedOutputs } = yield* Effect.fromResult(
          combineResults({ receivers: receiversOf(request), fees: requireNoProblems([feeProblem(request)]) })
        )
        const shares = sharesOf(project, request)
        const sendsFullBalance = request.amount === MAX
        const dividedOutputs = sendsFullBalance
          ? null
          : yield* Effect.fromResult(divideAmounts(requestedOutputs, shares))
        const [{ feeRate, longTermFeeRate, withinBlocks }, { utxos, state }, prices, createGenerator] =
          yield* Effect.all(
            [
              payments.ratesFor(request.feeRate, request.feePriority ?? "NORMAL"),
              payments.utxosOf(wallet.address, script, request.spendUnconfirmedChange),
              preparations.readPrices(0, [bitcoinToken]),
              payments.randomness
            ],
            { concurrency: "unbounded" }
          )
        const groups = usableUtxos(utxos, state, sendsFullBalance)
        const feeFrom = sendsFullBalance
          ? "ALL"
          : request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT"
            ? "FIRST_OUTPUT"
            : "WALLET"
        const planOf = (outputs: ReadonlyArray<Output>) =>
          planPayment(groups, { kind, script, feeRate, longTermFeeRate, outputs, feeFrom }, createGenerator())
        const outputs = dividedOutputs ?? (yield* fullBalanceOutputs(requestedOutputs, shares, planOf))
        const plan = planOf(outputs)
        if (plan._tag === "Dust") {
          return yield* BadRequest.of(
            "amount",
            "fees_exceed_amount",
            `After the fee of ${bitcoinText(plan.fee)}, the receiver would get less than ${bitcoinText(plan.minOutput)}, the minimum that nodes relay. The minimum amount is ${bitcoinText(outputs.reduce((sum, { value }) => sum + value, 0n) + plan.minOutput - plan.remainder)}.`
          )
        }
        const outputRoles: ReadonlyArray<Pick<PreviewOutput, "address" | "role">> = [
          ...requestedOutputs.map(({ address }) => ({ address, role: "RECEIVER" as const })),
          ...shares
        ]
        const decisionOf = (selection: CoinSelection<PayableUtxo>): PaymentDecision => ({
          project,
          wallet,
          prices,
          payment: { walletAddress: wallet.address, script, key: wallet.key, selection, named: outputRoles, feeRate },
          withinBlocks,
          tipHeight: state.tipHeight,
          shares,
          replaces: null,
          metadata: request.metadata,
          warnings:
            request.transactionFeePercent > 0 && project.bitcoinTreasury === null
              ? ["The fee of transactionFeePercent is not charged, because the project has no Bitcoin treasury."]
              : []
        })
        if (plan._tag === "Payment") return yield* keep(kind, decisionOf(plan.selection))
        const emptySelection = { utxos: [], outputs, change: 0n, fee: 0n, weight: 0, waste: 0n }
        return yield* lacking(decisionOf(emptySelection), missingReason(plan.available, plan.missing, feeRate))
      })

      return BitcoinPayments.of({ quote, replace: yield* replacements })
    })
  )
}
