import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { isSameName } from "@countersign/core/fiat"
import { Redacted, Schema } from "effect"
import { signedHeaders } from "../../src/outbound/webhooks/index.ts"
import { KeptFile } from "../KeptFile.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { BankCustomers, type Fields, type KycStatus } from "./BankCustomers.ts"
import { BankError } from "./BankError.ts"
import { type BankQuote, BankQuotes } from "./BankQuotes.ts"
import { give, take, unitsOf } from "./bankChain.ts"
import { BankOrder, shownOrder } from "./bankOrder.ts"
import { idOf } from "./idOf.ts"

/** How many requests are answered with this status, after how many others, and whether the bank does what they ask for before it fails. */
export interface BankFailures {
  count: number
  readonly status: number
  after?: number
  readonly isDone?: boolean
}

/** What moved on the bank's accounts: currencies and stablecoins by their codes, in cents. */
export const BankEntry = Schema.Struct({
  order: Schema.String,
  /** The order's id outside of the bank. */
  key: Schema.NullOr(Schema.String),
  code: Schema.String,
  cents: Schema.String
})
export type BankEntry = typeof BankEntry.Type

const Kept = Schema.Struct({ orders: Schema.Array(BankOrder), ledger: Schema.Array(BankEntry) })
const NOTHING: typeof Kept.Type = { orders: [], ledger: [] }

/** Whom the bank knows from the start. */
export const DEMO_INDIVIDUAL = "individual-1"
/** The customer of the reference's examples. A separate customer keeps these orders out of the limits of the demonstration's customer. */
export const EXAMPLE_INDIVIDUAL = "individual-2"

/** With which the bank signs what it tells. */
export const BLINDPAY_WEBHOOK_SECRET = Redacted.make(
  `whsec_${Buffer.from("the secret of the sandbox bank").toString("base64")}`
)

/** How a payer pays a deposit, if not as the quote says. */
export interface BankPayment {
  /** In cents. */
  readonly amount?: bigint
  /** The name of the account that it comes from: the customer's own without one. */
  readonly fromName?: string
}

/** After its quote's end: money that comes for a deposit later goes back. */
const LATE_MS = 10 * 24 * 60 * 60_000

/** A bank with a ledger and stablecoins, behind BlindPay's API. Its orders and ledger survive a restart; quotes and customers do not. */
export class SandboxBank {
  readonly ledger: Array<BankEntry>
  readonly #network: SandboxNetwork
  readonly customers = new BankCustomers()
  readonly #quotes: BankQuotes
  readonly #orders: Map<string, BankOrder>
  readonly #kept: KeptFile<typeof Kept.Type> | null
  readonly #turns = new Map<string, Promise<void>>()
  /** The URL that receives change notifications; null for none. */
  webhook: string | null = null
  /** Whether it leaves the token of a new withdrawal in the wallet until a later request takes it. */
  takesLater = false
  /** Requests that are answered with a failure next. */
  failures: BankFailures = { count: 0, status: 500 }

  /** Without a home the bank stores nothing on disk. */
  constructor(network: SandboxNetwork, home: string | null = null) {
    this.#network = network
    this.#kept = home === null ? null : new KeptFile(join(home, "bank.json"), Kept, NOTHING)
    const { ledger, orders } = this.#kept?.value ?? NOTHING
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
    await this.#kept?.keep({ orders: [...this.#orders.values()], ledger: this.ledger })
  }

  /** Deletes orders and ledger, for a start without the data of earlier runs. */
  async forget(): Promise<void> {
    this.#orders.clear()
    this.ledger.length = 0
    await this.#keep()
  }

  get orderCount(): number {
    return this.#orders.size
  }

  /** A customer whose id outside of the bank is this. */
  addCustomer(externalId: string): string {
    return this.customers.know(externalId)
  }

  /** The answer to a request below an instance. */
  async answer(method: string, path: string, body: Fields, key: string | null): Promise<unknown> {
    const { failures } = this
    const isSpared = (failures.after ?? 0) > 0
    if (isSpared) failures.after = failures.after! - 1
    if (isSpared || failures.count === 0) return this.#answer(method, path, body, key)
    failures.count -= 1
    if (failures.isDone === true) await this.#answer(method, path, body, key)
    throw new BankError("the bank is told to fail", failures.status)
  }

