import { type BankDestination, isSameName, pixKeyOf } from "@countersign/core/fiat"
import { countryCodeOrNull } from "@countersign/core/identity"
import { Result } from "effect"
import { iso31661Alpha2ToAlpha3 } from "iso-3166"
import { type AccountFault, accountFault } from "../accountFault.ts"
import type { CustomerBody } from "./bridgeBodies.ts"

const isGiven = (text: string | null | undefined): text is string => text != null && text.trim() !== ""

const nameOf = ({ first_name, last_name }: CustomerBody): string =>
  // Builds the full name. Bridge stores "_" as the last name of a business.
  [first_name, last_name].filter((name) => isGiven(name) && name !== "_").join(" ")

const requiredAddressFields = ["street_line_1", "city", "postal_code", "country"] as const

const unitedStatesAccount = (
  destination: Extract<BankDestination, { readonly type: "ACH" | "WIRE" }>,
  customer: CustomerBody
): Result.Result<object, AccountFault> => {
  const { address } = customer
  const missingFields = requiredAddressFields.filter((name) => !isGiven(address?.[name]))
  if (address == null || missingFields.length > 0) {
    return accountFault("type", `its customer has no ${missingFields.join(", ")}, which ${destination.type} requires`)
  }
  if (!isSameName(destination.beneficiaryName, nameOf(customer)))
    return accountFault(
      "beneficiaryName",
      "the name differs from its customer's name, and the provider pays only to its customer"
    )
  const country =
    destination.type === "WIRE" ? iso31661Alpha2ToAlpha3[countryCodeOrNull(destination.country) ?? ""] : address.country
  if (country !== address.country)
    return accountFault("country", "its customer lives in another country, and WIRE pays only to accounts there")
  return Result.succeed({
    currency: "usd",
    account_type: "us",
    // The name as Bridge stores it, which may contain other accents.
    account_owner_name: nameOf(customer),
    account_owner_type: customer.type === "business" ? "business" : "individual",
    ...(customer.type === "business"
      ? { business_name: nameOf(customer) }
      : { first_name: customer.first_name, last_name: customer.last_name }),
    account: {
      routing_number: destination.routingNumber,
      account_number: destination.accountNumber,
      checking_or_savings: destination.accountType === "SAVING" ? "savings" : "checking"
    },
    address: {
      street_line_1: destination.type === "WIRE" ? destination.addressLine1 : address.street_line_1,
      city: address.city,
      ...(isGiven(address.state) ? { state: address.state } : {}),
      postal_code: address.postal_code,
      country: address.country
    }
  })
}

/**
 * Builds the request body for an external account of the customer. Returns the reason if the account can't be created.
 */
export const externalAccountOf = (
  destination: BankDestination,
  customer: CustomerBody
): Result.Result<object, AccountFault> => {
  if (destination.type === "ACH" || destination.type === "WIRE") return unitedStatesAccount(destination, customer)
  if (destination.type === "TRANSFERS") return accountFault("type", "it does not support TRANSFERS")
  const account_owner_name = nameOf(customer)
  if (account_owner_name === "")
    return accountFault("type", `its customer has no name, which ${destination.type} requires`)
  return Result.succeed(
    destination.type === "PIX"
      ? {
          currency: "brl",
          account_type: "pix",
          account_owner_name,
          // As in the directory of PIX keys (DICT): a random key is in lower case, a CNPJ with letters in upper case.
          pix_key: { pix_key: pixKeyOf(destination.pixKey) }
        }
      : { currency: "mxn", account_type: "clabe", account_owner_name, clabe: { account_number: destination.clabe } }
  )
}
