import { isSameName } from "@countersign/core/fiat"
import { BankError } from "./BankError.ts"
import type { BankCurrency } from "./bankTerms.ts"

/** Data of customers without a registration. It is constant, so that tests know the account holder's name. */
export const CUSTOMER = {
  type: "individual",
  first_name: "Ada",
  last_name: "Example",
  address_line_1: "8 The Green",
  city: "Dover",
  state_province_region: "DE",
  postal_code: "19901",
  country: "US",
  phone_number: "+13022006100",
  tax_id: "123456789"
} as const

/** A bank account that receives payouts. */
export interface PayoutAccount {
  readonly type: string
  readonly currency: BankCurrency
}

const usFields = [
  "recipient_relationship",
  "beneficiary_name",
  "routing_number",
  "account_number",
  "account_type",
  "account_class",
  "address_line_1",
  "city",
  "state_province_region",
  "country",
  "postal_code"
]

/** Currency and required fields by account type, as BlindPay's documentation states. */
const kinds: Readonly<Record<string, { readonly currency: BankCurrency; readonly needed: ReadonlyArray<string> }>> = {
  pix: { currency: "BRL", needed: ["pix_key"] },
  ach: { currency: "USD", needed: usFields },
  wire: { currency: "USD", needed: usFields },
  spei_bitso: { currency: "MXN", needed: ["spei_protocol", "spei_clabe", "beneficiary_name"] },
  transfers_bitso: { currency: "ARS", needed: ["transfers_type", "transfers_account", "beneficiary_name"] }
}

/**
 * Validates a payout account by BlindPay's rules. All required fields must be present, and an account of the customer
 * must have the customer's name.
 */
export const payoutAccount = (customerName: string, body: Readonly<Record<string, unknown>>): PayoutAccount => {
  const type = String(body.type)
  const kind = kinds[type]
  if (kind === undefined) throw new BankError(`unsupported type ${type}`)
  const missingFields = ["name", ...kind.needed].filter((name) => typeof body[name] !== "string" || body[name] === "")
  if (missingFields.length > 0) throw new BankError(`missing ${missingFields.join(", ")}`)
  const isCustomersAccount = isSameName(String(body.beneficiary_name), customerName)
  if (body.recipient_relationship === "first_party" && !isCustomersAccount) {
    throw new BankError("beneficiary_name does not match the name of the customer")
  }
  return { type, currency: kind.currency }
}
