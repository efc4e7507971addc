import { Clock, Effect } from "effect"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type BitcoinAddress, Entropy, hashFromBytes, type Metadata } from "../../foundation/primitives/index.ts"
import type { QuotedPrices, TokensNotAuthorized } from "../../foundation/tokens/index.ts"
import {
  lookUps,
  Preparations,
  preparedContent,
  preparedQuoteOf,
  retryIfQuoteExists
} from "../../operations/quotes/index.ts"
import type { RevertReason } from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { WalletNotRegistered } from "../../wallets/registry/index.ts"
import type { SpendableKind } from "../chain/index.ts"
import { type BitcoinPaymentContent, bitcoinPaymentKind, type Replacement } from "./BitcoinPaymentContent.ts"
import { replacementDetails } from "./bitcoinDetails.ts"
import { ConfirmationPolicy, confirmationsFor } from "./ConfirmationPolicy.ts"
import { lockTimesOf } from "./lockTimes.ts"
import type { DeductedFee } from "./paymentOutputs.ts"
import { BITCOIN_PAYMENT, bitcoinPaymentState } from "./paymentState.ts"
import { type DecidedPayment, feesOf, paymentMovements, previewOf } from "./preparedPayment.ts"
import { type BitcoinWallet, walletPayments } from "./walletPayments.ts"

const BLOCK_SECONDS = 600

export type PaymentRefusal = BadRequest | UpstreamUnavailable | WalletNotRegistered | TokensNotAuthorized

/** A payment with its UTXOs and outputs, before its quote is stored. */
export interface PaymentDecision {
  readonly project: Project
  readonly wallet: BitcoinWallet
  readonly prices: QuotedPrices
  readonly payment: DecidedPayment
  readonly withinBlocks: number
  readonly tipHeight: number
  /** The fees on the amount. Empty if an earlier payment includes them. */
  readonly shares: ReadonlyArray<DeductedFee>
  readonly replaces: Replacement | null
  readonly metadata: Metadata
  readonly warnings: ReadonlyArray<string>
}

/** Creates quotes for payments whose UTXOs are selected. */
export const paymentQuotes = Effect.gen(function* () {
  const entropy = yield* Entropy
  const lookUp = yield* lookUps
  const preparations = yield* Preparations
  const payments = yield* walletPayments
  const policy = yield* ConfirmationPolicy

  const requireWallet = Effect.fnUntraced(function* (project: Project, walletAddress: BitcoinAddress) {
    const wallet = yield* lookUp.wallet(project, walletAddress)
    if (wallet.type !== "BITCOIN") return yield* new WalletNotRegistered({ walletAddress })
    return { wallet, ...(yield* payments.source(wallet)) }
  })

  const contentOf = (
    { payment, prices, replaces, shares, warnings }: PaymentDecision,
    prepared: Parameters<typeof preparedContent>[0],
    seconds: number
  ): BitcoinPaymentContent => {
    const preview = previewOf(payment)
    const fees = feesOf(preview, shares)
    const { gas: _, ...content } = preparedContent(prepared, prices, fees, 0, seconds)
    const receivers = preview.outputs.filter(({ role }) => role !== "CHANGE")
    return {
      ...content,
      warnings: [...content.warnings, ...warnings],
      walletAddress: payment.walletAddress,
      toAddress: receivers[0]?.address ?? payment.walletAddress,
      amount: receivers.reduce((sum, { value }) => sum + value, 0n),
      preview,
      replaces
    }
  }

  /** Stores a quote that the owner can sign. */
  const storeQuote = Effect.fnUntraced(function* (kind: SpendableKind, decision: PaymentDecision) {
    const { metadata, payment, prices, project, replaces, tipHeight, wallet, withinBlocks } = decision
    const lockTimes = lockTimesOf(tipHeight, yield* Clock.currentTimeMillis)
    const intent = yield* payments.withFreshId(project.id, kind, payment, lockTimes)
    const decisionWithWarnings = {
      ...decision,
      warnings: [...decision.warnings, ...(yield* payments.signerWarnings(wallet))]
    }
    const preparation = yield* preparations.prepareIntents(() => Effect.succeed({ intents: [intent] }))
    const paidAmount = payment.selection.outputs.reduce((sum, { value }) => sum + value, 0n)
    const neededConfirmations = confirmationsFor(policy, paidAmount)
    const content = contentOf(
      decisionWithWarnings,
      preparation,
      (withinBlocks + neededConfirmations - 1) * BLOCK_SECONDS
    )
    const quotedPayment = preparedQuoteOf({
      id: intent.txid,
      project,
      wallet,
      kind: bitcoinPaymentKind,
      prepared: preparation,
      response: {
        content,
        type: "TRANSFER",
        expected: paymentMovements(payment.walletAddress, content.preview, prices),
        metadata,
        details: replaces === null ? {} : replacementDetails.of(replaces)
      },
      chainIdIn: 0,
      chainIdOut: 0,
      stages: [
        {
          name: BITCOIN_PAYMENT,
          intent: 0,
          status: "PROCESSING",
          state: bitcoinPaymentState.start(neededConfirmations)
        }
      ]
    })
    yield* Effect.catchTag(preparations.storeQuotes([quotedPayment.quote]), "UNPAID_GAS_LIMIT", Effect.die)
    return quotedPayment
  }, retryIfQuoteExists)

  /** Returns a response that contains nothing to sign, and stores nothing. */
  const respondWithoutQuote = Effect.fnUntraced(function* (decision: PaymentDecision, revertReason: RevertReason) {
    const id = hashFromBytes(yield* entropy.bytes(32))
    const preparation = yield* preparations.prepareIntents(() => Effect.succeed({ intents: [] }))
    return preparedQuoteOf({
      id,
      project: decision.project,
      wallet: decision.wallet,
      kind: bitcoinPaymentKind,
      prepared: { ...preparation, revertReason },
      response: {
        content: { ...contentOf(decision, preparation, 0), fees: [] },
        type: "TRANSFER",
        expected: [],
        metadata: decision.metadata
      },
      chainIdIn: 0,
      chainIdOut: 0,
      stages: []
    })
  })

  return { requireWallet, keep: storeQuote, lacking: respondWithoutQuote }
})
