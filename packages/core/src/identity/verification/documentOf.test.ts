import { assert, describe, it } from "@effect/vitest"
import { documentOf, documentOfPerson } from "./documentOf.ts"
import { aBusiness, anOwner } from "./verification.fixture.ts"

const documents = (spellings: ReadonlyArray<string>, fields: Parameters<typeof anOwner>[0] = {}) =>
  new Set(spellings.map((documentId) => documentOfPerson(anOwner({ ...fields, documentId }))))

const { metadata: _, ...fields } = aBusiness()
const ofBusiness = (documentId: string) => documentOf({ _tag: "business", ...fields, documentId })

describe("documentOfPerson", () => {
  it.each([
    ["a CPF", ["01234567890", "1234567890", "012.345.678-90", "012345678/90", "012-345-678-90", "001234567890"]],
    ["an SSN", ["078-05-1120", "078051120", "78051120"]],
    ["a passport", ["FX123456", "fx123456", "FX-123456", "FX.123.456", "fx/123456", "Fx123456."]]
  ])("is one for every spelling of %s", (_name, spellings) => assert.strictEqual(documents(spellings).size, 1))

  it("is one whatever the category", () => {
    const categories = ["PASSPORT", "DRIVERS_LICENSE", "IDENTITY_CARD"] as const
    const all = categories.map((documentCategory) => documentOfPerson(anOwner({ documentCategory })))
    assert.lengthOf(new Set(all), 1)
  })

  it("differs by number and country", () => {
    assert.strictEqual(documents(["FX123456", "FX123457", "0FX123456", "12", "120", "0"]).size, 6)
    assert.notDeepEqual(documents(["FX1"]), documents(["FX1"], { documentCountry: "FRANCE" }))
  })
})

describe("documentOf", () => {
  it("is one for both cases of a CNPJ with letters, and differs from a person's", () => {
    assert.strictEqual(ofBusiness("12ABC34501DE35"), ofBusiness("12abc34501de35"))
    assert.strictEqual(ofBusiness("00000000000191"), ofBusiness("191"))
    assert.notStrictEqual(ofBusiness("191"), documentOfPerson(anOwner({ documentId: "191" })))
  })
})
