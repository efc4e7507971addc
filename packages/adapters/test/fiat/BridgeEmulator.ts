import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { brCodeText } from "@countersign/core/fiat"
import type { EvmChainId } from "@countersign/core/foundation/chains"

/** Bridge's HTTP API as far as it is used, over a socket: customers, external accounts, transfers, rates, signed messages. */

export const BRIDGE_KEY = "sk-test-bridge"
export const BRIDGE_ADDRESS = `0xb41d9e${"0".repeat(33)}1` as const

export const bridgeKeys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

/** Units of a currency for one US dollar: what Bridge sells them for and buys them for. */
const rates: Readonly<Record<string, readonly [buy: string, sell: string]>> = {
  brl: ["5.41", "5.39"],
  mxn: ["18.6", "18.4"]
}
const dollarRates: Readonly<Record<string, readonly [buy: string, sell: string]>> = {
  brl: ["0.185", "0.186"],
  mxn: ["0.0538", "0.0544"]
}

export type BridgeState =
  | "awaiting_funds"
  | "in_review"
  | "funds_received"
  | "payment_submitted"
  | "payment_processed"
  | "undeliverable"
  | "returned"
  | "refunded"
  | "canceled"
  | "error"

interface Side {
  readonly payment_rail: string
  readonly currency: string
  readonly [field: string]: unknown
}

export interface EmulatedTransfer {
  readonly id: string
  readonly on_behalf_of: string
  readonly client_reference_id: string
  readonly amount: string | null
  readonly source: Side
  readonly destination: Side
  readonly source_deposit_instructions: Record<string, unknown>
  state: BridgeState
  receipt: Record<string, string>
}

/** What the host does instead of answering: before or after it has done what it was asked. */
export type BridgeFault =
  | { readonly _tag: "Status"; readonly status: number }
  | { readonly _tag: "Delay"; readonly ms: number }
  | { readonly _tag: "Body"; readonly text: string }
  | { readonly _tag: "AnswerLost" }

/** The side of it that is on a chain: gives a stablecoin, in base units, and says by which transaction. */
export type Giver = (chainId: EvmChainId, to: string, units: bigint) => Promise<string>

const chains: Readonly<Record<string, EvmChainId>> = {
  ethereum: 1,
  optimism: 10,
  polygon: 137,
  base: 8453,
  arbitrum: 42161
}

class Refusal extends Error {
  readonly status: number
  readonly more: object
  constructor(status: number, message: string, more: object = {}) {
    super(message)
    this.status = status
    this.more = more
  }
}

type Fields = Record<string, unknown>

const ADDRESS = { street_line_1: "8 The Green", city: "Dover", state: "DE", postal_code: "19901", country: "USA" }
const LEAST_BRL = 10

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** What Bridge's documentation says that each type of account needs. */
const neededOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  us: ["account_owner_name", "account", "address", "account_owner_type"],
  clabe: ["account_owner_name", "clabe"],
  pix: ["account_owner_name", "pix_key"]
}

