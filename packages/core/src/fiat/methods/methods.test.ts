import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isCbuOrCvu, isClabe, isCnpj, isCpf, isRoutingNumber } from "../../foundation/primitives/index.ts"
import { brCodeText, crc16, pixKeyOfBrCode } from "./brCode.ts"
import { BankDestination } from "./PaymentMethod.ts"
import { pixKeyKindOrNull, pixKeyOf } from "./pixKey.ts"
import { speiReferenceOf } from "./speiReference.ts"

/**
 * Published by the issuers, or by authors of other implementations. The CVU combines the published code of a payment
 * service with an invented account number.
 */
const publishedNumbers = [
  ["CPF", isCpf, "52998224725"],
  ["CNPJ", isCnpj, "16727230000197"],
  ["CNPJ with letters", isCnpj, "12ABC34501DE35"],
  ["ABA", isRoutingNumber, "021000021"],
  ["ABA", isRoutingNumber, "121000358"],
  ["CLABE", isClabe, "032180000118359719"],
  ["CLABE", isClabe, "002010077777777771"],
  ["CBU", isCbuOrCvu, "2850590940090418135201"],
  ["CVU", isCbuOrCvu, "0000003100010000000009"]
] as const
const validNumbers = publishedNumbers.map(([name, isValid, text]) => [name, text, isValid] as const)

describe("check digits", () => {
  it.each(validNumbers)("of %s accept %s", (_name, text, isValid) => assert.isTrue(isValid(text)))

  it.each(validNumbers)("of %s refuse another digit at any position of %s", (_name, text, isValid) => {
    for (let index = 0; index < text.length; index++) {
      if (!/\d/u.test(text[index]!)) continue
      const otherDigit = String((Number(text[index]) + 1) % 10)
      assert.isFalse(isValid(text.slice(0, index) + otherDigit + text.slice(index + 1)), `place ${index}`)
    }
  })

  it.each(validNumbers)("of %s refuse %s if it is truncated or extended", (_name, text, isValid) => {
    assert.isFalse(isValid(text.slice(1)))
    assert.isFalse(isValid(`${text}0`))
  })

  it("reject repeated digits, although the check digits would match", () => {
    assert.isFalse(isCpf("00000000000"))
    assert.isFalse(isCnpj("00000000000000"))
    // The last two numbers have a valid check digit but an unassigned prefix.
    for (const number of ["000000000", "500000005", "130000006"]) assert.isFalse(isRoutingNumber(number), number)
  })
})

describe("PIX keys", () => {
  it.each([
    ["390.533.447-05", "39053344705", "CPF"],
    ["16.727.230/0001-97", "16727230000197", "CNPJ"],
    ["12.abc.345/01de-35", "12ABC34501DE35", "CNPJ"],
    ["Fulano_da_Silva.recebedor@Example.com", "fulano_da_silva.recebedor@example.com", "EMAIL"],
    ["+55 (61) 91234-5678", "+5561912345678", "PHONE"],
    ["123e4567-e12b-12d1-a456-426655440000", "123e4567-e12b-12d1-a456-426655440000", "EVP"]
  ] as const)("%s is %s, a key of kind %s", (inputText, key, kind) => {
    assert.strictEqual(pixKeyOf(inputText), key)
    assert.strictEqual(pixKeyKindOrNull(key), kind)
  })

  it.each([
    "39053344706",
    "+5561112345678",
    "+15551234567",
    "nobody",
    "a@b",
    "joão@exemplo.com.br",
    "",
    "123e4567-e12b-12d1-a456"
  ])("%s is not a PIX key", (typed) => assert.isNull(pixKeyKindOrNull(pixKeyOf(typed))))
})

