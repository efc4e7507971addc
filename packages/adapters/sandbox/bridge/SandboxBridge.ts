import { join } from "node:path"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { parseUnits } from "viem"
import type { Fields } from "../bank/BankCustomers.ts"
import { BankError } from "../bank/BankError.ts"
import { StoredValue } from "../StoredValue.ts"
import { BridgeAccount, BridgeCustomer, BridgeCustomers, type CustomerRules } from "./BridgeCustomers.ts"
import { centsForUnitsRoundingDown, exchangeRates, MIN_BRL_CENTS, unitsForCentsRoundingDown } from "./bridgeTerms.ts"
import {
  type BridgeState,
  BridgeTransfer,
  bankCurrency,
  isDeposit,
  tokenReceiverOf,
  transferOf
} from "./bridgeTransfer.ts"

/** Sends and finds USDC transfers on the chains. Amounts are in base units. */
export interface BridgeChains {
  /** Sends USDC. Returns the transaction hash. */
  readonly give: (chainId: EvmChainId, from: Address, to: Address, units: bigint) => Promise<string>
  /** Returns the hash of the transaction with which an address received at least this amount. Null if there is none. */
  readonly received: (chainId: EvmChainId, to: Address, units: bigint) => Promise<string | null>
}

/** Bridge's account, which pays deposits. */
const BRIDGE_ADDRESS = Address.make("0xb41d9e0000000000000000000000000000000001")

/** An entry of Bridge's ledger. `amount` is a decimal amount of the currency or of USDC. */
const BridgeEntry = Schema.Struct({ transfer: Schema.String, currency: Schema.String, amount: Schema.String })
type BridgeEntry = typeof BridgeEntry.Type

const StoredRequest = Schema.Struct({ key: Schema.String, body: Schema.String, answer: Schema.Unknown })

const StoredState = Schema.Struct({
  customers: Schema.Array(BridgeCustomer),
  accounts: Schema.Array(BridgeAccount),
  transfers: Schema.Array(BridgeTransfer),
  answered: Schema.Array(StoredRequest),
  ledger: Schema.Array(BridgeEntry)
})
const EMPTY_STATE: typeof StoredState.Type = { customers: [], accounts: [], transfers: [], answered: [], ledger: [] }

/** Returns whether the tokens of a withdrawal may still arrive, or whether a reorg may still remove their block. */
const awaitsTokens = (transfer: BridgeTransfer): boolean =>
  !isDeposit(transfer) && (transfer.state === "awaiting_funds" || transfer.state === "funds_received")

const USDC_DIGITS = 6
const CENT_DIGITS = 2

