import { Effect, Option } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import {
  decimalFromBaseUnits,
  Entropy,
  greater,
  type Hash32,
  type HexBytes
} from "../../foundation/primitives/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Wallet } from "../../wallets/registry/index.ts"
import {
  BitcoinChain,
  BitcoinProofs,
  BitcoinTransactions,
  bitcoinCoin,
  type CoinSelection,
  type FeeRate,
  mainChain,
  type SpendableKind
} from "../chain/index.ts"
import {
  BLOCKS_WITHIN,
  type FeePriority,
  LOWEST_RATE,
  longTermRate,
  rateText,
  rateWithin,
  resolvedFeeRate
} from "./feeRates.ts"
import { keyWarnings } from "./keyWarnings.ts"
import { intentOf, type PaidCoins } from "./preparedPayment.ts"
import { requireSpendable } from "./spendable.ts"
import { type PayableCoin, upstream, walletCoins } from "./walletCoins.ts"

export type BitcoinWallet = Extract<Wallet, { readonly type: "BITCOIN" }>

export const inCoin = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinCoin.decimals)} BTC`

/** What a wallet lacks for a payment. */
export const missingSentence = (available: bigint, missing: bigint, rate: FeeRate): string =>
  `The wallet can spend ${inCoin(available)} now, and lacks ${inCoin(missing)} for the amount and the fee at ${rateText(rate)} sat/vB.`

const TEST_COINS =
  "The coins are of a chain for tests and worth nothing. Its addresses have the main network's form: pay no real coins to them."

/** Whole numbers drawn before, so that a choice of coins is a function of them. */
const randomOf = (bytes: Uint8Array): (() => number) => {
  let at = 0
  return () => {
    const word = new DataView(bytes.buffer, bytes.byteOffset).getUint32((at++ * 4) % bytes.length)
    return word / 2 ** 32
  }
}
const RANDOM_BYTES = 4_096

/**
 * A sequence at random of those that signal replacement (BIP-125) and are no relative lock time (BIP-68): with bit 31, and below
 * 0xfffffffd, which payments have first.
 */
const randomSequence = (bytes: Uint8Array): number => {
  const word = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return LEAST_SEQUENCE + (word % (DEFAULT_SEQUENCE - LEAST_SEQUENCE))
}
const LEAST_SEQUENCE = 0x8000_0000
const DEFAULT_SEQUENCE = 0xffff_fffd

/** The rates that a payment is made with, and within how many blocks it should be in one. */
export interface PaymentRates {
  readonly feeRate: FeeRate
  readonly longTermFeeRate: FeeRate
  /** The lowest that nodes relay. */
  readonly leastFeeRate: FeeRate
  /** What a replacement adds to the earlier fee, for its own size. */
  readonly incrementalFeeRate: FeeRate
  readonly withinBlocks: number
}

/** What payments out of a wallet's coins are made with. */
export const walletPayments = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const proofs = yield* BitcoinProofs
  const transactions = yield* BitcoinTransactions
  const quotes = yield* QuoteStore
  const entropy = yield* Entropy
  const coins = yield* walletCoins
  const isMainChain = yield* mainChain

  /** Without witnesses a signature commits to no amount: signers read it from the transaction that made the coin. */
  const previousOf = (kind: SpendableKind, { coins: spent }: CoinSelection<PayableCoin>) =>
    kind === "P2TR" ? Effect.succeed(new Map<string, HexBytes>()) : coins.previous(spent)

  return {
    /** What the signer should know. */
    signerWarnings: (wallet: BitcoinWallet) =>
      Effect.map(upstream(isMainChain), (isMain) => [...(isMain ? [] : [TEST_COINS]), ...keyWarnings(wallet)]),
    coinsOf: coins.of,
    transaction: (txid: Hash32) => upstream(chain.transaction(txid)),
    /** How the coins of a wallet are spent. */
    source: (wallet: BitcoinWallet) =>
      Effect.map(requireSpendable(proofs, wallet), (kind) => ({ kind, script: transactions.scriptOf(wallet.address) })),
    ratesFor: Effect.fnUntraced(function* (asked: number | undefined, priority: FeePriority) {
      const [rates, relayed] = yield* Effect.all([upstream(chain.feeRates), upstream(chain.relayRates)], {
        concurrency: "unbounded"
      })
      const least = greater(relayed.least, LOWEST_RATE)
      const given = asked === undefined ? null : yield* Effect.fromResult(resolvedFeeRate("feeRate", asked, least))
      const feeRate = given ?? rateWithin(rates, BLOCKS_WITHIN[priority], least)
      if (feeRate === null) {
        return yield* new UpstreamUnavailable({
          upstream: "Bitcoin fee rates",
          reason: "none are known; give feeRate"
        })
      }
      const found: PaymentRates = {
        feeRate,
        longTermFeeRate: longTermRate(rates, least),
        leastFeeRate: least,
        incrementalFeeRate: relayed.incremental,
        withinBlocks: BLOCKS_WITHIN[priority]
      }
      return found
    }),
    /** Each use of what it answers draws the same numbers. */
    randomness: Effect.map(entropy.bytes(RANDOM_BYTES), (bytes) => () => randomOf(bytes)),
    /**
     * The payment with an id that no quote of the project has yet: each quote has its own, also where the coins, outputs and fee are
     * those of an earlier one. Its lock time is one of `lockTimes`, in this order, then its first sequence is drawn.
     */
    withFreshId: Effect.fnUntraced(function* (
      projectId: ProjectId,
      kind: SpendableKind,
      payment: PaidCoins,
      lockTimes: ReadonlyArray<number>
    ) {
      const previous = yield* previousOf(kind, payment.selection)
      for (let tries = 0; ; tries++) {
        const lockTime = lockTimes[tries] ?? lockTimes.at(-1)!
        const sequences =
          tries < lockTimes.length
            ? payment.sequences
            : [randomSequence(yield* entropy.bytes(4)), ...(payment.sequences ?? []).slice(1)]
        const intent = intentOf(
          transactions,
          { ...payment, lockTime, ...(sequences === undefined ? {} : { sequences }) },
          previous
        )
        if (Option.isNone(yield* quotes.find(projectId, intent.txid))) return intent
      }
    })
  }
})
