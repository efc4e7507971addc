import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { isSameName } from "@countersign/core/fiat"
import { Redacted, Schema } from "effect"
import { signedHeaders } from "../../src/outbound/webhooks/index.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { StoredValue } from "../StoredValue.ts"
import { BankCustomers, type Fields, type KycStatus } from "./BankCustomers.ts"
import { BankError } from "./BankError.ts"
import { type BankQuote, BankQuotes } from "./BankQuotes.ts"
import { collectTokens, transferFromTreasury, unitsOf } from "./bankChain.ts"
import { BankOrder, orderResponse } from "./bankOrder.ts"
import { idOf } from "./idOf.ts"

/**
 * Makes `count` requests fail with this status, after `after` requests without a fault. If `isDone` is true, the bank
 * executes a request before it fails.
 */
export interface BankFailures {
  count: number
  readonly status: number
  after?: number
  readonly isDone?: boolean
}

/** An entry in the bank's ledger, in cents. `code` is a currency or a stablecoin. */
export const BankEntry = Schema.Struct({
  order: Schema.String,
  /** External id of the order. */
  key: Schema.NullOr(Schema.String),
  code: Schema.String,
  cents: Schema.String
})
export type BankEntry = typeof BankEntry.Type

const StoredState = Schema.Struct({ orders: Schema.Array(BankOrder), ledger: Schema.Array(BankEntry) })
const EMPTY_STATE: typeof StoredState.Type = { orders: [], ledger: [] }

/** A customer that exists from the start. */
export const DEMO_INDIVIDUAL = "individual-1"
/**
 * Customer of the examples in the API reference. It is separate, so that these orders do not count toward the limits of
 * `DEMO_INDIVIDUAL`.
 */
export const EXAMPLE_INDIVIDUAL = "individual-2"

/** The secret of the bank's webhook signatures. */
export const BLINDPAY_WEBHOOK_SECRET = Redacted.make(
  `whsec_${Buffer.from("the secret of the sandbox bank").toString("base64")}`
)

/** How the payment of a deposit differs from the order. */
export interface BankPayment {
  /** In cents. Default: the amount of the order. */
  readonly amount?: bigint
  /** The name on the payer's account. Default: the customer's name. */
  readonly fromName?: string
}

/** Milliseconds after the quote's expiry, after which the bank returns a deposit's payment. */
const LATE_MS = 10 * 24 * 60 * 60_000

/**
 * Simulates BlindPay's API, with a ledger and stablecoins. Orders and the ledger survive a restart; quotes and
 * customers do not.
 */
export class SandboxBank {
  readonly ledger: Array<BankEntry>
  readonly #network: SandboxNetwork
  readonly customers = new BankCustomers()
  readonly #quotes: BankQuotes
  readonly #orders: Map<string, BankOrder>
  readonly #kept: StoredValue<typeof StoredState.Type> | null
  readonly #turns = new Map<string, Promise<void>>()
  /** The URL that receives webhooks; null if there is none. */
  webhook: string | null = null
  /** Whether a new withdrawal leaves its tokens in the wallet until `take` is called. */
  takesLater = false
  /** Failures of the next requests. */
  failures: BankFailures = { count: 0, status: 500 }

  /** If `home` is null, the bank stores nothing on disk. */
  constructor(network: SandboxNetwork, home: string | null = null) {
    this.#network = network
    this.#kept = home === null ? null : new StoredValue(join(home, "bank.json"), StoredState, EMPTY_STATE)
    const { ledger, orders } = this.#kept?.value ?? EMPTY_STATE
    this.ledger = [...ledger]
    this.#orders = new Map(orders.map((order) => [order.id, order]))
    this.#quotes = new BankQuotes(network.clock)
    this.addCustomer(DEMO_INDIVIDUAL)
    this.addCustomer(EXAMPLE_INDIVIDUAL)
  }