  async #answer(method: string, path: string, body: Fields, key: string | null): Promise<unknown> {
    const { pathname, searchParams } = new URL(path, "http://bank")
    const [, resource, id, part] = pathname.split("/")
    const route = `${method} ${resource}${part === undefined ? "" : `/${part}`}`
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
        return shownOrder(this.#orderOf(id!))
      default:
        throw new BankError(`there is no ${method} ${path}`, 404)
    }
  }

  /** An unused quote, or the order that a request with the same key has made before. */
  #begin(direction: BankQuote["direction"], quoteId: unknown, key: string | null): BankQuote | BankOrder {
    const made = key === null ? undefined : [...this.#orders.values()].find((order) => order.key === key)
    return made ?? this.#quotes.use(direction, quoteId)
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
    const begun = this.#begin("payin", payin_quote_id, key)
    const order = "id" in begun ? begun : this.#add("pi", begun, begun.wallet!, key)
    await this.#keep()
    return shownOrder(order)
  }

  async #payout({ quote_id, sender_wallet_address }: Fields, key: string | null) {
    const begun = this.#begin("payout", quote_id, key)
    if ("id" in begun) return shownOrder(begun)
    const wallet = String(sender_wallet_address).toLowerCase()
    const order = this.#add("po", begun, wallet, key)
    await this.#keep()
    if (this.takesLater) return shownOrder(order)
    const { chainId, token, tokenCents } = begun
    const hash = await take(this.#network, chainId, token, wallet, tokenCents).catch(() => undefined)
    if (hash === null) {
      order.status = "failed"
      order.reason = "the wallet has not approved the amount, or has less"
    } else if (hash !== undefined) {
      order.hash = hash
      this.#enter(order, token.symbol, tokenCents)
    }
    await this.#keep()
    return shownOrder(order)
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

  /** Why the bank does not take what came for a deposit; null where it does. */
  #whyBack({ quote }: BankOrder, paid: bigint, fromName: string | undefined): string | null {
    if (this.#nowMs() > quote.expiresAtMs + LATE_MS) return "it came too late"
    if (fromName !== undefined && !isSameName(fromName, this.customers.nameOf(quote.customer!)))
      return "it came from an account of another name"
    return paid === quote.fiatCents ? null : "another amount was paid than was asked for"
  }

  /** Money of one order moves in one request at a time. */
  async #inTurn(order: BankOrder, move: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(order.id) ?? Promise.resolve()
    const turn = before.then(move).finally(() => this.#keep())
    this.#turns.set(
      order.id,
      turn.catch(() => undefined)
    )
    await turn
  }

  /** Gives the wallet of an order its stablecoin. Nothing is booked where that fails, so that the request can be repeated. */
  async #give({ quote: { chainId, token, tokenCents }, wallet }: BankOrder): Promise<string> {
    const hash = await give(this.#network, chainId, token, wallet, unitsOf(token, tokenCents))
    if (hash === null) throw new BankError("the transfer of the stablecoin failed; nothing was booked. Try again")
    return hash
  }

  /** The payer pays a deposit; what came twice, late, from another or in another amount goes back. Or the bank pays out. */
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
    const paid = amount ?? fiatCents
    const isOver = order.paid !== null || (order.status !== "processing" && order.status !== "on_hold")
    const reason = isOver ? "it was paid before" : this.#whyBack(order, paid, fromName)
    if (reason !== null) {
      this.#enter(order, currency, paid)
      this.#enter(order, currency, -paid)
      // The second payment of a deposit is none of the order's.
      if (isOver) return
      order.paid = paid
      order.status = "refunded"
      order.reason = reason
      return
    }
    order.hash = await this.#give(order)
    this.#enter(order, currency, paid)
    this.#enter(order, token.symbol, -tokenCents)
    order.paid = paid
    order.status = "completed"
  }

  /** What came goes back: to the payer of a deposit, to the wallet of a withdrawal. */
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
      order.endHash = await this.#give(order)
      this.#enter(order, token.symbol, -tokenCents)
    }
    order.reason = "the receiving bank returned it"
    order.status = "refunded"
  }

  /** Takes the token of a withdrawal: later than usual, or again where what it took has lost its block. */
  async take(id: string): Promise<void> {
    const order = this.#orderOf(id)
    await this.#inTurn(order, () => this.#take(order))
  }

  async #take(order: BankOrder): Promise<void> {
    const { chainId, direction, token, tokenCents } = order.quote
    if (direction === "payin") throw new BankError("it takes nothing of a deposit")
    const hash = await take(this.#network, chainId, token, order.wallet, tokenCents)
    if (hash === null) throw new BankError("the wallet has not approved the amount, or has less")
    if (order.hash === null) this.#enter(order, token.symbol, tokenCents)
    order.hash = hash
  }

  /**
   * Repeats the transfers that a reorganisation has removed. Returns how many are still missing: a withdrawal can be taken
   * again only after the wallet's approval is in a block again.
   */
  async resend(): Promise<number> {
    let missing = 0
    for (const order of this.#orders.values()) {
      await this.#inTurn(order, () => this.#resend(order)).catch(() => {
        missing += 1
      })
    }
    return missing
  }

  async #resend(order: BankOrder): Promise<void> {
    const { chainId, direction } = order.quote
    const chain = this.#network.chain(chainId)
    const isLost = async (hash: string | null) =>
      hash !== null && (await chain.call("eth_getTransactionReceipt", hash)) === null
    const isToBeTaken = direction === "payout" && order.status === "processing" && !this.takesLater
    if ((isToBeTaken && order.hash === null) || (await isLost(order.hash))) {
      if (direction === "payin") order.hash = await this.#give(order)
      else await this.#take(order)
    }
    if (await isLost(order.endHash)) order.endHash = await this.#give(order)
  }

  /** Sends a signed webhook with the current order. Does not wait for the receiver. */
  async notify(id: string, copies = 1): Promise<void> {
    const order = this.#orderOf(id)
    const event = `${order.quote.direction}.${order.status === "processing" ? "update" : "complete"}`
    await this.#report({ webhook_event: event, ...shownOrder(order) }, copies)
  }

  async #report(message: object, copies: number): Promise<void> {
    if (this.webhook === null) return
    const body = JSON.stringify(message)
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

  /** The verification of a customer comes to this status, and the bank reports it, signed. */
  async reviewCustomer(id: string, status: KycStatus): Promise<void> {
    const customer = this.customers.setStatus(id, status)
    await this.#report({ webhook_event: "customer.update", id: customer, kyc_status: status }, 1)
  }

  /** The bank reports a deposit as paid by a transaction that it did not make for it; null takes that back. */
  async misreport(id: string, transactionHash: string | null): Promise<void> {
    const order = this.#orderOf(id)
    order.status = transactionHash === null ? "processing" : "completed"
    order.hash = transactionHash
    await this.#keep()
  }

  async review(id: string): Promise<void> {
    this.#open(id).status = "on_hold"
    await this.#keep()
  }

  /** Nobody pays, or nothing can be paid. */
  async close(id: string): Promise<void> {
    const order = this.#open(id)
    order.status = "failed"
    order.reason = "closed by the bank"
    await this.#keep()
  }
}