const idOf = () => randomBytes(16).toString("hex")
const hashOf = () => `0x${randomBytes(32).toString("hex")}`
const dollarsOf = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`

export const startBridgeEmulator = async (give: Giver = async () => hashOf()) => {
  const customers = new Map<string, Fields>()
  const submissions: Array<{ readonly id: string; readonly body: Fields }> = []
  const accounts = new Map<string, { readonly id: string; readonly customer: string }>()
  const transfers = new Map<string, EmulatedTransfer>()
  const answered = new Map<string, { readonly body: string; readonly answer: unknown }>()
  /** By how many requests come before it. */
  const faults = new Map<number, BridgeFault>()
  const ledger: Array<{ readonly transfer: string; readonly currency: string; readonly amount: string }> = []
  let nowMs = () => Date.now()

  const customerOf = (id: string): Fields => {
    const customer = customers.get(id)
    if (customer === undefined) throw new Refusal(404, "Invalid customer id")
    return customer
  }

  /** Decides by what was submitted: an e-mail address is required, and the first name `Fail` is rejected. */
  const submitCustomer = (id: string, body: Fields) => {
    if (typeof body.signed_agreement_id !== "string") throw new Refusal(400, "missing signed_agreement_id")
    submissions.push({ id, body })
    const decided =
      body.first_name === "Fail"
        ? { status: "rejected", rejection_reasons: [{ reason: "Cannot validate ID", developer_reason: "FAKE of Ana" }] }
        : body.email === undefined
          ? { status: "incomplete", requirements_due: ["external_account", "email_address"] }
          : { status: "active", requirements_due: ["external_account"] }
    const customer = {
      id,
      type: body.type,
      first_name: body.first_name ?? body.business_legal_name,
      last_name: body.last_name ?? "_",
      address: ADDRESS,
      endorsements: ["base", "spei", "pix"].map((name) => ({ name, status: "approved" })),
      ...decided
    }
    customers.set(id, customer)
    return customer
  }

  const addAccount = (customer: string, body: Fields) => {
    customerOf(customer)
    const type = String(body.account_type)
    const needed = neededOf[type]
    if (needed === undefined) throw new Refusal(400, `unknown account_type ${type}`)
    const missing = ["currency", ...needed].filter((name) => body[name] === undefined)
    if (missing.length > 0) throw new Refusal(400, `missing ${missing.join(", ")}`)
    const identity = JSON.stringify([customer, body.account, body.clabe, body.pix_key])
    const known = accounts.get(identity)
    if (known !== undefined) {
      throw new Refusal(400, "The account exists", { code: "duplicate_external_account", id: known.id })
    }
    const account = { id: `ea_${idOf()}`, customer }
    accounts.set(identity, account)
    return { id: account.id, account_type: type, currency: body.currency, customer_id: customer, active: true }
  }

  const bankInstructions = ({ currency, payment_rail }: Side): Fields => {
    const deposit_message = `BRG${randomBytes(6).toString("hex").toUpperCase()}`
    if (currency === "mxn") return { clabe: "032180000118359719", account_holder_name: "Bridge", deposit_message }
    if (currency === "brl") {
      const pixKey = "123e4567-e12b-12d1-a456-426655440000"
      const of = { pixKey, merchantName: "Bridge", merchantCity: "SAO PAULO", amount: null, txid: "BRG1" }
      return { br_code: brCodeText(of), account_holder_name: "Bridge", deposit_message }
    }
    return {
      payment_rail,
      bank_name: "Lead Bank",
      bank_address: "1801 Main St., Kansas City, MO 64108",
      bank_routing_number: "101019644",
      bank_account_number: "215268129123",
      bank_beneficiary_name: "Bridge Ventures Inc",
      bank_beneficiary_address: "923 Folsom Street, San Francisco, CA 94107",
      deposit_message
    }
  }

  const addTransfer = (body: Fields) => {
    const { amount = null, client_reference_id, destination, features, on_behalf_of, source } = body
    customerOf(String(on_behalf_of))
    if (!isFields(source) || !isFields(destination)) throw new Refusal(400, "missing source or destination")
    const isFlexible = isFields(features) && features.flexible_amount === true
    if (amount === null && !isFlexible) throw new Refusal(400, "missing amount")
    const isDeposit = typeof destination.to_address === "string"
    if (!isDeposit && ![...accounts.values()].some(({ id }) => id === destination.external_account_id))
      throw new Refusal(400, "Invalid external account id")
    const from = source as Side
    const id = `transfer_${idOf()}`
    const transfer: EmulatedTransfer = {
      id,
      on_behalf_of: String(on_behalf_of),
      client_reference_id: String(client_reference_id),
      amount: amount === null ? null : String(amount),
      source: from,
      destination: destination as Side,
      source_deposit_instructions: isDeposit
        ? { currency: from.currency, ...bankInstructions(from) }
        : {
            payment_rail: from.payment_rail,
            amount,
            currency: from.currency,
            from_address: from.from_address,
            to_address: BRIDGE_ADDRESS
          },
      state: "awaiting_funds",
      receipt: amount === null ? {} : { initial_amount: String(amount) }
    }
    transfers.set(id, transfer)
    return transfer
  }

  const transferOf = (id: string): EmulatedTransfer => {
    const found = transfers.get(id) ?? [...transfers.values()].find((one) => one.client_reference_id === id)
    if (found === undefined) throw new Refusal(404, "Invalid transfer id")
    return found
  }

  const rateBody = (query: URLSearchParams) => {
    const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""]
    const rate = from === "usd" ? rates[to] : dollarRates[from]
    if (rate === undefined) throw new Refusal(400, `no rate from ${from} to ${to}`)
    return { midmarket_rate: rate[0], buy_rate: rate[0], sell_rate: rate[1] }
  }

  const route = (method: string, target: string, body: Fields): unknown => {
    const url = new URL(target, "http://bridge")
    const [, , resource, id, part] = url.pathname.split("/")
    switch (`${method} ${resource}${part === undefined ? "" : `/${part}`}`) {
      case "GET customers":
        return customerOf(id!)
      case "POST customers":
        return id === "tos_links"
          ? { url: "https://dashboard.bridge.example/accept-terms-of-service?session_token=s" }
          : submitCustomer(`cust_${idOf()}`, body)
      case "PUT customers":
        customerOf(id!)
        return submitCustomer(id!, body)
      case "POST customers/external_accounts":
        return addAccount(id!, body)
      case "GET exchange_rates":
        return rateBody(url.searchParams)
      case "POST transfers":
        return addTransfer(body)
      case "GET transfers":
        return transferOf(id!)
      default:
        throw new Refusal(404, `there is no ${method} ${target}`)
    }
  }

  /** The same key gives the same answer; with another body it is refused. POST needs one. */
  const once = (key: string | undefined, body: string, run: () => unknown): unknown => {
    if (key === undefined) throw new Refusal(400, "missing Idempotency-Key")
    const before = answered.get(key)
    if (before === undefined) {
      const answer = run()
      answered.set(key, { body, answer })
      return answer
    }
    if (before.body !== body) throw new Refusal(422, "Idempotency-Key was used with another body")
    return before.answer
  }

  const nextFault = (): BridgeFault | undefined => {
    const fault = faults.get(0)
    const later = [...faults].filter(([before]) => before > 0)
    faults.clear()
    for (const [before, one] of later) faults.set(before - 1, one)
    return fault
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const fault = nextFault()
    const answer = (status: number, said: unknown) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(status === 429 ? { "retry-after": "1" } : {})
      })
      response.end(typeof said === "string" ? said : JSON.stringify(said))
    }
    if (fault?._tag === "Status") return answer(fault.status, { message: "told to fail" })
    if (fault?._tag === "Body") return answer(200, fault.text)
    if (fault?._tag === "Delay") await new Promise((resolve) => setTimeout(resolve, fault.ms))
    if (request.headers["api-key"] !== BRIDGE_KEY)
      return answer(401, { code: "invalid_credentials", message: "Invalid key" })
    try {
      const { method = "GET", url = "/" } = request
      const run = () => route(method, url, body === "" ? {} : (JSON.parse(body) as Fields))
      const key = request.headers["idempotency-key"]
      const said =
        method === "GET" || method === "PUT" ? run() : once(typeof key === "string" ? key : undefined, url + body, run)
      if (fault?._tag === "AnswerLost") return response.destroy()
      answer(method === "GET" ? 200 : 201, said)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      answer(cause.status, { message: cause.message, ...cause.more })
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((cause: unknown) => {
      response.writeHead(500)
      response.end(String(cause))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))

  const enter = ({ id }: EmulatedTransfer, currency: string, amount: string) =>
    ledger.push({ transfer: id, currency, amount })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transfers,
    accounts,
    customers,
    submissions,
    ledger,
    transferOf,
    addCustomer: (id: string, changes: Fields = {}) =>
      customers.set(id, {
        id,
        first_name: "Ada",
        last_name: "Example",
        status: "active",
        type: "individual",
        address: ADDRESS,
        endorsements: ["base", "spei", "pix"].map((name) => ({ name, status: "approved" })),
        ...changes
      }),
    /** The payer pays a deposit: Bridge gives what that is worth, and names the transaction, or does so later. */
    async pay(id: string, amount: string, { isNamed = true } = {}): Promise<string> {
      const transfer = transferOf(id)
      const { currency } = transfer.source
      if (currency === "brl" && Number(amount) < LEAST_BRL) throw new Refusal(400, "at least 10 BRL")
      const rate = currency === "usd" ? "1" : dollarRates[currency]![0]
      const [whole = "0", fraction = ""] = rate.split(".")
      const cents = BigInt(amount.replace(/^(\d+)$/u, "$1.00").replace(".", ""))
      const units = (cents * 10_000n * BigInt(whole + fraction)) / 10n ** BigInt(fraction.length)
      enter(transfer, currency, amount)
      const hash = await give(
        chains[transfer.destination.payment_rail]!,
        String(transfer.destination.to_address),
        units
      )
      enter(transfer, "usdc", `-${dollarsOf(units)}`)
      const receipt = { initial_amount: amount, final_amount: dollarsOf(units) }
      transfer.receipt = isNamed ? { ...receipt, destination_tx_hash: hash } : receipt
      transfer.state = isNamed ? "payment_processed" : "payment_submitted"
      return hash
    },
    /** The token of a withdrawal has come by this transaction; and then the bank pays. */
    receive(id: string, hash: string): void {
      const transfer = transferOf(id)
      transfer.receipt = { ...transfer.receipt, source_tx_hash: hash }
      transfer.state = "funds_received"
      enter(transfer, "usdc", transfer.amount!)
    },
    payOut(id: string): void {
      const transfer = transferOf(id)
      const { currency } = transfer.destination
      const rate = currency === "usd" ? 1 : Number(rates[currency]![1])
      const paid = (Math.floor(Number(transfer.amount) * rate * 100 + 1e-6) / 100).toFixed(2)
      enter(transfer, currency, `-${paid}`)
      transfer.receipt = { ...transfer.receipt, final_amount: paid }
      transfer.state = "payment_processed"
    },
    /** Moves a transfer without money. */
    set(id: string, state: BridgeState, receipt: Record<string, string> = {}): void {
      const transfer = transferOf(id)
      transfer.state = state
      transfer.receipt = { ...transfer.receipt, ...receipt }
    },
    /** A message about it, signed as Bridge signs: digested once, or once more as its samples do. */
    message(id: string, signed: "once" | "twice" = "once", atMs = nowMs()) {
      const body = JSON.stringify({
        api_version: "v0",
        event_id: `wh_${idOf()}`,
        event_category: "transfer",
        event_type: "transfer.updated.status_transitioned",
        event_object: transferOf(id),
        event_created_at: new Date(atMs).toISOString()
      })
      const content = Buffer.from(`${atMs}.${body}`)
      const of = signed === "once" ? content : createHash("sha256").update(content).digest()
      const signature = sign("RSA-SHA256", of, bridgeKeys.privateKey).toString("base64")
      return { headers: { "x-webhook-signature": `t=${atMs},v0=${signature}` }, body }
    },
    setClock: (clock: () => number) => {
      nowMs = clock
    },
    /** After so many other requests. */
    fail: (fault: BridgeFault, after = 0) => faults.set(after, fault),
    heal: () => faults.clear(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type BridgeEmulator = Awaited<ReturnType<typeof startBridgeEmulator>>
