import { type Hex, keccak256, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { signOperations } from "../../support/sign.ts"
import type { Factory, Moment } from "../Client.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { ApiResponse, ServiceClient } from "../ServiceClient.ts"
import type { BankDesk } from "./BankDesk.ts"
import type { FiatJournal, JournalOrder } from "./FiatJournal.ts"

interface FiatClientOptions {
  readonly name: string
  readonly service: ServiceClient
  readonly bank: BankDesk
  readonly factories: readonly [Factory, ...ReadonlyArray<Factory>]
  readonly random: SeededRandom
  readonly journal: FiatJournal
  readonly individualId: string
  readonly fund: (address: string) => Promise<void>
  readonly onMoment: (moment: Moment) => void
}

interface Wallet {
  readonly address: string
  readonly privateKey: Hex
}

const MAX_ATTEMPTS = 200
/** Probability that a client gives up on an execution whose response was lost. */
const ABANDON_PROBABILITY = 0.2
/** Probability that an order remains unpaid or unsigned. */
const LEAVE_PROBABILITY = 0.1
const BANK_TIMEOUT_MS = 120_000
const UNKNOWN_TIMEOUT_MS = 20_000
const ENDED_STATUSES = new Set(["COMPLETED", "EXPIRED", "CANCELLED", "FAILED", "RETURNED", "REFUNDED"])

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Returns the order id in a rejection which states that the quote was already used. */
const orderOfRefusal = ({ body }: ApiResponse): string | undefined =>
  body.id === "FIAT_QUOTE_ALREADY_USED" ? /order ([0-9a-f-]{36})/u.exec(body.message)?.[1] : undefined

const paymentMethods = {
  DEPOSIT: [
    { method: "PIX", currency: "BRL", minCents: 1_000 },
    { method: "ACH", currency: "USD", minCents: 1_000 },
    // A lower amount would be worth less than one cent in US dollars.
    { method: "TRANSFERS", currency: "ARS", minCents: 1_000_000 }
  ],
  WITHDRAWAL: [
    { destination: { type: "PIX", pixKey: "529.982.247-25" }, currency: "BRL" },
    { destination: { type: "SPEI", clabe: "032180000118359719" }, currency: "MXN" }
  ]
} as const

/**
 * Simulates a client with deposits and withdrawals, and the actions of the banks. Retries requests whose response was
 * lost.
 */
export class FiatClient {
  readonly #options: FiatClientOptions
  readonly #deployed: Array<Wallet> = []
  readonly #atBank: Array<Promise<void>> = []
  #keys = 0

  constructor(options: FiatClientOptions) {
    this.#options = options
  }

  /** Runs one order, from the quote to the bank, or until the client gives up. */
  async operate(): Promise<void> {
    const { random } = this.#options
    const knownWallet = this.#deployed[random.below(this.#deployed.length)]
    if (knownWallet !== undefined && random.fraction() < 0.5) return this.#deposit(knownWallet)
    const wallet = knownWallet ?? (await this.#register())
    const isDone = await this.#withdraw(wallet)
    if (knownWallet === undefined && isDone) this.#deployed.push(wallet)
  }

  /** Waits until the bank has processed all orders. */
  async finish(): Promise<void> {
    await Promise.all(this.#atBank)
  }

  async #register(): Promise<Wallet> {
    const { factories, fund, journal, name, onMoment, random, service } = this.#options
    const privateKey = keccak256(toHex(`${name} ${this.#keys++}`))
    const { factory, eip7702 } = random.pick(factories)
    const externallyOwnedAccount = privateKeyToAccount(privateKey).address.toLowerCase()
    onMoment("register")
    const { body, status } = await service.untilSuccessful("/api/v1/wallets/register", {
      externallyOwnedAccount,
      factory,
      eip7702
    })
    const address = status === 201 ? body.wallet.walletAddress : /0x[0-9a-f]{40}/u.exec(body.message)?.[0]
    if (address === undefined) throw new Error(`register: ${status} ${JSON.stringify(body)}`)
    journal.wallets.add(address)
    await fund(address)
    return { address, privateKey }
  }

  async #quote(direction: JournalOrder["direction"], { address }: Wallet, options: object): Promise<string> {
    const { individualId, onMoment, service } = this.#options
    onMoment("quote")
    const { body, status } = await service.untilSuccessful(`/api/v2/fiat/${direction.toLowerCase()}/quote`, {
      ...options,
      chainId: 1,
      walletAddress: address,
      individualId
    })
    if (status !== 201) throw new Error(`quote: ${status} ${JSON.stringify(body)}`)
    return body.quoteId
  }

  /**
   * Creates the order of a quote. Returns the complete order, or only its id if the response was lost. Null if there is
   * no order.
   */
  async #order(
    path: string,
    body: object
  ): Promise<{ readonly id: string; readonly whole: ApiResponse["body"] | null } | null> {
    const { journal, onMoment, service } = this.#options
    onMoment("order")
    const serviceResponse = await service.untilSuccessful(path, body)
    if (serviceResponse.status === 201) return { id: serviceResponse.body.id, whole: serviceResponse.body }
    const id = orderOfRefusal(serviceResponse)
    if (id !== undefined) return { id, whole: null }
    // The servers did not respond for minutes, so the quote has expired.
    if (serviceResponse.body.id === "FIAT_QUOTE_EXPIRED") return null
    journal.surprises.push(`${path}: ${serviceResponse.status} ${JSON.stringify(serviceResponse.body)}`)
    return null
  }

  async #deposit(wallet: Wallet): Promise<void> {
    const { journal, random } = this.#options
    const { currency, minCents, method } = random.pick<(typeof paymentMethods.DEPOSIT)[number]>(paymentMethods.DEPOSIT)
    const cents = minCents + random.below(5 * minCents)
    const quoteId = await this.#quote("DEPOSIT", wallet, {
      paymentMethod: { type: method },
      from: { currency, amount: (cents / 100).toFixed(2) },
      to: { currency: "USDC" }
    })
    const createdOrder = await this.#order("/api/v2/fiat/deposit", { quoteId })
    if (createdOrder === null) return
    const order = journal.recordCreated({
      id: createdOrder.id,
      direction: "DEPOSIT",
      wallet: wallet.address,
      hash: null
    })
    if (random.fraction() >= LEAVE_PROBABILITY) this.#atBank.push(this.#payIn(order, cents))
  }

  /**
   * Usually pays a deposit with the requested amount, sometimes twice or after a review. Otherwise pays another amount
   * or from another name, or lets the bank return or close the order.
   */
  async #payIn(order: JournalOrder, cents: number): Promise<void> {
    const { random } = this.#options
    const roll = random.fraction()
    if (roll < 0.1) return this.#atDesk(order, "return")
    if (roll < 0.2) return this.#atDesk(order, "pay", { amount: cents + 1 + random.below(500) })
    if (roll < 0.25) return this.#atDesk(order, "pay", { fromName: "Bob Other" })
    if (roll < 0.3) return this.#atDesk(order, "close")
    if (roll < 0.4) await this.#atDesk(order, "review")
    await this.#atDesk(order, "pay")
    if (roll > 0.8) await this.#atDesk(order, "pay")
  }

  /** Repeats a request to the bank until it succeeds, until the order has ended, or until a timeout. */
  async #atDesk(
    order: JournalOrder,
    action: "pay" | "return" | "review" | "close",
    fields: object = {}
  ): Promise<void> {
    const { bank, journal, onMoment, service } = this.#options
    const startedAt = performance.now()
    let refusal: string | null = null
    while (performance.now() < startedAt + BANK_TIMEOUT_MS) {
      onMoment("bank")
      refusal = await bank.act(action, { orderId: order.id, ...fields })
      if (refusal === null) return
      const { body } = await service.untilSuccessful(`/api/v2/fiat/orders/${order.id}`)
      if (ENDED_STATUSES.has(body.order?.status)) return
      // An execution whose response was lost may not have been accepted. Then the bank never gets the order.
      const isUnaccepted = order.execute === "UNKNOWN" && body.order?.transactionId === null
      if (isUnaccepted && performance.now() > startedAt + UNKNOWN_TIMEOUT_MS) return
      await sleep(200)
    }
    journal.surprises.push(`the bank refused to ${action} ${order.direction} ${order.id} for two minutes: ${refusal}`)
  }

  /**
   * Creates, signs and executes a withdrawal. Returns true once its operation has deployed the account, and false if
   * the client does not know whether it has.
   */
  async #withdraw(wallet: Wallet): Promise<boolean> {
    const { journal, random } = this.#options
    const { currency, destination } = random.pick<(typeof paymentMethods.WITHDRAWAL)[number]>(paymentMethods.WITHDRAWAL)
    const amount = ((500 + random.below(2_000)) / 100).toFixed(2)
    const quoteId = await this.#quote("WITHDRAWAL", wallet, {
      paymentMethod: { type: destination.type },
      from: { currency: "USDC", amount },
      to: { currency }
    })
    const createdOrder = await this.#order("/api/v2/fiat/withdrawal", { quoteId, paymentMethod: destination })
    if (createdOrder === null) return false
    const hash = createdOrder.whole?.withdrawalInstructions.userOperationHash ?? null
    const order = journal.recordCreated({ id: createdOrder.id, direction: "WITHDRAWAL", wallet: wallet.address, hash })
    if (hash === null || random.fraction() < LEAVE_PROBABILITY) return false
    await this.#execute(wallet, order, createdOrder.whole.signData)
    if (order.execute === "REFUSED" || order.execute === null) return false
    this.#atBank.push(this.#payOut(order))
    return this.#isSoon(order, "PROCESSING")
  }

  async #payOut(order: JournalOrder): Promise<void> {
    const roll = this.#options.random.fraction()
    if (roll < 0.15) return this.#atDesk(order, "return")
    if (roll < 0.25) await this.#atDesk(order, "review")
    await this.#atDesk(order, "pay")
  }

  async #isExecuted({ id }: JournalOrder): Promise<boolean> {
    const { body } = await this.#options.service.untilSuccessful(`/api/v2/fiat/orders/${id}`)
    return body.order?.transactionId !== null
  }

  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  async #execute({ privateKey }: Wallet, order: JournalOrder, signData: any): Promise<void> {
    const { journal, onMoment, random, service } = this.#options
    const body = { userOperationHash: order.hash, ...(await signOperations(privateKey, signData)) }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const wasUnknown = order.execute === "UNKNOWN"
      order.execute = "UNKNOWN"
      onMoment("execute")
      const serviceResponse = await service.ask("/api/v1/crypto/execute-user-op", body)
      if (serviceResponse === null && random.fraction() < ABANDON_PROBABILITY) return
      if (serviceResponse?.status === 200) {
        order.execute = "PROMISED"
        onMoment("executed")
        return
      }
      if (serviceResponse !== null && serviceResponse.status < 500) {
        // If an earlier request was accepted, its repetition must not be rejected.
        const wasAccepted = wasUnknown && (await this.#isExecuted(order))
        if (!wasAccepted) order.execute = "REFUSED"
        else journal.surprises.push(`${order.id} was refused at a repetition: ${JSON.stringify(serviceResponse.body)}`)
        return
      }
    }
    throw new Error(`execute: no answer after ${MAX_ATTEMPTS} attempts`)
  }

  async #isSoon(order: JournalOrder, status: string): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const serviceResponse = await this.#options.service.ask(`/api/v2/fiat/orders/${order.id}`)
      const reportedStatus = serviceResponse?.body.order?.status
      if (reportedStatus === status || reportedStatus === "COMPLETED" || reportedStatus === "RETURNED") return true
      if (ENDED_STATUSES.has(reportedStatus)) return false
      await sleep(50)
    }
    return false
  }
}