  #nowMs(): number {
    return this.#network.clock.nowSeconds() * 1_000
  }

  async #keep(): Promise<void> {
    await this.#kept?.store({ orders: [...this.#orders.values()], ledger: this.ledger })
  }

  /** Deletes the orders and the ledger of earlier runs. */
  async clear(): Promise<void> {
    this.#orders.clear()
    this.ledger.length = 0
    await this.#keep()
  }

  get orderCount(): number {
    return this.#orders.size
  }

  /** Returns the bank's id of the customer with this external id. */
  addCustomer(externalId: string): string {
    return this.customers.findOrCreate(externalId)
  }

  /** Handles a request. `path` is the part of the path after the instance. */
  async respond(method: string, path: string, body: Fields, key: string | null): Promise<unknown> {
    const { failures } = this
    const isSpared = (failures.after ?? 0) > 0
    if (isSpared) failures.after = failures.after! - 1
    if (isSpared || failures.count === 0) return this.#respond(method, path, body, key)
    failures.count -= 1
    if (failures.isDone === true) await this.#respond(method, path, body, key)
    throw new BankError("the bank is set to fail", failures.status)
  }

  async #respond(method: string, path: string, body: Fields, key: string | null): Promise<unknown> {
    const { pathname, searchParams } = new URL(path, "http://bank")
    const [, resource, id, subresource] = pathname.split("/")
    const route = `${method} ${resource}${subresource === undefined ? "" : `/${subresource}`}`
    switch (route) {
      case "GET customers":
        return id === undefined ? this.customers.list(searchParams) : this.customers.show(id)
      case "POST customers":
        return this.customers.create(body)
      case "GET customers/rfi":
        return this.customers.requestFor(id!)
      case "GET customers/blockchain-wallets":
        return this.#quotes.walletsOf(id!)
      case "POST customers/blockchain-wallets":
        return this.#quotes.addWallet(id!, body)
      case "POST customers/bank-accounts":
        return this.#quotes.addAccount(this.customers.nameOf(id!), body)
      case "POST payin-quotes":
        return this.#quotes.payinQuote(body)
      case "POST quotes":
        return id === "fx" ? this.#quotes.fx(body) : this.#quotes.payoutQuote(body)
      case "POST payins":
        return this.#payin(body, key)
      case "POST payouts":
        return this.#payout(body, key)
      case "GET payins":
      case "GET payouts":
        return orderResponse(this.#orderOf(id!))
      default:
        throw new BankError(`there is no ${method} ${path}`, 404)
    }
  }

  /** Returns the unused quote, or the order that an earlier request with the same idempotency key created. */
  #begin(direction: BankQuote["direction"], quoteId: unknown, key: string | null): BankQuote | BankOrder {
    const earlierOrder = key === null ? undefined : [...this.#orders.values()].find((order) => order.key === key)
    return earlierOrder ?? this.#quotes.use(direction, quoteId)
  }

  #add(prefix: "pi" | "po", quote: BankQuote, wallet: string, key: string | null): BankOrder {
    const memoCode = randomBytes(8).toString("hex").toUpperCase()
    const order: BankOrder = {
      id: idOf(prefix),
      key,
      quote,
      wallet,
      memoCode,
      paid: null,
      status: "processing",
      hash: null,
      endHash: null,
      reason: null
    }
    this.#orders.set(order.id, order)
    return order
  }

  async #payin({ payin_quote_id }: Fields, key: string | null) {
    const quoteOrOrder = this.#begin("payin", payin_quote_id, key)
    const order = "id" in quoteOrOrder ? quoteOrOrder : this.#add("pi", quoteOrOrder, quoteOrOrder.wallet!, key)
    await this.#keep()
    return orderResponse(order)
  }

  async #payout({ quote_id, sender_wallet_address }: Fields, key: string | null) {
    const quoteOrOrder = this.#begin("payout", quote_id, key)
    if ("id" in quoteOrOrder) return orderResponse(quoteOrOrder)
    const wallet = String(sender_wallet_address).toLowerCase()
    const order = this.#add("po", quoteOrOrder, wallet, key)
    await this.#keep()
    if (this.takesLater) return orderResponse(order)
    const { chainId, token, tokenCents } = quoteOrOrder
    const hash = await collectTokens(this.#network, chainId, token, wallet, tokenCents).catch(() => undefined)
    if (hash === null) {
      order.status = "failed"
      order.reason = "the wallet has not approved the amount, or its balance is too low"
    } else if (hash !== undefined) {
      order.hash = hash
      this.#enter(order, token.symbol, tokenCents)
    }
    await this.#keep()
    return orderResponse(order)
  }

  #enter({ id, key }: BankOrder, code: string, cents: bigint): void {
    this.ledger.push({ order: id, key, code, cents: cents.toString() })
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

  /** Returns why the bank returns a deposit's payment. Null if it accepts the payment. */
  #returnReason({ quote }: BankOrder, paidAmount: bigint, fromName: string | undefined): string | null {
    if (this.#nowMs() > quote.expiresAtMs + LATE_MS) return "the payment arrived too late"
    if (fromName !== undefined && !isSameName(fromName, this.customers.nameOf(quote.customer!)))
      return "the payer's account has another name"
    return paidAmount === quote.fiatCents ? null : "the amount differs from the requested amount"
  }

  /** Runs the changes of an order one after another. */
  async #inTurn(order: BankOrder, runChange: () => Promise<void>): Promise<void> {
    const previousChange = this.#turns.get(order.id) ?? Promise.resolve()
    const change = previousChange.then(runChange).finally(() => this.#keep())
    this.#turns.set(
      order.id,
      change.catch(() => undefined)
    )
    await change
  }

  /**
   * Sends the stablecoin of an order to its wallet. If this fails, nothing is recorded in the ledger, so that the
   * request can be repeated.
   */
  async #sendStablecoin({ quote: { chainId, token, tokenCents }, wallet }: BankOrder): Promise<string> {
    const hash = await transferFromTreasury(this.#network, chainId, token, wallet, unitsOf(token, tokenCents))
    if (hash === null)
      throw new BankError("the transfer of the stablecoin failed, and nothing was recorded in the ledger. Try again")
    return hash
  }

  /**
   * Simulates the payment of a deposit, or pays out a withdrawal. A deposit's payment is returned if it is a duplicate,
   * too late, from another name, or of another amount.
   */
  async pay(id: string, payment: BankPayment = {}): Promise<void> {
    const order = this.#orderOf(id)
    await this.#inTurn(order, () => this.#pay(order, payment))
  }

  async #pay(order: BankOrder, { amount, fromName }: BankPayment): Promise<void> {
    const { currency, direction, fiatCents, token, tokenCents } = order.quote
    if (direction === "payout") {
      this.#open(order.id)
      this.#enter(order, currency, -fiatCents)
      order.status = "completed"
      return
    }
    const paidCents = amount ?? fiatCents
    const isOver = order.paid !== null || (order.status !== "processing" && order.status !== "on_hold")
    const reason = isOver ? "the order was already paid" : this.#returnReason(order, paidCents, fromName)
    if (reason !== null) {
      this.#enter(order, currency, paidCents)
      this.#enter(order, currency, -paidCents)
      // A duplicate payment does not change the order.
      if (isOver) return
      order.paid = paidCents
      order.status = "refunded"
      order.reason = reason
      return
    }
    order.hash = await this.#sendStablecoin(order)
    this.#enter(order, currency, paidCents)
    this.#enter(order, token.symbol, -tokenCents)
    order.paid = paidCents
    order.status = "completed"
  }

  /** Sends the fiat payment of a deposit back to its payer, or the tokens of a withdrawal back to the wallet. */
  async sendBack(id: string): Promise<void> {
    const order = this.#orderOf(id)
    await this.#inTurn(order, () => this.#sendBack(this.#open(id)))
  }

  async #sendBack(order: BankOrder): Promise<void> {
    const { currency, direction, fiatCents, token, tokenCents } = order.quote
    if (direction === "payin") {
      order.paid = fiatCents
      this.#enter(order, currency, fiatCents)
      this.#enter(order, currency, -fiatCents)
    }
    if (direction === "payout") {
      order.endHash = await this.#sendStablecoin(order)
      this.#enter(order, token.symbol, -tokenCents)
    }
    order.reason = "the receiving bank returned the payment"
    order.status = "refunded"
  }

  /**
   * Transfers the tokens of a withdrawal to the bank: later than usual, or again after a reorg has removed the
   * transaction.
   */
  async take(id: string): Promise<void> {
    const order = this.#orderOf(id)
    await this.#inTurn(order, () => this.#take(order))
  }

  async #take(order: BankOrder): Promise<void> {
    const { chainId, direction, token, tokenCents } = order.quote
    if (direction === "payin") throw new BankError("a deposit has no token to collect")
    const hash = await collectTokens(this.#network, chainId, token, order.wallet, tokenCents)
    if (hash === null) throw new BankError("the wallet has not approved the amount, or its balance is too low")
    if (order.hash === null) this.#enter(order, token.symbol, tokenCents)
    order.hash = hash
  }

  /**
   * Repeats the transfers that a reorg has removed. Returns the number of transfers that are still missing. A
   * withdrawal's tokens can be transferred again only when the wallet's approval is included again.
   */
  async resend(): Promise<number> {
    let missingCount = 0
    for (const order of this.#orders.values()) {
      await this.#inTurn(order, () => this.#resend(order)).catch(() => {
        missingCount += 1
      })
    }
    return missingCount
  }

  async #resend(order: BankOrder): Promise<void> {
    const { chainId, direction } = order.quote
    const chain = this.#network.chain(chainId)
    const isLost = async (hash: string | null) =>
      hash !== null && (await chain.call("eth_getTransactionReceipt", hash)) === null
    const isToBeTaken = direction === "payout" && order.status === "processing" && !this.takesLater
    if ((isToBeTaken && order.hash === null) || (await isLost(order.hash))) {
      if (direction === "payin") order.hash = await this.#sendStablecoin(order)
      else await this.#take(order)
    }
    if (await isLost(order.endHash)) order.endHash = await this.#sendStablecoin(order)
  }

  /** Sends a signed webhook with the current order, `copies` times. Ignores failures of the receiver. */
  async notify(id: string, copies = 1): Promise<void> {
    const order = this.#orderOf(id)
    const event = `${order.quote.direction}.${order.status === "processing" ? "update" : "complete"}`
    await this.#report({ webhook_event: event, ...orderResponse(order) }, copies)
  }

  async #report(message: object, copies: number): Promise<void> {
    if (this.webhook === null) return
    const body = JSON.stringify(message)
    const headers = signedHeaders([BLINDPAY_WEBHOOK_SECRET], idOf("msg"), this.#network.clock.nowSeconds(), body)
    const svixHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace("webhook", "svix"), value])
    )
    for (let copy = 0; copy < copies; copy++) {
      await fetch(this.webhook, {
        method: "POST",
        headers: { ...svixHeaders, "content-type": "application/json" },
        body
      }).catch(() => undefined)
    }
  }

  /** Sets the verification status of a customer and sends a signed webhook. */
  async reviewCustomer(id: string, status: KycStatus): Promise<void> {
    const customerId = this.customers.setStatus(id, status)
    await this.#report({ webhook_event: "customer.update", id: customerId, kyc_status: status }, 1)
  }

  /**
   * Makes the bank report a transaction as the payment of a deposit, although the bank did not send it. Null ends the
   * false report.
   */
  async setFalseReport(id: string, transactionHash: string | null): Promise<void> {
    const order = this.#orderOf(id)
    order.status = transactionHash === null ? "processing" : "completed"
    order.hash = transactionHash
    await this.#keep()
  }

  async review(id: string): Promise<void> {
    this.#open(id).status = "on_hold"
    await this.#keep()
  }

  /** Ends an order without a payment. */
  async close(id: string): Promise<void> {
    const order = this.#open(id)
    order.status = "failed"
    order.reason = "closed by the bank"
    await this.#keep()
  }
}