const decimalOf = (amount: bigint, digits: number): string => {
  const text = String(amount).padStart(digits + 1, "0")
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export interface BridgeRequest {
  readonly method: string
  /** Path below `/v0`, with the query. */
  readonly path: string
  readonly body: string
  readonly idempotencyKey: string | null
}

/** Simulates Bridge's HTTP API: customers, external accounts, transfers and a ledger. This data survives a restart. */
export class SandboxBridge {
  readonly customers: BridgeCustomers
  readonly transfers: Map<string, BridgeTransfer>
  readonly ledger: Array<BridgeEntry>
  readonly #storedResponses: Map<string, typeof StoredRequest.Type>
  readonly #expiredKeys = new Set<string>()
  readonly #chains: BridgeChains
  readonly #kept: StoredValue<typeof StoredState.Type> | null
  /** Completes when the last change has ended, because changes run one after another. */
  #turn: Promise<void> = Promise.resolve()

  /** If `home` is null, nothing is stored on disk. */
  constructor(chains: BridgeChains, rules: CustomerRules, home: string | null = null) {
    this.#chains = chains
    this.#kept = home === null ? null : new StoredValue(join(home, "bridge.json"), StoredState, EMPTY_STATE)
    const { accounts, answered, customers, ledger, transfers } = this.#kept?.value ?? EMPTY_STATE
    this.customers = new BridgeCustomers(customers, accounts, rules)
    this.transfers = new Map(transfers.map((transfer) => [transfer.id, { ...transfer }]))
    this.ledger = [...ledger]
    this.#storedResponses = new Map(answered.map((one) => [one.key, one]))
  }

  async #keep(): Promise<void> {
    await this.#kept?.store({
      customers: [...this.customers.all.values()],
      accounts: [...this.customers.accounts.values()],
      transfers: [...this.transfers.values()],
      answered: [...this.#storedResponses.values()],
      ledger: this.ledger
    })
  }

  /** Deletes the transfers and the ledger of earlier runs. */
  async clear(): Promise<void> {
    this.transfers.clear()
    this.#storedResponses.clear()
    this.ledger.length = 0
    await this.#keep()
  }

  /** Handles a request to the API. */
  async respond({ body, idempotencyKey, method, path }: BridgeRequest): Promise<unknown> {
    const run = () => this.#route(method, path, body === "" ? {} : (JSON.parse(body) as Fields))
    if (method === "GET") return run()
    return this.#inTurn(() => (method === "POST" ? this.#once(idempotencyKey, path + body, run) : run()))
  }

  /**
   * Runs a POST once per idempotency key, unless it failed. A repeated request gets the same response, and is rejected
   * if its body differs.
   */
  async #once(key: string | null, body: string, run: () => Promise<unknown>): Promise<unknown> {
    if (key === null) throw new BankError("missing Idempotency-Key")
    if (this.#expiredKeys.has(key)) throw new BankError("Idempotency-Key has expired", 422)
    const previousResponse = this.#storedResponses.get(key)
    if (previousResponse === undefined) {
      const response = await run()
      this.#storedResponses.set(key, { key, body, answer: response })
      return response
    }
    if (previousResponse.body !== body) throw new BankError("Idempotency-Key was used with another body", 422)
    return previousResponse.answer
  }

  /** Rejects the keys of all earlier requests from now on, as Bridge does after 24 hours. */
  expireKeys(): void {
    for (const key of this.#storedResponses.keys()) this.#expiredKeys.add(key)
  }

  async #route(method: string, path: string, body: Fields): Promise<unknown> {
    const { pathname, searchParams } = new URL(path, "http://bridge")
    const [, resource, id, subresource] = pathname.split("/")
    switch (`${method} ${resource}${subresource === undefined ? "" : `/${subresource}`}`) {
      case "GET customers":
        return this.customers.show(id!)
      case "POST customers":
        return id === "tos_links"
          ? { url: "https://dashboard.bridge.example/accept-terms-of-service?session_token=s" }
          : this.customers.create(body)
      case "PUT customers":
        return this.customers.update(id!, body)
      case "POST customers/external_accounts":
        return this.customers.addAccount(id!, body)
      case "GET exchange_rates":
        return exchangeRates(searchParams.get("from") ?? "", searchParams.get("to") ?? "")
      case "POST transfers":
        return this.#open(body)
      case "GET transfers":
        return this.#attended(this.transferOf(id!))
      default:
        throw new BankError(`there is no ${method} ${path}`, 404)
    }
  }

  #open(body: Fields): BridgeTransfer {
    this.customers.show(String(body.on_behalf_of))
    const transfer = transferOf(body)
    if (!isDeposit(transfer) && !this.customers.hasAccount(transfer.destination.external_account_id))
      throw new BankError("Invalid external account id")
    this.transfers.set(transfer.id, transfer)
    return transfer
  }

  /** Finds a transfer by Bridge's id or by the client's id. */
  transferOrNull(id: string): BridgeTransfer | null {
    const byReference = () => [...this.transfers.values()].find((one) => one.client_reference_id === id)
    return this.transfers.get(id) ?? byReference() ?? null
  }

  transferOf(id: string): BridgeTransfer {
    const transfer = this.transferOrNull(id)
    if (transfer === null) throw new BankError("Invalid transfer id", 404)
    return transfer
  }

  /** Updates a withdrawal from the chain: its tokens may have arrived, or a reorg may have removed their block. */
  async #attended(transfer: BridgeTransfer): Promise<BridgeTransfer> {
    if (!awaitsTokens(transfer)) return transfer
    const { chainId, to } = tokenReceiverOf(transfer)
    const hash = await this.#chains.received(chainId, to, parseUnits(transfer.amount!, USDC_DIGITS))
    // The withdrawal may have been paid out in the meantime.
    if (!awaitsTokens(transfer)) return transfer
    if (hash === null) {
      transfer.state = "awaiting_funds"
      return transfer
    }
    this.receive(transfer.id, hash)
    return transfer
  }

  /** Records the transaction in which the tokens of a withdrawal arrived. */
  receive(id: string, hash: string): void {
    const transfer = this.transferOf(id)
    const isKnown = this.ledger.some((entry) => entry.transfer === transfer.id && entry.currency === "usdc")
    if (!isKnown) this.#enter(transfer, "usdc", transfer.amount!)
    transfer.receipt = { ...transfer.receipt, source_tx_hash: hash }
    transfer.state = "funds_received"
  }

  #enter({ id }: BridgeTransfer, currency: string, amount: string): void {
    this.ledger.push({ transfer: id, currency, amount })
  }

  async #inTurn<A>(runChange: () => Promise<A>): Promise<A> {
    const change = this.#turn.then(runChange).finally(() => this.#keep())
    this.#turn = change.then(
      () => undefined,
      () => undefined
    )
    return change
  }

  /**
   * Simulates the payment of a deposit, for which Bridge sends USDC, or pays out a withdrawal. A second payment of a
   * deposit is returned to its payer. If `isNamed` is false, the transfer shows the transaction only later. Returns the
   * hash of the USDC transaction; null if no USDC is sent.
   */
  pay(id: string, cents: bigint, { isNamed = true } = {}): Promise<string | null> {
    const transfer = this.transferOf(id)
    return this.#inTurn(() => (isDeposit(transfer) ? this.#credit(transfer, cents, isNamed) : this.#payOut(transfer)))
  }

  async #credit(transfer: BridgeTransfer, cents: bigint, isNamed: boolean): Promise<string | null> {
    const currency = bankCurrency(transfer)
    if (currency === "brl" && cents < MIN_BRL_CENTS) throw new BankError("at least 10 BRL")
    const amount = decimalOf(cents, CENT_DIGITS)
    const isOpen = ["awaiting_funds", "in_review"].includes(transfer.state)
    const hash = isOpen ? await this.#send(transfer, unitsForCentsRoundingDown(currency, cents)) : null
    this.#enter(transfer, currency, amount)
    if (hash === null) {
      this.#enter(transfer, currency, `-${amount}`)
      return null
    }
    const final_amount = decimalOf(unitsForCentsRoundingDown(currency, cents), USDC_DIGITS)
    this.#enter(transfer, "usdc", `-${final_amount}`)
    const receipt = { initial_amount: amount, final_amount }
    transfer.receipt = isNamed ? { ...receipt, destination_tx_hash: hash } : receipt
    transfer.state = isNamed ? "payment_processed" : "payment_submitted"
    return hash
  }

  #send(transfer: BridgeTransfer, units: bigint): Promise<string> {
    const { chainId, to } = tokenReceiverOf(transfer)
    return this.#chains.give(chainId, BRIDGE_ADDRESS, to, units)
  }

  /** Sends the USDC of a deposit again, after a reorg has removed the block of the first transaction. */
  resend(id: string): Promise<void> {
    const transfer = this.transferOf(id)
    return this.#inTurn(async () => {
      const hash = await this.#send(transfer, parseUnits(transfer.receipt.final_amount!, USDC_DIGITS))
      transfer.receipt = { ...transfer.receipt, destination_tx_hash: hash }
    })
  }

  async #payOut(transfer: BridgeTransfer): Promise<null> {
    const { amount, state } = await this.#attended(transfer)
    if (state !== "funds_received") throw new BankError(`the transfer is ${state}`)
    const units = parseUnits(amount!, USDC_DIGITS)
    const currency = bankCurrency(transfer)
    const paidAmount = decimalOf(centsForUnitsRoundingDown(currency, units), CENT_DIGITS)
    this.#enter(transfer, currency, `-${paidAmount}`)
    transfer.receipt = { ...transfer.receipt, final_amount: paidAmount }
    transfer.state = "payment_processed"
    return null
  }

  /**
   * Sends the fiat payment of a deposit back to its payer, or the tokens of a withdrawal back to the sending wallet.
   */
  sendBack(id: string, cents: bigint): Promise<void> {
    const transfer = this.transferOf(id)
    return this.#inTurn(async () => {
      const { state } = await this.#attended(transfer)
      if (state === "payment_processed" || state === "refunded") throw new BankError(`the transfer is ${state}`)
      if (isDeposit(transfer)) {
        const [currency, amount] = [bankCurrency(transfer), decimalOf(cents, CENT_DIGITS)]
        this.#enter(transfer, currency, amount)
        this.#enter(transfer, currency, `-${amount}`)
        transfer.receipt = { ...transfer.receipt, initial_amount: amount }
      } else {
        if (transfer.receipt.source_tx_hash === undefined) throw new BankError("the token has not arrived")
        const units = parseUnits(transfer.amount!, USDC_DIGITS)
        const wallet = Address.make(String(transfer.source.from_address).toLowerCase())
        const { chainId, to: depositAddress } = tokenReceiverOf(transfer)
        await this.#chains.give(chainId, depositAddress, wallet, units)
        this.#enter(transfer, "usdc", `-${transfer.amount}`)
      }
      transfer.state = "refunded"
    })
  }

  /** Changes the state of a transfer without a payment. */
  async set(id: string, state: BridgeState, receipt: Readonly<Record<string, string>> = {}): Promise<void> {
    const transfer = this.transferOf(id)
    transfer.state = state
    transfer.receipt = { ...transfer.receipt, ...receipt }
    await this.#keep()
  }
}
