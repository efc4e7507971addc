import { Context, Effect, Layer, Option } from "effect"
import {
  BitcoinChain,
  BitcoinProofs,
  BitcoinTransactions,
  bitcoinCoin,
  type CoinSelection,
  dustLimit,
  type FeeRate,
  type SpendableKind
} from "../bitcoin/index.ts"
import { BadRequest, requireValid, UpstreamUnavailable } from "../errors/index.ts"
import { ExecutionStore } from "../executions/index.ts"
import { endings, HistoryStore, TransactionNotFound } from "../history/index.ts"
import type { BitcoinTransactionIntent } from "../intents/index.ts"
import {
  type BitcoinAddress,
  decimalFromBaseUnits,
  Entropy,
  HexBytes,
  hashFromBytes,
  isEvmAddress,
  type Metadata
} from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import {
  contentOfPrepared,
  lookUps,
  Preparations,
  type Quote,
  QuoteStore,
  quoteOfPrepared,
  resolvedAmount
} from "../quotes/index.ts"
import type { QuotedPrices, TokensNotAuthorized } from "../tokens/index.ts"
import type { RevertReason } from "../user-operations/index.ts"
import { type Wallet, WalletNotRegistered } from "../wallets/index.ts"
import {
  type BitcoinPaymentContent,
  type BitcoinPaymentQuote,
  bitcoinPaymentKind,
  type Replacement
} from "./BitcoinPaymentContent.ts"
import { BitcoinPaymentRequest, MAX } from "./BitcoinPaymentRequest.ts"
import { replacementDetails } from "./bitcoinDetails.ts"
import { ConfirmationPolicy, confirmationsFor } from "./ConfirmationPolicy.ts"
import { BLOCKS_WITHIN, type FeePriority, longTermRate, rateText, rateWithin, resolvedFeeRate } from "./feeRates.ts"
import { type AmountShare, divideAmount } from "./paymentOutputs.ts"
import { BITCOIN_PAYMENT, bitcoinPaymentState } from "./paymentState.ts"
import { planPayment } from "./planPayment.ts"
import { planReplacement, rateOf } from "./planReplacement.ts"
import {
  type DecidedPayment,
  feesOf,
  intentOf,
  movementsOfPayment,
  type NamedOutput,
  previewOf
} from "./preparedPayment.ts"
import { requireAddress, requireSpendable } from "./spendable.ts"
import { usableCoins } from "./usableCoins.ts"
import { type PayableCoin, upstream, walletCoins } from "./walletCoins.ts"

const requireRequest = requireValid(BitcoinPaymentRequest)
const BLOCK_SECONDS = 600

type BitcoinWallet = Extract<Wallet, { readonly type: "BITCOIN" }>

export type PaymentRefusal = BadRequest | UpstreamUnavailable | WalletNotRegistered | TokensNotAuthorized

export interface ReplaceRequest {
  readonly transactionId: string
  readonly kind: "BUMP" | "CANCEL"
  /** In sat/vB; null for the rate of a block soon. */
  readonly feeRate: number | null
}

/** A payment before it is stored. */
interface Decided {
  readonly project: Project
  readonly wallet: BitcoinWallet
  readonly prices: QuotedPrices
  readonly payment: DecidedPayment
  readonly withinBlocks: number
  /** Of the amount; none where they are those of an earlier payment. */
  readonly shares: ReadonlyArray<AmountShare>
  readonly replaces: Replacement | null
  readonly metadata: Metadata
  readonly warnings: ReadonlyArray<string>
}

