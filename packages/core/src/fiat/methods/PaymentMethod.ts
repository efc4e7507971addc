import { Schema } from "effect"
import { described, isCbuOrCvu, isClabe, isRoutingNumber } from "../../foundation/primitives/index.ts"
import { countryCodeOrNull } from "../../identity/index.ts"
import { isClabeOfBank } from "./clabeBanks.ts"
import { pixKeyKindOrNull, pixKeyOf } from "./pixKey.ts"

/** The fiat payment methods. */
export const FiatMethod = Schema.Literals(["PIX", "ACH", "WIRE", "SPEI", "TRANSFERS"])
export type FiatMethod = typeof FiatMethod.Type

const checkedText = (isValid: (text: string) => boolean, message: string, description: string) =>
  Schema.String.annotate({ description }).check(
    Schema.makeFilter((text: string) => (isValid(text) ? undefined : message), { description: message })
  )

const way = <const Way extends string>(type: Way) => Schema.Literal(type).annotate({ description: "Way of payment" })

const text = (longest: number) => Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(longest))

const NO_BANK = "Expected a CLABE whose first three digits are the code of a bank of Mexico"

const usAccount = {
  routingNumber: checkedText(
    isRoutingNumber,
    "Expected the nine digits of a routing number (ABA), the last of which checks it",
    "Routing number of the bank (ABA)"
  ),
  accountNumber: Schema.String.check(Schema.isPattern(/^\d{4,17}$/u, { message: "Expected 4 to 17 digits" })).pipe(
    described("Number of the account")
  ),
  accountType: Schema.Literals(["CHECKING", "SAVING"]).pipe(described("Kind of the account")),
  beneficiaryName: text(140).pipe(described("Name of its holder"))
}

/** The destination of a withdrawal, by payment method. */
export const BankDestination = Schema.Union([
  Schema.Struct({
    type: way("PIX"),
    pixKey: checkedText(
      (key) => pixKeyKindOrNull(pixKeyOf(key)) !== null,
      "Expected a PIX key: a CPF or CNPJ with valid check digits, an e-mail address, a phone number as +5561912345678, or a random key",
      "Key of the account in the directory of PIX"
    )
  }),
  Schema.Struct({ type: way("ACH"), ...usAccount }),
  Schema.Struct({
    type: way("WIRE"),
    ...usAccount,
    addressLine1: text(140).pipe(described("Address of the holder")),
    country: checkedText(
      (country) => countryCodeOrNull(country) !== null,
      "Expected a country as verification sessions name it, such as UNITED_STATES, or its two letters (ISO 3166), such as US",
      "Country of the holder, as in verification sessions or as two letters (ISO 3166)"
    )
  }),
  Schema.Struct({
    type: way("SPEI"),
    clabe: checkedText(
      isClabe,
      "Expected the eighteen digits of a CLABE, the last of which checks it",
      "Account at a bank of Mexico, which its first three digits name"
    ).check(Schema.makeFilter((text: string) => (isClabeOfBank(text) ? undefined : NO_BANK), { description: NO_BANK }))
  }),
  Schema.Struct({
    type: way("TRANSFERS"),
    cbuOrCvu: checkedText(
      isCbuOrCvu,
      "Expected the 22 digits of a CBU or CVU, two of which check it",
      "Account at a bank (CBU) or payment service (CVU) of Argentina"
    )
  })
]).annotate({ identifier: "BankDestination", description: "Account that a withdrawal is paid to" })
export type BankDestination = typeof BankDestination.Type

/** The currency of each payment method. */
export const currencyOfMethod: Readonly<Record<FiatMethod, string>> = {
  PIX: "BRL",
  ACH: "USD",
  WIRE: "USD",
  SPEI: "MXN",
  TRANSFERS: "ARS"
}
