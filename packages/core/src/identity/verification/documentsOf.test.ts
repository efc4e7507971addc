import { assert, describe, it } from "@effect/vitest"
import { identityKeysOf, personIdentityKeys } from "./documentsOf.ts"
import { aBusiness, anOwner } from "./verification.fixture.ts"

type Fields = NonNullable<Parameters<typeof anOwner>[0]>

/** Returns whether all of these count as the same person, because they share an identifying text. */
const areSamePerson = (...people: ReadonlyArray<Fields>): boolean => {
  const [first, ...others] = people.map((fields) => personIdentityKeys(anOwner(fields)))
  return others.every((texts) => texts.some((text) => first!.includes(text)))
}
const areSameDocumentId = (spellings: ReadonlyArray<string>) =>
  areSamePerson(...spellings.map((documentId) => ({ documentId })))

const { metadata: _, ...fields } = aBusiness()
const businessKeysOf = (documentId: string) => identityKeysOf({ _tag: "business", ...fields, documentId })

describe("documentsOfPerson", () => {
  it.each([
    ["a CPF", ["01234567890", "1234567890", "012.345.678-90", "012345678/90", "012-345-678-90", "001234567890"]],
    ["an SSN", ["078-05-1120", "078051120", "78051120"]],
    ["a passport", ["FX123456", "fx123456", "FX-123456", "FX.123.456", "fx/123456", "Fx123456."]]
  ])("has the same text for every spelling of %s", (_name, spellings) => assert.isTrue(areSameDocumentId(spellings)))

  it("recognizes a CPF in any category and with any date of birth", () => {
    const cpf = { documentId: "529.982.247-25" }
    assert.isTrue(
      areSamePerson(
        { ...cpf, documentCategory: "IDENTITY_CARD" },
        { ...cpf, documentCategory: "PASSPORT" },
        { documentId: "52998224725", documentCategory: "DRIVERS_LICENSE", birthDate: "1980-01-01" }
      )
    )
  })

  it("recognizes other numbers across categories by the date of birth", () => {
    const [passport, license] = [
      { documentId: "AB123", documentCategory: "PASSPORT" },
      { documentId: "ab-123", documentCategory: "DRIVERS_LICENSE" }
    ] as const
    assert.isTrue(areSamePerson(passport, license))
    // A different person: the licence and the passport have the same digits, but the dates of birth differ.
    assert.isFalse(areSamePerson(passport, { ...license, birthDate: "1971-02-03" }))
    // A passport with two different dates of birth is still the same passport.
    assert.isTrue(areSamePerson(passport, { ...passport, birthDate: "1971-02-03" }))
  })

  it("returns different texts for another number or country", () => {
    const numbers = ["FX123456", "FX123457", "0FX123456", "12", "120", "0"]
    for (const number of numbers)
      for (const otherNumber of numbers)
        assert.strictEqual(areSameDocumentId([number, otherNumber]), number === otherNumber)
    assert.isFalse(areSamePerson({ documentId: "FX1" }, { documentId: "FX1", documentCountry: "FRANCE" }))
  })
})

describe("documentsOf", () => {
  it("returns the same text for a CNPJ with letters in either case, and a different text for a person", () => {
    assert.deepStrictEqual(businessKeysOf("12ABC34501DE35"), businessKeysOf("12abc34501de35"))
    assert.deepStrictEqual(businessKeysOf("00000000000191"), businessKeysOf("191"))
    assert.notDeepEqual(businessKeysOf("191"), personIdentityKeys(anOwner({ documentId: "191" })))
  })
})
