import { Effect, Option } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import {
  decimalFromBaseUnits,
  Entropy,
  type Hash32,
  type HexBytes,
  maxBigInt
} from "../../foundation/primitives/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { type RevertReason, statedReason } from "../../operations/user-operations/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Wallet } from "../../wallets/registry/index.ts"
import {
  BitcoinChain,
  BitcoinProofs,
  BitcoinTransactions,
  bitcoinToken,
  type CoinSelection,
  type FeeRate,
  mainChain,
  type SpendableKind
} from "../chain/index.ts"
import {
  CONFIRMATION_TARGETS,
  type FeePriority,
  LOWEST_RATE,
  longTermRate,
  rateWithin,
  resolveFeeRate,
  toSatPerVByte
} from "./feeRates.ts"
import { keyWarnings } from "./keyWarnings.ts"
import { intentOf, type PaymentTransaction } from "./preparedPayment.ts"
import { requireSpendable } from "./spendable.ts"
import { mapToUpstream, type PayableUtxo, walletUtxos } from "./walletUtxos.ts"

export type BitcoinWallet = Extract<Wallet, { readonly type: "BITCOIN" }>

export const bitcoinText = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, bitcoinToken.decimals)} BTC`

/** Returns the reason why a quote contains nothing to sign: the wallet's balance is too low. */
export const missingReason = (available: bigint, missing: bigint, rate: FeeRate): RevertReason =>
  statedReason(
    `The wallet can spend ${bitcoinText(available)} now, and lacks ${bitcoinText(missing)} for the amount and the fee at ${toSatPerVByte(rate)} sat/vB. There is nothing to sign.`
  )

const TEST_CHAIN_WARNING =
  "These bitcoins are on a test chain and have no value. The test chain's addresses have the mainnet format: do not send real bitcoins to them."

/**
 * Returns a generator of random numbers from bytes that were drawn in advance, so that coin selection is a pure
 * function.
 */
const randomOf = (bytes: Uint8Array): (() => number) => {
  let drawCount = 0
  return () => {
    const randomBits = new DataView(bytes.buffer, bytes.byteOffset).getUint32((drawCount++ * 4) % bytes.length)
    return randomBits / 2 ** 32
  }
}
const RANDOM_BYTES = 4_096

/**
 * Returns a random sequence number that signals replaceability (BIP-125) and is not a relative lock time (BIP-68): bit
 * 31 is set, and it is below the default 0xfffffffd.
 */
const randomSequence = (bytes: Uint8Array): number => {
  const randomBits = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return MIN_SEQUENCE + (randomBits % (DEFAULT_SEQUENCE - MIN_SEQUENCE))
}
const MIN_SEQUENCE = 0x8000_0000
const DEFAULT_SEQUENCE = 0xffff_fffd

/** The fee rates of a payment, and its target number of blocks. */
export interface PaymentRates {
  readonly feeRate: FeeRate
  readonly longTermFeeRate: FeeRate
  /** The minimum relay rate. */
  readonly minFeeRate: FeeRate
  /**
   * Fee rate of a replacement's additional fee: the fee must exceed the earlier fee by at least this rate times the
   * replacement's size.
   */
  readonly incrementalFeeRate: FeeRate
  readonly withinBlocks: number
}

/** Reads UTXOs and fee rates for payments of a wallet, and builds their intents. */
export const walletPayments = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const proofs = yield* BitcoinProofs
  const transactions = yield* BitcoinTransactions
  const quotes = yield* QuoteStore
  const entropy = yield* Entropy
  const utxos = yield* walletUtxos
  const isMainChain = yield* mainChain

  /**
   * Returns the previous transactions of the inputs. Empty for Taproot. Other signatures do not commit to the amounts
   * of all inputs, so signers read the amounts from these transactions.
   */
  const previousTransactionsOf = (kind: SpendableKind, { utxos: spentUtxos }: CoinSelection<PayableUtxo>) =>
    kind === "P2TR" ? Effect.succeed(new Map<string, HexBytes>()) : utxos.previous(spentUtxos)

  return {
    /** Returns warnings for the signer. */
    signerWarnings: (wallet: BitcoinWallet) =>
      Effect.map(mapToUpstream(isMainChain), (isMain) => [
        ...(isMain ? [] : [TEST_CHAIN_WARNING]),
        ...keyWarnings(wallet)
      ]),
    utxosOf: utxos.of,
    transaction: (txid: Hash32) => mapToUpstream(chain.findTransaction(txid)),
    /**
     * Returns the script of the wallet's UTXOs, and the script type that determines how they are signed. Fails if a
     * single key can't spend them.
     */
    source: (wallet: BitcoinWallet) =>
      Effect.map(requireSpendable(proofs, wallet), (kind) => ({ kind, script: transactions.scriptOf(wallet.address) })),
    ratesFor: Effect.fnUntraced(function* (requestedRate: number | undefined, priority: FeePriority) {
      const [rates, relayRates] = yield* Effect.all([mapToUpstream(chain.feeRates), mapToUpstream(chain.relayRates)], {
        concurrency: "unbounded"
      })
      const minRate = maxBigInt(relayRates.minRate, LOWEST_RATE)
      const requestedFeeRate =
        requestedRate === undefined ? null : yield* Effect.fromResult(resolveFeeRate("feeRate", requestedRate, minRate))
      const feeRate = requestedFeeRate ?? rateWithin(rates, CONFIRMATION_TARGETS[priority], minRate)
      if (feeRate === null) {
        return yield* new UpstreamUnavailable({
          upstream: "Bitcoin fee rates",
          reason: "no fee rate estimate is available. Set feeRate"
        })
      }
      const paymentRates: PaymentRates = {
        feeRate,
        longTermFeeRate: longTermRate(rates, minRate),
        minFeeRate: minRate,
        incrementalFeeRate: relayRates.incremental,
        withinBlocks: CONFIRMATION_TARGETS[priority]
      }
      return paymentRates
    }),
    /** Each call of the returned function restarts the same sequence of random numbers. */
    randomness: Effect.map(entropy.bytes(RANDOM_BYTES), (bytes) => () => randomOf(bytes)),
    /**
     * Returns the payment's intent, with a txid that no other quote of the project has, even if UTXOs, outputs and fee
     * are equal. Tries the lock times in order, and then random values for the first sequence number.
     */
    withFreshId: Effect.fnUntraced(function* (
      projectId: ProjectId,
      kind: SpendableKind,
      payment: PaymentTransaction,
      lockTimes: ReadonlyArray<number>
    ) {
      const previous = yield* previousTransactionsOf(kind, payment.selection)
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
