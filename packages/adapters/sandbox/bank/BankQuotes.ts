import { EvmChainId } from "@countersign/core/foundation/chains"
import { Schema } from "effect"
import type { SandboxClock } from "../network/SandboxClock.ts"
import type { Fields } from "./BankCustomers.ts"
import { BankError } from "./BankError.ts"
import { type PayoutAccount, payoutAccount } from "./bankAccounts.ts"
import { BANK_ADDRESS, BankToken, chainIdOf, tokenOn, unitsOf } from "./bankChain.ts"
import { BankCurrency, currencies, FLAT_FEE, fiatFor, isBankCurrency, MIN_CENTS, stablecoinFor } from "./bankTerms.ts"
import { idOf } from "./idOf.ts"

export const BankQuote = Schema.Struct({
  direction: Schema.Literals(["payin", "payout"]),
  currency: BankCurrency,
  method: Schema.String,
  chainId: EvmChainId,
  token: BankToken,
  /**
   * Wallet and customer of a payin. For a payout they are null, because a payout specifies the wallet when it is
   * created.
   */
  wallet: Schema.NullOr(Schema.String),
  customer: Schema.NullOr(Schema.String),
  fiatCents: Schema.BigIntFromString,
  tokenCents: Schema.BigIntFromString,
  expiresAtMs: Schema.Finite
})
export type BankQuote = typeof BankQuote.Type

const QUOTE_MS = 5 * 60_000

const centsOf = (amount: unknown): bigint => {
  if (!Number.isSafeInteger(amount)) throw new BankError("request_amount must be an integer in minor units")
  const cents = BigInt(amount as number)
  if (cents < MIN_CENTS) throw new BankError(`request_amount must be at least ${MIN_CENTS}`)
  return cents
}

/** The blockchain wallets and bank accounts of customers, and quotes with a short expiry. */
export class BankQuotes {
  readonly #clock: SandboxClock
  readonly #wallets = new Map<
    string,
    { readonly customer: string; readonly network: string; readonly address: string }
  >()
  readonly #accounts = new Map<string, PayoutAccount>()
  readonly #quotes = new Map<string, BankQuote>()
  readonly #used = new Set<BankQuote>()

  constructor(clock: SandboxClock) {
    this.#clock = clock
  }

  #nowMs(): number {
    return this.#clock.nowSeconds() * 1_000
  }

  addWallet(customer: string, { address, network }: Fields) {
    chainIdOf(network)
    if (typeof address !== "string") throw new BankError("blockchain_wallet_address_missing")
    const id = idOf("bw")
    const wallet = { customer, network: String(network), address: address.toLowerCase() }
    this.#wallets.set(id, wallet)
    return { id, ...wallet }
  }

  addAccount(customerName: string, body: Fields) {
    const id = idOf("ba")
    const account = payoutAccount(customerName, body)
    this.#accounts.set(id, account)
    return { id, type: account.type }
  }

  payinQuote(body: Fields) {
    const wallet = this.#wallets.get(String(body.blockchain_wallet_id))
    if (wallet === undefined) throw new BankError("blockchain_wallet_not_found", 404)
    const method = String(body.payment_method)
    const currency = currencies[method]
    if (currency === undefined) throw new BankError(`unsupported payment_method ${method}`)
    const chainId = chainIdOf(wallet.network)
    const fiatCents = centsOf(body.request_amount)
    const token = tokenOn(chainId, body.token)
    const tokenCents = stablecoinFor(currency, fiatCents)
    const { address, customer } = wallet
    return this.#keep({
      direction: "payin",
      currency,
      method,
      chainId,
      token,
      wallet: address,
      customer,
      fiatCents,
      tokenCents
    })
  }

  fx({ request_amount, to }: Fields) {
    if (typeof to !== "string" || !isBankCurrency(to)) throw new BankError(`unsupported currency ${to}`)
    return { result_amount: Number(fiatFor(to, centsOf(request_amount))), instance_flat_fee: Number(FLAT_FEE) }
  }

  payoutQuote(body: Fields) {
    const account = this.#accounts.get(String(body.bank_account_id))
    if (account === undefined) throw new BankError("bank_account_not_found", 404)
    const chainId = chainIdOf(body.network)
    const token = tokenOn(chainId, body.token)
    const tokenCents = centsOf(body.request_amount)
    const fiatCents = fiatFor(account.currency, tokenCents)
    return {
      ...this.#keep({
        direction: "payout",
        currency: account.currency,
        method: account.type,
        chainId,
        token,
        wallet: null,
        customer: null,
        fiatCents,
        tokenCents
      }),
      contract: {
        address: token.address,
        abi: [],
        functionName: "approve",
        blindpayContractAddress: BANK_ADDRESS,
        amount: unitsOf(token, tokenCents).toString(),
        network: { name: String(body.network), chainId }
      }
    }
  }

  #keep(terms: Omit<BankQuote, "expiresAtMs">) {
    const id = idOf("qu")
    const expiresAtMs = this.#nowMs() + QUOTE_MS
    this.#quotes.set(id, { ...terms, expiresAtMs })
    const [sentAmount, receivedAmount] =
      terms.direction === "payin" ? [terms.fiatCents, terms.tokenCents] : [terms.tokenCents, terms.fiatCents]
    return {
      id,
      expires_at: expiresAtMs,
      sender_amount: Number(sentAmount),
      receiver_amount: Number(receivedAmount),
      flat_fee: Number(FLAT_FEE)
    }
  }

  walletsOf(customer: string) {
    return [...this.#wallets].filter(([, wallet]) => wallet.customer === customer).map(([id, of]) => ({ id, ...of }))
  }

  /** Returns a quote and marks it as used. */
  use(direction: BankQuote["direction"], id: unknown): BankQuote {
    const quote = this.#quotes.get(String(id))
    if (quote === undefined || quote.direction !== direction) throw new BankError("quote_not_found", 404)
    if (this.#used.has(quote)) throw new BankError("quote_already_used")
    if (this.#nowMs() > quote.expiresAtMs) throw new BankError("quote_expired")
    this.#used.add(quote)
    return quote
  }
}
