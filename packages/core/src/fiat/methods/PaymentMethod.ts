import { Schema } from "effect"
import { isCbuOrCvu, isClabe, isRoutingNumber, withDescription } from "../../foundation/primitives/index.ts"
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

const methodType = <const Type extends string>(type: Type) =>
  Schema.Literal(type).annotate({ description: "Payment method" })

const text = (maxLength: number) => Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(maxLength))

const NO_BANK = "Expected a CLABE whose first three digits are the code of a bank in Mexico"

const usAccount = {
  routingNumber: checkedText(
    isRoutingNumber,
    "Expected an ABA routing number: nine digits with a valid check digit",
    "ABA routing number of the bank"
  ),
  accountNumber: Schema.String.check(Schema.isPattern(/^\d{4,17}$/u, { message: "Expected 4 to 17 digits" })).pipe(
    withDescription("Account number")
  ),
  accountType: Schema.Literals(["CHECKING", "SAVING"]).pipe(withDescription("Account type")),
  beneficiaryName: text(140).pipe(withDescription("Name of the account holder"))
}

/** The bank account that receives a withdrawal, by payment method. */
export const BankDestination = Schema.Union([
  Schema.Struct({
    type: methodType("PIX"),
    pixKey: checkedText(
      (key) => pixKeyKindOrNull(pixKeyOf(key)) !== null,
      "Expected a PIX key: a CPF or CNPJ with valid check digits, an email address, a phone number as +5561912345678, or a random key",
      "PIX key of the account"
    )
  }),
  Schema.Struct({ type: methodType("ACH"), ...usAccount }),
  Schema.Struct({
    type: methodType("WIRE"),
    ...usAccount,
    addressLine1: text(140).pipe(withDescription("Street address of the account holder")),
    country: checkedText(
      (country) => countryCodeOrNull(country) !== null,
      "Expected a country name as in verification sessions, such as UNITED_STATES, or a two-letter ISO 3166 code, such as US",
      "Country of the account holder: a name as in verification sessions, or a two-letter ISO 3166 code"
    )
  }),
  Schema.Struct({
    type: methodType("SPEI"),
    clabe: checkedText(
      isClabe,
      "Expected the 18 digits of a CLABE with a valid check digit",
      "Account at a bank in Mexico. The first three digits are the code of the bank"
    ).check(Schema.makeFilter((text: string) => (isClabeOfBank(text) ? undefined : NO_BANK), { description: NO_BANK }))
  }),
  Schema.Struct({
    type: methodType("TRANSFERS"),
    cbuOrCvu: checkedText(
      isCbuOrCvu,
      "Expected the 22 digits of a CBU or CVU with valid check digits",
      "Account at a bank (CBU) or payment service (CVU) in Argentina"
    )
  })
]).annotate({ identifier: "BankDestination", description: "Account that receives the withdrawal" })
export type BankDestination = typeof BankDestination.Type

/** The currency of each payment method. */
export const methodCurrency: Readonly<Record<FiatMethod, string>> = {
  PIX: "BRL",
  ACH: "USD",
  WIRE: "USD",
  SPEI: "MXN",
  TRANSFERS: "ARS"
}
