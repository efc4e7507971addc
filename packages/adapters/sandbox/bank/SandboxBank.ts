import { randomBytes } from "node:crypto"
import type { EvmChainId } from "@countersign/core/chains"
import { brCodeText } from "@countersign/core/fiat"
import { Redacted } from "effect"
import { signedHeaders } from "../../src/webhooks/index.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { BankError } from "./BankError.ts"
import { CUSTOMER, type PayoutAccount, payoutAccount } from "./bankAccounts.ts"
import { BANK_ADDRESS, type BankToken, chainIdOf, give, take, tokenOn, unitsOf } from "./bankChain.ts"
import { type BankCurrency, boughtFor, currencies, FLAT_FEE, isBankCurrency, LEAST, paidFor } from "./bankTerms.ts"

type Fields = Readonly<Record<string, unknown>>
type Status = "processing" | "on_hold" | "completed" | "failed" | "refunded"

interface BankQuote {
  readonly direction: "payin" | "payout"
  readonly currency: BankCurrency
  readonly method: string
  readonly chainId: EvmChainId
  readonly token: BankToken
  /** The wallet of a payin; a payout names it when it is made. */
  readonly wallet: string | null
  readonly fiatCents: bigint
  readonly tokenCents: bigint
  readonly expiresAtMs: number
  isUsed: boolean
}

interface BankOrder {
  readonly id: string
  /** The key of the request that made it, which is the order's id outside of the bank. */
  readonly key: string | null
  readonly quote: BankQuote
  readonly wallet: string
  readonly memoCode: string
  status: Status
  hash: string | null
  endHash: string | null
  reason: string | null
}

/** What moved on the bank's accounts: currencies and stablecoins by their codes, in cents. */
export interface BankEntry {
  readonly order: string
  readonly code: string
  readonly cents: string
}

/** Whom the bank knows from the start. */
export const DEMO_INDIVIDUAL = "individual-1"

/** With which the bank signs what it tells. */
export const BLINDPAY_WEBHOOK_SECRET = Redacted.make(
  `whsec_${Buffer.from("the secret of the sandbox bank").toString("base64")}`
)

const QUOTE_MS = 5 * 60_000
/** Accounts that depositors pay to: one of each country. */
const CBU = "2850590940090418135201"
const PIX_KEY = "123e4567-e12b-12d1-a456-426655440000"

const idOf = (prefix: string): string => `${prefix}_${randomBytes(6).toString("hex")}`

const centsOf = (amount: unknown): bigint => {
  if (!Number.isSafeInteger(amount)) throw new BankError("request_amount must be an integer in minor units")
  const cents = BigInt(amount as number)
  if (cents < LEAST) throw new BankError(`request_amount must be at least ${LEAST}`)
  return cents
}

/** A bank with a ledger and stablecoins, behind BlindPay's wire. It forgets everything when the sandbox stops. */
export class SandboxBank {
  readonly ledger: Array<BankEntry> = []
  readonly #network: SandboxNetwork
  readonly #customers = new Map<string, string>()
  readonly #wallets = new Map<
    string,
    { readonly customer: string; readonly network: string; readonly address: string }
  >()
  readonly #accounts = new Map<string, PayoutAccount>()
  readonly #quotes = new Map<string, BankQuote>()
  readonly #orders = new Map<string, BankOrder>()
  /** Where it tells of changes; null where it tells nobody. */
  webhook: string | null = null
  /** Requests that are answered with a failure next, and with which. */
  failures: { count: number; readonly status: number } = { count: 0, status: 500 }

  constructor(network: SandboxNetwork) {
    this.#network = network
    this.addCustomer(DEMO_INDIVIDUAL)
  }

