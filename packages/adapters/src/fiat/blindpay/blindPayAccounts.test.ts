import type { BankDestination } from "@countersign/core/fiat"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { bankAccountOf } from "./blindPayAccounts.ts"

const customer = {
  type: "individual",
  first_name: "Ada",
  last_name: "Example",
  address_line_1: "8 The Green",
  city: "Dover",
  state_province_region: "DE",
  postal_code: "19901",
  country: "US",
  phone_number: null
}

const ach: BankDestination = {
  type: "ACH",
  routingNumber: "121000358",
  accountNumber: "3211237578",
  accountType: "SAVING",
  beneficiaryName: "Ada Example"
}

const accountOf = (destination: BankDestination) => Result.getOrThrow(bankAccountOf(destination, customer))

describe("bankAccountOf", () => {
  it("has all ACH fields of BlindPay's documentation, with the address of its customer", () =>
    assert.deepStrictEqual(accountOf(ach), {
      type: "ach",
      name: "Withdrawal",
      recipient_relationship: "first_party",
      beneficiary_name: "Ada Example",
      routing_number: "121000358",
      account_number: "3211237578",
      account_type: "saving",
      account_class: "individual",
      address_line_1: "8 The Green",
      city: "Dover",
      state_province_region: "DE",
      postal_code: "19901",
      country: "US"
    }))

  it("takes the first line of a wire's address from the order", () => {
    const wire: BankDestination = { ...ach, type: "WIRE", addressLine1: "9 The Green", country: "US" }
    assert.include(accountOf(wire), { type: "wire", address_line_1: "9 The Green", city: "Dover" })
  })

  it("pays to the customer by SPEI and TRANSFERS, and distinguishes CBUs from CVUs", () => {
    assert.deepStrictEqual(accountOf({ type: "SPEI", clabe: "032180000118359719" }), {
      type: "spei_bitso",
      name: "Withdrawal",
      beneficiary_name: "Ada Example",
      spei_protocol: "clabe",
      spei_clabe: "032180000118359719"
    })
    assert.deepStrictEqual(accountOf({ type: "TRANSFERS", cbuOrCvu: "2850590940090418135201" }), {
      type: "transfers_bitso",
      name: "Withdrawal",
      beneficiary_name: "Ada Example",
      transfers_type: "CBU",
      transfers_account: "2850590940090418135201"
    })
    assert.include(accountOf({ type: "TRANSFERS", cbuOrCvu: "0000003100010000000009" }), { transfers_type: "CVU" })
  })

  it("reports the missing data of its customer", () => {
    const reasonOf = (destination: BankDestination, of: object) =>
      Result.getOrThrow(Result.flip(bankAccountOf(destination, of)))
    assert.match(
      reasonOf(ach, { ...customer, city: " ", postal_code: null }).reason,
      /no city, postal_code, which ACH/u
    )
    assert.match(reasonOf({ type: "SPEI", clabe: "032180000118359719" }, {}).reason, /no name/u)
  })

  it("compares names as banks do, and sends the name that BlindPay has", () => {
    const customerWithAccents = { ...customer, first_name: "João", last_name: "da Conceição" }
    const accountNamed = (beneficiaryName: string) => bankAccountOf({ ...ach, beneficiaryName }, customerWithAccents)
    assert.include(Result.getOrThrow(accountNamed("CONCEICAO DA, JOAO")), { beneficiary_name: "João da Conceição" })
    assert.include(Result.getOrThrow(Result.flip(accountNamed("João Conceição"))), { field: "beneficiaryName" })
  })
})