describe("BR Code", () => {
  /** An example from the manual of Banco Central do Brasil for payment codes. */
  const manualBrCode =
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D"

  it("equals the manual's example, character by character", () => {
    const code = brCodeText({
      pixKey: "123e4567-e12b-12d1-a456-426655440000",
      merchantName: "Fulano de Tal",
      merchantCity: "BRASILIA",
      amount: null,
      txid: null
    })
    assert.strictEqual(code, manualBrCode)
    assert.strictEqual(pixKeyOfBrCode(manualBrCode), "123e4567-e12b-12d1-a456-426655440000")
  })

  it("uses CRC-16/CCITT-FALSE, according to the published check value", () =>
    assert.strictEqual(crc16("123456789"), "29B1"))

  it("contains the amount and the reference, and only characters that banks accept", () => {
    const code = brCodeText({
      pixKey: "a@b.com",
      merchantName: "Ação & Cia",
      merchantCity: "São Paulo",
      amount: 5n,
      txid: "ABC"
    })
    assert.include(code, "54040.05")
    assert.include(code, "5910Acao & Cia")
    assert.include(code, "6009Sao Paulo")
    assert.include(code, "62070503ABC")
    assert.strictEqual(pixKeyOfBrCode(code), "a@b.com")
  })

  it("is rejected with more than 512 characters", () => {
    const codeOf = (length: number) => {
      const body = manualBrCode.slice(0, -8)
      const paddings = [99, length - body.length - 8 - 103 - 103 - 103 - 4, 99, 99].map(
        (size, index) => `8${index}${String(size).padStart(2, "0")}${"x".repeat(size)}`
      )
      const text = `${body}${paddings.join("")}6304`
      return `${text}${crc16(text)}`
    }
    assert.strictEqual(codeOf(512).length, 512)
    assert.strictEqual(pixKeyOfBrCode(codeOf(512)), pixKeyOfBrCode(manualBrCode))
    assert.isUndefined(pixKeyOfBrCode(codeOf(513)))
  })

  it("is rejected with a changed or missing character", () => {
    for (let index = 0; index < manualBrCode.length; index++) {
      const otherDigit = manualBrCode[index] === "7" ? "8" : "7"
      assert.isUndefined(
        pixKeyOfBrCode(manualBrCode.slice(0, index) + otherDigit + manualBrCode.slice(index + 1)),
        `place ${index}`
      )
      assert.isUndefined(pixKeyOfBrCode(manualBrCode.slice(0, index)), `cut at ${index}`)
    }
  })
})

describe("BankDestination", () => {
  const isDestination = Schema.is(BankDestination)

  it.each([
    { type: "PIX", pixKey: "390.533.447-05" },
    {
      type: "ACH",
      routingNumber: "021000021",
      accountNumber: "31254097",
      accountType: "CHECKING",
      beneficiaryName: "Ana"
    },
    { type: "SPEI", clabe: "032180000118359719" },
    ...["US", "UNITED_STATES"].map((country) => ({
      type: "WIRE",
      routingNumber: "021000021",
      accountNumber: "31254097",
      accountType: "CHECKING",
      beneficiaryName: "Ana",
      addressLine1: "8 The Green",
      country
    })),
    { type: "TRANSFERS", cbuOrCvu: "2850590940090418135201" }
  ])("takes $type", (destination) => assert.isTrue(isDestination(destination)))

  it.each([
    { type: "PIX", pixKey: "390.533.447-06" },
    {
      type: "ACH",
      routingNumber: "021000022",
      accountNumber: "31254097",
      accountType: "CHECKING",
      beneficiaryName: "Ana"
    },
    {
      type: "WIRE",
      routingNumber: "021000021",
      accountNumber: "31254097",
      accountType: "CHECKING",
      beneficiaryName: "Ana"
    },
    { type: "SPEI", clabe: "032180000118359718" },
    // The check digit is valid, but no bank has the code 000.
    { type: "SPEI", clabe: "000180000118359712" },
    { type: "TRANSFERS", cbuOrCvu: "2850590940090418135202" },
    { type: "CASH" }
  ])("is rejected with a wrong digit or a missing field of $type", (destination) =>
    assert.isFalse(isDestination(destination))
  )
})

describe("speiReferenceOf", () => {
  it("returns seven digits for an order, which are not all zero", () => {
    assert.strictEqual(speiReferenceOf("00000000-0000-4000-8000-000000000000"), "0000001")
    assert.match(speiReferenceOf("ffffffff-ffff-4fff-8fff-ffffffffffff"), /^\d{7}$/u)
  })
})
