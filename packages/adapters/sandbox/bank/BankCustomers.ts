import { BankError } from "./BankError.ts"
import { CUSTOMER } from "./bankAccounts.ts"
import { idOf } from "./idOf.ts"

export type Fields = Readonly<Record<string, unknown>>

export const kycStatuses = ["verifying", "approved", "rejected", "compliance_request"] as const
export type KycStatus = (typeof kycStatuses)[number]

interface BankCustomer {
  readonly id: string
  readonly externalId: string | null
  readonly fields: Fields
  kyc_status: KycStatus
}

/**
 * The fields that BlindPay's documentation requires per type of customer, limited to those that a verification session
 * contains.
 */
const requiredFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  individual: [
    "first_name",
    "last_name",
    "date_of_birth",
    "tax_id",
    "country",
    "address_line_1",
    "city",
    "state_province_region",
    "postal_code",
    "id_doc_country",
    "id_doc_type",
    "id_doc_front_file"
  ],
  business: ["legal_name", "tax_id", "country", "address_line_1", "incorporation_doc_file", "owners"]
}

/** Page size if a list request specifies no limit. */
const FIRST_CUSTOMERS = 10

/** BlindPay's test scenario: a customer with this name is rejected. All others are approved. */
const FAIL = "Fail"

export class BankCustomers {
  readonly #all = new Map<string, BankCustomer>()

  /**
   * Returns the bank's id of the customer with this external id. Creates the customer with default data if it does not
   * exist.
   */
  findOrCreate(externalId: string): string {
    return (this.#byExternalId(externalId) ?? this.#keep(externalId, CUSTOMER)).id
  }

  #byExternalId(externalId: string): BankCustomer | undefined {
    return [...this.#all.values()].find((one) => one.externalId === externalId)
  }

  #keep(externalId: string | null, fields: Fields): BankCustomer {
    const status: KycStatus = [fields.first_name, fields.legal_name].includes(FAIL) ? "rejected" : "approved"
    const id = externalId === null ? idOf("re") : `re_${Buffer.from(externalId).toString("hex")}`
    const customer: BankCustomer = { id, externalId, fields, kyc_status: status }
    this.#all.set(customer.id, customer)
    return customer
  }

  create(body: Fields) {
    const type = String(body.type)
    const missingFields = (requiredFields[type] ?? ["type"]).filter(
      (name) => body[name] === undefined || body[name] === null
    )
    if (missingFields.length > 0) {
      const errors = missingFields.map((name) => ({ path: [name], message: "Required" }))
      throw new BankError(`missing ${missingFields.join(", ")}`, 400, { errors })
    }
    const { external_id, ...fields } = body
    return { id: this.#keep(typeof external_id === "string" ? external_id : null, fields).id }
  }

  /**
   * Returns a customer by the bank's id. Customers are not stored on disk, so a customer of an earlier run gets the
   * default data.
   */
  #of(id: string): BankCustomer {
    const existingCustomer = this.#all.get(id)
    if (existingCustomer !== undefined) return existingCustomer
    const externalId = Buffer.from(id.replace(/^re_/u, ""), "hex").toString()
    const customer = this.#keep(externalId, CUSTOMER)
    if (externalId !== "" && customer.id === id) return customer
    this.#all.delete(customer.id)
    throw new BankError("customer_not_found", 404)
  }

  show(id: string) {
    const { externalId, fields, kyc_status } = this.#of(id)
    const kyc_warnings = kyc_status === "rejected" ? [{ code: "document_unreadable" }] : []
    return { id, customer_id: id, external_id: externalId, kyc_status, kyc_warnings, ...fields }
  }

  /**
   * Lists the customers, newest first. BlindPay returns a page if the request specifies a limit, otherwise an array.
   */
  list(query: URLSearchParams) {
    const customers = [...this.#all.values()]
      .toReversed()
      .map(({ externalId, id }) => ({ id, external_id: externalId }))
    const limit = query.get("limit")
    if (limit === null) return customers.slice(0, FIRST_CUSTOMERS)
    const start = customers.findIndex(({ id }) => id === query.get("starting_after")) + 1
    const data = customers.slice(start, start + Number(limit))
    const has_more = start + data.length < customers.length
    return { data, pagination: { has_more, next_page: has_more ? data.at(-1)!.id : "", prev_page: "" } }
  }

  /** Returns the open request for more information about a customer; null if there is none. */
  requestFor(id: string) {
    return this.#of(id).kyc_status === "compliance_request"
      ? { request: [{ title: "Proof of address", fields: [{ key: "proof_of_address_doc_file", required: true }] }] }
      : null
  }

  /** Sets the verification status of a customer. `id` is the bank's id or the external id. */
  setStatus(id: string, status: KycStatus): string {
    const customer = this.#all.get(id) ?? this.#byExternalId(id)
    if (customer === undefined) throw new BankError(`the bank has no customer ${id}`, 404)
    customer.kyc_status = status
    return customer.id
  }

  /** Returns the name of the account holder. */
  nameOf(id: string): string {
    const { first_name, last_name, legal_name } = this.#of(id).fields
    return typeof legal_name === "string" ? legal_name : `${first_name} ${last_name}`
  }

  get count(): number {
    return this.#all.size
  }
}