  #nowMs(): number {
    return this.#network.clock.nowSeconds() * 1_000
  }

  /** A customer whose id outside of the bank is this. */
  addCustomer(externalId: string): string {
    const id = this.#customers.get(externalId) ?? idOf("re")
    this.#customers.set(externalId, id)
    return id
  }

  /** The answer to a request below an instance. */
  async answer(method: string, path: string, body: Fields, key: string | null): Promise<unknown> {
    if (this.failures.count > 0) {
      this.failures.count -= 1
      throw new BankError("the bank is told to fail", this.failures.status)
    }
    const [, resource, id, part] = path.split("/")
    const route = `${method} ${resource}${part === undefined ? "" : `/${part}`}`
    switch (route) {
      case "GET customers":
        if (id !== undefined) return this.#customer(id)
        return [...this.#customers].map(([external_id, customer]) => ({ id: customer, external_id }))
      case "GET customers/blockchain-wallets":
        return [...this.#wallets]
          .filter(([, { customer }]) => customer === id)
          .map(([wallet, of]) => ({ id: wallet, ...of }))
      case "POST customers/blockchain-wallets":
        return this.#addWallet(id!, body)
      case "POST customers/bank-accounts":
        return this.#addAccount(body)
      case "POST payin-quotes":
        return this.#payinQuote(body)
      case "POST quotes":
        return id === "fx" ? this.#fx(body) : this.#payoutQuote(body)
      case "POST payins":
        return this.#payin(body, key)
      case "POST payouts":
        return this.#payout(body, key)
      case "GET payins":
      case "GET payouts":
        return this.#shown(this.#orderOf(id!))
      default:
        throw new BankError(`there is no ${method} ${path}`, 404)
    }
  }

  #addWallet(customer: string, { address, network }: Fields) {
    chainIdOf(network)
    if (typeof address !== "string") throw new BankError("blockchain_wallet_address_missing")
    const id = idOf("bw")
    const wallet = { customer, network: String(network), address: address.toLowerCase() }
    this.#wallets.set(id, wallet)
    return { id, ...wallet }
  }

  #customer(id: string) {
    if (![...this.#customers.values()].includes(id)) throw new BankError("customer_not_found", 404)
    return { id, ...CUSTOMER }
  }

  #addAccount(body: Fields) {
    const id = idOf("ba")
    const account = payoutAccount(body)
    this.#accounts.set(id, account)
    return { id, type: account.type }
  }

  #payinQuote(body: Fields) {
    const wallet = this.#wallets.get(String(body.blockchain_wallet_id))
    if (wallet === undefined) throw new BankError("blockchain_wallet_not_found", 404)
    const method = String(body.payment_method)
    const currency = currencies[method]
    if (currency === undefined) throw new BankError(`unsupported payment_method ${method}`)
    const chainId = chainIdOf(wallet.network)
    const fiatCents = centsOf(body.request_amount)
    const token = tokenOn(chainId, body.token)
    const tokenCents = boughtFor(currency, fiatCents)
    const { address } = wallet
    return this.#keepQuote({
      direction: "payin",
      currency,
      method,
      chainId,
      token,
      wallet: address,
      fiatCents,
      tokenCents
    })
  }

  #fx({ request_amount, to }: Fields) {
    if (typeof to !== "string" || !isBankCurrency(to)) throw new BankError(`unsupported currency ${to}`)
    return { result_amount: Number(paidFor(to, centsOf(request_amount))), instance_flat_fee: Number(FLAT_FEE) }
  }

  #payoutQuote(body: Fields) {
    const account = this.#accounts.get(String(body.bank_account_id))
    if (account === undefined) throw new BankError("bank_account_not_found", 404)
    const chainId = chainIdOf(body.network)
    const token = tokenOn(chainId, body.token)
    const tokenCents = centsOf(body.request_amount)
    const fiatCents = paidFor(account.currency, tokenCents)
    return {
      ...this.#keepQuote({
        direction: "payout",
        currency: account.currency,
        method: account.type,
        chainId,
        token,
        wallet: null,
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

  #keepQuote(terms: Omit<BankQuote, "expiresAtMs" | "isUsed">) {
    const id = idOf("qu")
    const expiresAtMs = this.#nowMs() + QUOTE_MS
    this.#quotes.set(id, { ...terms, expiresAtMs, isUsed: false })
    const [sent, received] =
      terms.direction === "payin" ? [terms.fiatCents, terms.tokenCents] : [terms.tokenCents, terms.fiatCents]
    return {
      id,
      expires_at: expiresAtMs,
      sender_amount: Number(sent),
      receiver_amount: Number(received),
      flat_fee: Number(FLAT_FEE)
    }
  }

  /** An unused quote, or the order that a request with the same key has made before. */
  #begin(direction: BankQuote["direction"], quoteId: unknown, key: string | null): BankQuote | BankOrder {
    const made = key === null ? undefined : [...this.#orders.values()].find((order) => order.key === key)
    if (made !== undefined) return made
    const quote = this.#quotes.get(String(quoteId))
    if (quote === undefined || quote.direction !== direction) throw new BankError("quote_not_found", 404)
    if (quote.isUsed) throw new BankError("quote_already_used")
    if (this.#nowMs() > quote.expiresAtMs) throw new BankError("quote_expired")
    quote.isUsed = true
    return quote
  }

  #keepOrder(prefix: "pi" | "po", quote: BankQuote, wallet: string, key: string | null): BankOrder {
    const memoCode = randomBytes(8).toString("hex").toUpperCase()
    const order: BankOrder = {
      id: idOf(prefix),
      key,
      quote,
      wallet,
      memoCode,
      status: "processing",
      hash: null,
      endHash: null,
      reason: null
    }
    this.#orders.set(order.id, order)
    return order
  }

  #payin({ payin_quote_id }: Fields, key: string | null) {
    const begun = this.#begin("payin", payin_quote_id, key)
    return this.#shown("id" in begun ? begun : this.#keepOrder("pi", begun, begun.wallet!, key))
  }

  async #payout({ quote_id, sender_wallet_address }: Fields, key: string | null) {
    const begun = this.#begin("payout", quote_id, key)
    if ("id" in begun) return this.#shown(begun)
    const wallet = String(sender_wallet_address).toLowerCase()
    const order = this.#keepOrder("po", begun, wallet, key)
    const { chainId, token, tokenCents } = begun
    order.hash = await take(this.#network, chainId, token, wallet, tokenCents).catch(() => null)
    if (order.hash === null) {
      order.status = "failed"
      order.reason = "the wallet has not approved the amount, or has less"
    } else this.#enter(order, token.symbol, tokenCents)
    return this.#shown(order)
  }

  #enter({ id }: BankOrder, code: string, cents: bigint): void {
    this.ledger.push({ order: id, code, cents: cents.toString() })
  }

  #orderOf(id: string): BankOrder {
    const order = this.#orders.get(id) ?? [...this.#orders.values()].find(({ key }) => key === id)
    if (order === undefined) throw new BankError(`the bank has no order ${id}`, 404)
    return order
  }

  #open(id: string): BankOrder {
    const order = this.#orderOf(id)
    if (order.status !== "processing" && order.status !== "on_hold") throw new BankError(`the order is ${order.status}`)
    return order
  }

  /** The payer pays a deposit, in cents; another amount than was asked for goes back. Or the bank pays out a withdrawal. */
  async pay(id: string, amount?: bigint): Promise<void> {
    const order = this.#open(id)
    const { chainId, currency, direction, fiatCents, token, tokenCents } = order.quote
    if (direction === "payout") {
      this.#enter(order, currency, -fiatCents)
      order.status = "completed"
      return
    }
    const paid = amount ?? fiatCents
    this.#enter(order, currency, paid)
    if (paid !== fiatCents) {
      this.#enter(order, currency, -paid)
      order.status = "refunded"
      order.reason = "another amount was paid than was asked for"
      return
    }
    order.hash = await give(this.#network, chainId, token, order.wallet, tokenCents)
    this.#enter(order, token.symbol, -tokenCents)
    order.status = "completed"
  }

  /** What came goes back: to the payer of a deposit, to the wallet of a withdrawal. */
  async sendBack(id: string): Promise<void> {
    const order = this.#open(id)
    const { chainId, direction, token, tokenCents } = order.quote
    order.reason = "the receiving bank returned it"
    if (direction === "payout") {
      order.endHash = await give(this.#network, chainId, token, order.wallet, tokenCents)
      this.#enter(order, token.symbol, -tokenCents)
    }
    order.status = "refunded"
  }

  /** Tells of an order as it is now, signed; whether anybody listens is not waited for. */
  async tell(id: string, copies = 1): Promise<void> {
    const order = this.#orderOf(id)
    if (this.webhook === null) return
    const event = `${order.quote.direction}.${order.status === "processing" ? "update" : "complete"}`
    const body = JSON.stringify({ webhook_event: event, ...this.#shown(order) })
    const headers = signedHeaders([BLINDPAY_WEBHOOK_SECRET], idOf("msg"), this.#network.clock.nowSeconds(), body)
    const svix = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace("webhook", "svix"), value])
    )
    for (let copy = 0; copy < copies; copy++) {
      await fetch(this.webhook, {
        method: "POST",
        headers: { ...svix, "content-type": "application/json" },
        body
      }).catch(() => undefined)
    }
  }

  review(id: string): void {
    this.#open(id).status = "on_hold"
  }

  /** Nobody pays, or nothing can be paid. */
  close(id: string): void {
    const order = this.#open(id)
    order.status = "failed"
    order.reason = "closed by the bank"
  }

  #shown(order: BankOrder) {
    const { endHash, hash, id, memoCode, quote, reason, status } = order
    const step = status === "processing" || status === "on_hold" ? status : "completed"
    const tracking = {
      tracking_transaction: { step, transaction_hash: hash },
      tracking_payment: { step: status === "processing" ? "on_hold" : step },
      tracking_complete: { step, status: reason, transaction_hash: endHash }
    }
    if (quote.direction === "payout") return { id, status, sender_wallet_address: order.wallet, ...tracking }
    const isPix = quote.method === "pix"
    const hasMemo = quote.currency === "USD"
    const transfers_instruction = quote.method === "transfers" ? { account: CBU, type: "CBU" } : null
    const amount = quote.fiatCents
    return {
      id,
      status,
      payment_method: quote.method,
      memo_code: hasMemo ? memoCode : null,
      clabe: quote.method === "spei" ? "032180000118359719" : null,
      pix_code: isPix
        ? brCodeText({
            pixKey: PIX_KEY,
            merchantName: "Sandbox Bank",
            merchantCity: "SAO PAULO",
            amount,
            txid: memoCode
          })
        : null,
      blindpay_bank_details: {
        routing_number: "021000021",
        account_number: "31254097",
        account_type: "Business checking",
        beneficiary: {
          name: "Sandbox Payments",
          address_line_1: "1 Test Street",
          address_line_2: "New York, NY 10001"
        },
        receiving_bank: { name: "Sandbox Bank", address_line_1: "2 Test Street", address_line_2: "New York, NY 10001" }
      },
      ...tracking,
      tracking_transaction: { ...tracking.tracking_transaction, transfers_instruction }
    }
  }
}
