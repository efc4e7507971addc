import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { p2wpkh } from "@scure/btc-signer"
import { type BitcoinOwner, registerOwner, signAndFinalize } from "../../support/bitcoinOwner.ts"
import { type AcceptanceContext, accept } from "./acceptance.ts"
import type { SignedPayment } from "./PaymentJournal.ts"
import { swap } from "./Swapper.ts"

export interface PayerOptions extends AcceptanceContext {
  readonly name: string
  /** Pays a UTXO to an address, and mines it. */
  readonly fund: (address: string, satoshis: number) => Promise<void>
}

const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const P2WPKH_INDEX = 2
const UTXO_COUNT = 6
const UTXO_SATOSHIS = 1_000_000
/** Probability that the client does not sign a quote. */
const LEAVE_PROBABILITY = 0.15
/** Probability that an accepted payment is bumped or cancelled. */
const REPLACE_PROBABILITY = 0.5
/** Probability of a swap instead of a payment. */
const SWAP_PROBABILITY = 0.6

const keyOf = (name: string) => new Uint8Array(createHash("sha256").update(name).digest())
const addressOf = (name: string): string => p2wpkh(secp256k1.pointFromScalar(keyOf(name), true)!).address!
const sleep = () => new Promise((resolve) => setTimeout(resolve, 50))

// biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
type Quote = any

/**
 * Simulates the owner of a Bitcoin wallet, who pays, bumps, cancels and swaps. Retries requests whose response was
 * lost.
 */
export class Payer {
  readonly #options: PayerOptions
  #owner: BitcoinOwner | null = null
  #payments = 0

  constructor(options: PayerOptions) {
    this.#options = options
  }

  /** Executes one swap, or one payment with its replacements. */
  async operate(): Promise<void> {
    const { journal, name, random } = this.#options
    const owner = this.#owner ?? (await this.#register())
    if (random.fraction() < SWAP_PROBABILITY) await swap(this.#options, owner, `${name} swap ${this.#payments++}`)
    else await this.#pay(owner)
    if (journal.surprises.length > 20) throw new Error(journal.surprises.join("\n"))
  }

  async #pay(owner: BitcoinOwner): Promise<void> {
    const { name, random } = this.#options
    const receiver = addressOf(`${name} receiver ${this.#payments++}`)
    const satoshis = 20_000 + random.below(60_000)
    const quote = await this.#quote("/api/v1/crypto/transfer", {
      walletAddress: owner.address,
      chainId: 0,
      token: NATIVE_TOKEN,
      amount: (satoshis / 1e8).toFixed(8),
      toAddress: receiver,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: NATIVE_TOKEN,
      feeRate: 2,
      spendUnconfirmedChange: true
    })
    if (quote === null || random.fraction() < LEAVE_PROBABILITY) return
    const commonFields = { wallet: owner.address, receiver, satoshis }
    let signedPayment = await this.#accept(quote, { ...commonFields, isCancel: false })
    for (
      let feeRate = 5;
      signedPayment?.transactionId != null && random.fraction() < REPLACE_PROBABILITY;
      feeRate *= 2
    ) {
      const isCancel = random.fraction() < 0.5
      const path = `/api/v1/crypto/bitcoin/${signedPayment.transactionId}/${isCancel ? "cancel" : "bump"}`
      const nextQuote = await this.#quote(path, { feeRate })
      if (nextQuote === null) return
      signedPayment = await this.#accept(nextQuote, { ...commonFields, isCancel: isCancel || signedPayment.isCancel })
    }
  }

  async #register(): Promise<BitcoinOwner> {
    const { fund, journal, name, onMoment, service } = this.#options
    onMoment("register")
    const request = (_method: string, path: string, body?: object) => service.untilSuccessful(path, body)
    const owner = await registerOwner({ request } as never, keyOf(name), P2WPKH_INDEX).catch(() => {
      // An earlier attempt whose response was lost has registered the wallet.
      return { address: addressOf(name), kind: "P2WPKH" as const, key: keyOf(name) }
    })
    for (let i = 0; i < UTXO_COUNT; i++) await fund(owner.address, UTXO_SATOSHIS)
    journal.wallets.set(owner.address, UTXO_COUNT * UTXO_SATOSHIS)
    this.#owner = owner
    return owner
  }

  /**
   * Requests a quote. Null if there is none: the UTXOs are unconfirmed or insufficient, the earlier payment cannot be
   * replaced, or the response is unexpected.
   */
  async #quote(path: string, body: object): Promise<Quote | null> {
    const { journal, onMoment, service } = this.#options
    onMoment("quote")
    const response = await service.untilSuccessful(path, body)
    if (response.status === 400 && response.body.errors?.[0]?.code === "not_replaceable") return null
    if (response.status === 409 && response.body.id === "TRANSACTION_IN_BLOCK") return null
    if (response.status === 400 && response.body.errors?.[0]?.code === "insufficient_funds") return null
    if (response.status !== 200) {
      journal.surprises.push(`${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return null
    }
    const quote = response.body.transfer
    if (quote.revertReason !== undefined) {
      await sleep()
      return null
    }
    journal.quotes.add(quote.quoteId)
    return quote
  }

  async #accept(
    quote: Quote,
    fields: Pick<SignedPayment, "isCancel" | "receiver" | "satoshis" | "wallet">
  ): Promise<SignedPayment | null> {
    const { journal } = this.#options
    const payment: SignedPayment = { ...fields, quoteId: quote.quoteId, knowledge: "UNKNOWN", transactionId: null }
    journal.payments.set(payment.quoteId, payment)
    if (!(await accept(this.#options, payment, signAndFinalize(this.#owner!, quote.signData[0].psbt)))) {
      journal.payments.delete(payment.quoteId)
      return null
    }
    return payment.knowledge === "PROMISED" ? payment : null
  }
}
