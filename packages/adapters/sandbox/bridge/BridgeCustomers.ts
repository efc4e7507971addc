import { Schema } from "effect"
import type { Fields } from "../bank/BankCustomers.ts"
import { BankError } from "../bank/BankError.ts"
import { accountFields } from "./bridgeTerms.ts"
import { idOf } from "./idOf.ts"

/** A customer as `GET /v0/customers/{id}` returns it. Documents and identification numbers are not stored. */
export const BridgeCustomer = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  first_name: Schema.String,
  last_name: Schema.String,
  address: Schema.Record(Schema.String, Schema.String),
  endorsements: Schema.Array(Schema.Struct({ name: Schema.String, status: Schema.String })),
  status: Schema.String,
  requirements_due: Schema.Array(Schema.String),
  rejection_reasons: Schema.Array(Schema.Struct({ reason: Schema.String, developer_reason: Schema.String }))
})
export type BridgeCustomer = typeof BridgeCustomer.Type

export const BridgeAccount = Schema.Struct({
  id: Schema.String,
  customer: Schema.String,
  /** Data of the account, by which duplicates are detected. */
  identity: Schema.String
})
export type BridgeAccount = typeof BridgeAccount.Type

const ACCOUNT_MISSING = "external_account"

const defaultCustomer: Omit<BridgeCustomer, "id"> = {
  type: "individual",
  first_name: "Ada",
  last_name: "Example",
  address: { street_line_1: "8 The Green", city: "Dover", state: "DE", postal_code: "19901", country: "USA" },
  endorsements: ["base", "spei", "pix"].map((name) => ({ name, status: "approved" })),
  status: "active",
  requirements_due: [ACCOUNT_MISSING],
  rejection_reasons: []
}

export interface CustomerRules {
  /** Whether a customer must accept Bridge's terms and have an email address to become active. */
  readonly asksForAll: boolean
}

const textOr = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback)

/** Bridge's customers and their external accounts. */
export class BridgeCustomers {
  readonly all: Map<string, BridgeCustomer>
  readonly accounts: Map<string, BridgeAccount>
  /** All submissions as received. They are kept only in memory. */
  readonly submissions: Array<{ readonly id: string; readonly body: Fields }> = []
  readonly #rules: CustomerRules

  constructor(customers: ReadonlyArray<BridgeCustomer>, accounts: ReadonlyArray<BridgeAccount>, rules: CustomerRules) {
    this.all = new Map(customers.map((customer) => [customer.id, customer]))
    this.accounts = new Map(accounts.map((account) => [account.identity, account]))
    this.#rules = rules
  }

  add(id: string, changes: Partial<BridgeCustomer> = {}): void {
    this.all.set(id, { ...defaultCustomer, id, ...changes })
  }

  show(id: string): BridgeCustomer {
    const customer = this.all.get(id)
    if (customer === undefined) throw new BankError("Invalid customer id", 404)
    return customer
  }

  create(body: Fields): BridgeCustomer {
    return this.#decide(idOf("cust"), body)
  }

  update(id: string, body: Fields): BridgeCustomer {
    this.show(id)
    return this.#decide(id, body)
  }

  /** Decides about a submission immediately. Rejects a customer with the first name `Fail`. */
  #decide(id: string, body: Fields): BridgeCustomer {
    const { asksForAll } = this.#rules
    if (asksForAll && typeof body.signed_agreement_id !== "string") throw new BankError("missing signed_agreement_id")
    this.submissions.push({ id, body })
    const customer = {
      ...defaultCustomer,
      id,
      type: textOr(body.type, "individual"),
      first_name: textOr(body.first_name, textOr(body.business_legal_name, "")),
      last_name: textOr(body.last_name, "_"),
      ...this.#verdictOn(body, asksForAll)
    }
    this.all.set(id, customer)
    return customer
  }

  #verdictOn(body: Fields, asksForAll: boolean): Partial<BridgeCustomer> {
    if (body.first_name === "Fail") {
      const reason = { reason: "Cannot validate ID", developer_reason: "FAKE of Ana" }
      return { status: "rejected", rejection_reasons: [reason] }
    }
    return asksForAll && body.email === undefined
      ? { status: "incomplete", requirements_due: [ACCOUNT_MISSING, "email_address"] }
      : {}
  }

  addAccount(customer: string, body: Fields) {
    this.show(customer)
    const type = String(body.account_type)
    const requiredFields = accountFields[type]
    if (requiredFields === undefined) throw new BankError(`unknown account_type ${type}`)
    const missingFields = ["currency", ...requiredFields].filter((name) => body[name] === undefined)
    if (missingFields.length > 0) throw new BankError(`missing ${missingFields.join(", ")}`)
    const identity = JSON.stringify([customer, body.account, body.clabe, body.pix_key])
    const existingAccount = this.accounts.get(identity)
    if (existingAccount !== undefined) {
      throw new BankError("The account exists", 400, { code: "duplicate_external_account", id: existingAccount.id })
    }
    const account = { id: idOf("ea"), customer, identity }
    this.accounts.set(identity, account)
    return { id: account.id, account_type: type, currency: body.currency, customer_id: customer, active: true }
  }

  hasAccount(id: unknown): boolean {
    return [...this.accounts.values()].some((account) => account.id === id)
  }
}