const inCoin = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinCoin.decimals)} BTC`

const missingReason = (available: bigint, missing: bigint, rate: FeeRate): RevertReason => ({
  decoded: `The wallet can spend ${inCoin(available)} now, and lacks ${inCoin(missing)} for the amount and the fee at ${rateText(rate)} sat/vB. There is nothing to sign.`,
  raw: HexBytes.make("0x"),
  utf8: ""
})

/** Whole numbers drawn before, so that a choice of coins is a function of them. */
const randomOf = (bytes: Uint8Array): (() => number) => {
  let at = 0
  return () => {
    const word = new DataView(bytes.buffer, bytes.byteOffset).getUint32((at++ * 4) % bytes.length)
    return word / 2 ** 32
  }
}
const RANDOM_BYTES = 4_096
const FRESH_TRIES = 100

/** One satoshi more of fee, out of the change; null without change. */
const withMoreFee = (payment: DecidedPayment): DecidedPayment | null => {
  const { change, fee } = payment.selection
  return change - 1n < dustLimit(payment.script)
    ? null
    : { ...payment, selection: { ...payment.selection, change: change - 1n, fee: fee + 1n } }
}

/** Payments on Bitcoin's chain. */
export class BitcoinPayments extends Context.Service<
  BitcoinPayments,
  {
    /**
     * Prepares a payment and stores it, to be signed as a PSBT. Where the wallet has too little, the answer says what is
     * missing, and there is nothing to sign or to execute.
     */
    readonly quote: (
      project: Project,
      request: BitcoinPaymentRequest
    ) => Effect.Effect<BitcoinPaymentQuote, PaymentRefusal>
    /** Prepares a payment in the place of one that waits (BIP-125): the same receivers for a higher fee, or all back. */
    readonly replace: (
      project: Project,
      request: ReplaceRequest
    ) => Effect.Effect<BitcoinPaymentQuote, PaymentRefusal | TransactionNotFound>
  }
>()("@countersign/core/bitcoin-payments/BitcoinPayments") {
  static readonly layer = Layer.effect(
    BitcoinPayments,
    Effect.gen(function* () {
      const chain = yield* BitcoinChain
      const proofs = yield* BitcoinProofs
      const transactions = yield* BitcoinTransactions
      const entropy = yield* Entropy
      const lookUp = yield* lookUps
      const preparations = yield* Preparations
      const quotes = yield* QuoteStore
      const executions = yield* ExecutionStore
      const history = yield* HistoryStore
      const wallets = yield* walletCoins
      const policy = yield* ConfirmationPolicy

      const requireWallet = Effect.fnUntraced(function* (project: Project, walletAddress: BitcoinAddress) {
        const wallet = yield* lookUp.wallet(project, walletAddress)
        if (wallet.type !== "BITCOIN") return yield* new WalletNotRegistered({ walletAddress })
        return { wallet, kind: yield* requireSpendable(proofs, wallet), script: transactions.scriptOf(wallet.address) }
      })

      const ratesFor = Effect.fnUntraced(function* (asked: number | undefined, priority: FeePriority) {
        const given = asked === undefined ? null : yield* Effect.fromResult(resolvedFeeRate("feeRate", asked))
        const rates = yield* upstream(chain.feeRates)
        const feeRate = given ?? rateWithin(rates, BLOCKS_WITHIN[priority])
        if (feeRate === null) {
          return yield* new UpstreamUnavailable({
            upstream: "Bitcoin fee rates",
            reason: "none are known; give feeRate"
          })
        }
        return { feeRate, longTermFeeRate: longTermRate(rates), withinBlocks: BLOCKS_WITHIN[priority] }
      })

      /** Without witnesses a signature commits to no amount: signers read it from the transaction that made the coin. */
      const previousOf = (kind: SpendableKind, { coins }: CoinSelection<PayableCoin>) =>
        kind === "P2TR" ? Effect.succeed(new Map<string, HexBytes>()) : wallets.previous(coins)

      const contentOf = (
        { payment, prices, replaces, shares, warnings }: Decided,
        prepared: Parameters<typeof contentOfPrepared>[0],
        seconds: number
      ): BitcoinPaymentContent => {
        const preview = previewOf(payment)
        const fees = feesOf(preview, shares)
        const { gas: _, ...content } = contentOfPrepared(prepared, prices, fees, 0, seconds)
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

      /**
       * A payment under an id that no quote has yet: the same coins and outputs again, for another quote, pay one satoshi
       * more to the miner.
       */
      const withFreshId = Effect.fnUntraced(function* (kind: SpendableKind, { payment, project }: Decided) {
        const previous = yield* previousOf(kind, payment.selection)
        let next: DecidedPayment | null = payment
        for (let tries = 0; tries < FRESH_TRIES && next !== null; tries++) {
          const intent = intentOf(transactions, next, previous)
          if (Option.isNone(yield* quotes.find(project.id, intent.txid))) return { payment: next, intent }
          next = withMoreFee(next)
        }
        return yield* BadRequest.of(
          "amount",
          "quoted_before",
          "This very transaction was quoted before, and nothing of it can be changed. Ask with another fee rate or amount."
        )
      })

      const keep = Effect.fnUntraced(function* (kind: SpendableKind, asked: Decided) {
        const { metadata, prices, project, replaces, wallet, withinBlocks } = asked
        const { intent, payment } = yield* withFreshId(kind, asked)
        const decided = { ...asked, payment }
        const prepared = yield* preparations.prepareIntents(() => Effect.succeed({ intents: [intent] }))
        const paid = payment.selection.outputs.reduce((sum, { value }) => sum + value, 0n)
        const needed = confirmationsFor(policy, paid)
        const content = contentOf(decided, prepared, (withinBlocks + needed - 1) * BLOCK_SECONDS)
        const quoted = quoteOfPrepared({
          id: intent.txid,
          project,
          wallet,
          kind: bitcoinPaymentKind,
          prepared,
          answer: {
            content,
            type: "TRANSFER",
            expected: movementsOfPayment(payment.walletAddress, content.preview, prices),
            metadata,
            details: replaces === null ? {} : replacementDetails.of(replaces)
          },
          chainIdIn: 0,
          chainIdOut: 0,
          stages: [{ name: BITCOIN_PAYMENT, intent: 0, status: "PROCESSING", state: bitcoinPaymentState.start(needed) }]
        })
        yield* Effect.orDie(preparations.keep([quoted.quote]))
        return quoted
      })

      /** An answer without anything to sign. It is not stored. */
      const lacking = Effect.fnUntraced(function* (decided: Decided, revertReason: RevertReason) {
        const id = hashFromBytes(yield* entropy.bytes(32))
        const prepared = yield* preparations.prepareIntents(() => Effect.succeed({ intents: [] }))
        return quoteOfPrepared({
          id,
          project: decided.project,
          wallet: decided.wallet,
          kind: bitcoinPaymentKind,
          prepared: { ...prepared, revertReason },
          answer: {
            content: { ...contentOf(decided, prepared, 0), fees: [] },
            type: "TRANSFER",
            expected: [],
            metadata: decided.metadata
          },
          chainIdIn: 0,
          chainIdOut: 0,
          stages: []
        })
      })

      /** Who gets a share of the amount: the project's treasury, then the one that the caller names. */
      const sharesOf = Effect.fnUntraced(function* (
        { bitcoinTreasury }: Project,
        { extraFee, transactionFeePercent }: BitcoinPaymentRequest
      ) {
        const share = (role: AmountShare["role"], path: string, address: string | null | undefined, percentage = 0) =>
          address == null || percentage === 0
            ? Effect.succeed([])
            : Effect.map(
                requireAddress(proofs, path, address),
                (to): ReadonlyArray<AmountShare> => [
                  { role, address: to.address, script: transactions.scriptOf(to.address), percentage }
                ]
              )
        const service = yield* share("SERVICE_FEE", "transactionFeePercent", bitcoinTreasury, transactionFeePercent)
        const extra = yield* share("EXTRA_FEE", "extraFee.toAddress", extraFee?.toAddress, extraFee?.percentage)
        return [...service, ...extra]
      })

      /** What shares take of all that a wallet has: of what the receiver would get alone. */
      const outputsOfAll = Effect.fnUntraced(function* (
        receiver: HexBytes,
        shares: ReadonlyArray<AmountShare>,
        planOf: (
          outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
        ) => ReturnType<typeof planPayment<PayableCoin & { readonly isCoinbase: boolean }>>
      ) {
        const alone = [{ script: receiver, value: 0n }]
        const plan = planOf(alone)
        if (shares.length === 0 || plan._tag !== "Payment") return alone
        const divided = divideAmount(plan.selection.outputs[0]?.value ?? 0n, receiver, shares)
        return [...alone, ...(yield* Effect.fromResult(divided)).slice(1)]
      })

      const quote = Effect.fn("BitcoinPayments.quote")(function* (project: Project, input: BitcoinPaymentRequest) {
        const request = yield* requireRequest(input)
        const { wallet, kind, script } = yield* requireWallet(project, request.walletAddress)
        yield* lookUp.order(project, wallet, request, { token: { chainId: 0, address: request.token } })
        const to = yield* requireAddress(proofs, "toAddress", request.toAddress)
        const shares = yield* sharesOf(project, request)
        const receiver = transactions.scriptOf(to.address)
        const amount =
          request.amount === MAX
            ? null
            : yield* Effect.fromResult(resolvedAmount("amount", request.amount, bitcoinCoin))
        const divided = amount === null ? null : yield* Effect.fromResult(divideAmount(amount, receiver, shares))
        const [{ feeRate, longTermFeeRate, withinBlocks }, { coins, state }, prices, seed] = yield* Effect.all(
          [
            ratesFor(request.feeRate, request.feePriority ?? "NORMAL"),
            wallets.of(wallet.address, script, request.spendUnconfirmedChange),
            preparations.prices(0, [bitcoinCoin]),
            entropy.bytes(RANDOM_BYTES)
          ],
          { concurrency: "unbounded" }
        )
        const groups = usableCoins(coins, state)
        const feeFrom =
          amount === null ? "ALL" : request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? "FIRST_OUTPUT" : "WALLET"
        const planOf = (outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>) =>
          planPayment(groups, { kind, script, feeRate, longTermFeeRate, outputs, feeFrom }, randomOf(seed))
        const outputs = divided ?? (yield* outputsOfAll(receiver, shares, planOf))
        const plan = planOf(outputs)
        if (plan._tag === "Dust") {
          return yield* BadRequest.of(
            "amount",
            "fees_exceed_amount",
            `The fee of ${inCoin(plan.fee)} leaves the receiver less than the ${inCoin(plan.least)} that nodes relay. The least amount that would do is ${inCoin(outputs.reduce((sum, { value }) => sum + value, 0n) + plan.least - plan.left)}.`
          )
        }
        const named: ReadonlyArray<Pick<NamedOutput, "address" | "role">> = [
          { address: to.address, role: "RECEIVER" },
          ...shares
        ]
        const decided = (selection: CoinSelection<PayableCoin>): Decided => ({
          project,
          wallet,
          prices,
          payment: { walletAddress: wallet.address, script, selection, named, feeRate },
          withinBlocks,
          shares,
          replaces: null,
          metadata: request.metadata,
          warnings:
            request.transactionFeePercent > 0 && project.bitcoinTreasury === null
              ? ["The project has no treasury on Bitcoin's chain: transactionFeePercent is not taken."]
              : []
        })
        if (plan._tag === "Payment") return yield* keep(kind, decided(plan.selection))
        const nothing = { coins: [], outputs, change: 0n, fee: 0n, weight: 0, waste: 0n }
        return yield* lacking(decided(nothing), missingReason(plan.available, plan.missing, feeRate))
      })

      /** The payment of a transaction that waits. */
      const waitingPayment = Effect.fnUntraced(function* (project: Project, transactionId: string) {
        const transaction = Option.getOrNull(yield* history.find(project.id, transactionId))
        const execution = Option.getOrNull(yield* executions.find(project.id, transactionId))
        if (transaction === null || execution === null) return yield* new TransactionNotFound({ transactionId })
        const refuse = (reason: string) => BadRequest.of("transactionId", "not_replaceable", reason)
        const before: Quote | null = Option.getOrNull(yield* quotes.find(project.id, execution.quoteId))
        const intent = before?.intents.find(
          (one): one is BitcoinTransactionIntent => one.type === "BITCOIN_TRANSACTION"
        )
        if (
          before?.kind !== bitcoinPaymentKind.kind ||
          intent?.terms === undefined ||
          isEvmAddress(before.walletAddress)
        ) {
          return yield* refuse("Only payments on Bitcoin's chain can be replaced.")
        }
        if (endings.has(transaction.status)) return yield* refuse(`It has ended as ${transaction.status}.`)
        if (transaction.legs.some(({ state }) => state !== "PENDING")) {
          return yield* refuse("It is in a block already. What is in a block is not replaced.")
        }
        return {
          address: before.walletAddress,
          metadata: before.metadata,
          terms: intent.terms,
          content: bitcoinPaymentKind.decode(before.content!)
        }
      })

      const replace = Effect.fn("BitcoinPayments.replace")(function* (
        project: Project,
        { feeRate: asked, kind: wanted, transactionId }: ReplaceRequest
      ) {
        const { address, content, metadata, terms } = yield* waitingPayment(project, transactionId)
        const { kind, script, wallet } = yield* requireWallet(project, address)
        const [{ feeRate, withinBlocks }, { coins, state }, prices] = yield* Effect.all(
          [
            ratesFor(asked ?? undefined, "FAST"),
            wallets.of(address, script, false),
            preparations.prices(0, [bitcoinCoin])
          ],
          { concurrency: "unbounded" }
        )
        const { fee, outputs: paid } = content.preview
        const before = rateOf(fee, terms.maxWeight)
        if (asked !== null && feeRate <= before) {
          return yield* BadRequest.of(
            "feeRate",
            "fee_rate_too_low",
            `Its fee rate is ${rateText(before)} sat/vB: give a higher one.`
          )
        }
        const kept = wanted === "CANCEL" ? [] : paid.filter(({ role }) => role !== "CHANGE")
        const own = new Set(terms.inputs.map(({ txid }) => txid))
        const [more = []] = usableCoins(coins, state)
        const confirmed: ReadonlyArray<PayableCoin> = more.filter(({ block, txid }) => block !== null && !own.has(txid))
        const selection = planReplacement<PayableCoin>(
          {
            kind,
            script,
            feeRate,
            coins: terms.inputs.map((input) => ({ ...input, block: null })),
            fee,
            outputs: kept.map(({ address: to, value }) => ({ script: transactions.scriptOf(to), value }))
          },
          confirmed
        )
        if (selection === null) {
          return yield* BadRequest.of(
            "feeRate",
            "insufficient_funds",
            `The wallet's coins do not pay for a replacement at ${rateText(feeRate)} sat/vB.`
          )
        }
        return yield* keep(kind, {
          project,
          wallet,
          prices,
          payment: { walletAddress: address, script, selection, named: kept, feeRate },
          withinBlocks,
          shares: [],
          replaces: { kind: wanted, transactionId },
          metadata,
          warnings: []
        })
      })

      return BitcoinPayments.of({ quote, replace })
    })
  )
}
