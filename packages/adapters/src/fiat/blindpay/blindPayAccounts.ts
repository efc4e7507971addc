import { type BankDestination, isSameName, pixKeyOf } from "@countersign/core/fiat"
import { countryCodeOrNull } from "@countersign/core/identity"
import { Result } from "effect"
import { type AccountFault, accountFault } from "../accountFault.ts"
import type { CustomerBody } from "./blindPayBodies.ts"

/** Display name of the bank account at BlindPay. */
const NAME = "Withdrawal"

const isGiven = (text: string | null | undefined): text is string => text != null && text.trim() !== ""

const nameOf = ({ first_name, last_name, legal_name }: CustomerBody): string =>
  isGiven(legal_name) ? legal_name : [first_name, last_name].filter(isGiven).join(" ")

/** Distinguishes CVUs of payment services, which start with 000, from CBUs of banks. */
const transfersTypeOf = (account: string): "CBU" | "CVU" => (account.startsWith("000") ? "CVU" : "CBU")

const requiredAddressFields = ["address_line_1", "city", "state_province_region", "postal_code", "country"] as const

const unitedStatesAccount = (
  destination: Extract<BankDestination, { readonly type: "ACH" | "WIRE" }>,
  customer: CustomerBody
): Result.Result<object, AccountFault> => {
  const missingFields = requiredAddressFields.filter((name) => !isGiven(customer[name]))
  if (missingFields.length > 0)
    return accountFault("type", `its customer has no ${missingFields.join(", ")}, which ${destination.type} requires`)
  if (destination.type === "WIRE" && countryCodeOrNull(destination.country) !== customer.country) {
    return accountFault("country", "its customer lives in another country, and WIRE pays only to accounts there")
  }
  if (!isSameName(destination.beneficiaryName, nameOf(customer)))
    return accountFault(
      "beneficiaryName",
      "the name differs from its customer's name, and the provider pays only to its customer"
    )
  return Result.succeed({
    type: destination.type.toLowerCase(),
    name: NAME,
    recipient_relationship: "first_party",
    // The name as BlindPay stores it, which may contain other accents.
    beneficiary_name: nameOf(customer),
    routing_number: destination.routingNumber,
    account_number: destination.accountNumber,
    account_type: destination.accountType.toLowerCase(),
    account_class: customer.type === "business" ? "business" : "individual",
    address_line_1: destination.type === "WIRE" ? destination.addressLine1 : customer.address_line_1,
    city: customer.city,
    state_province_region: customer.state_province_region,
    postal_code: customer.postal_code,
    country: customer.country,
    // Some countries require both fields. BlindPay returns them with its customer data.
    ...(isGiven(customer.phone_number) ? { phone_number: customer.phone_number } : {}),
    ...(isGiven(customer.tax_id) ? { tax_id: customer.tax_id } : {})
  })
}

/**
 * Builds the request body for a bank account from BlindPay's customer data. If the account can't be created, returns
 * the reason and the field that is the cause.
 */
export const bankAccountOf = (
  destination: BankDestination,
  customer: CustomerBody
): Result.Result<object, AccountFault> => {
  if (destination.type === "PIX") {
    return Result.succeed({ type: "pix", name: NAME, pix_key: pixKeyOf(destination.pixKey) })
  }
  if (destination.type === "ACH" || destination.type === "WIRE") return unitedStatesAccount(destination, customer)
  const holder = { name: NAME, beneficiary_name: nameOf(customer) }
  if (holder.beneficiary_name === "") {
    return accountFault("type", `its customer has no name, which ${destination.type} requires`)
  }
  return Result.succeed(
    destination.type === "SPEI"
      ? { ...holder, type: "spei_bitso", spei_protocol: "clabe", spei_clabe: destination.clabe }
      : {
          ...holder,
          type: "transfers_bitso",
          transfers_type: transfersTypeOf(destination.cbuOrCvu),
          transfers_account: destination.cbuOrCvu
        }
  )
}
