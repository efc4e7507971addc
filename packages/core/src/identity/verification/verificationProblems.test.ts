import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { aBusiness, anOwner } from "./verification.fixture.ts"
import { businessProblems, personProblems } from "./verificationProblems.ts"

const now = DateTime.makeUnsafe("2026-05-10T12:00:00Z")

const birthDateCodes = (birthDate: string) =>
  personProblems(anOwner({ birthDate }), "", now).flatMap((problem) => (problem === null ? [] : [problem.code]))

describe("personProblems", () => {
  it.each([
    ["2008-05-10", []],
    ["2008-05-11", ["under_age"]],
    ["1990-02-30", ["no_date"]],
    ["2027-01-01", ["in_future"]],
    ["1890-01-01", ["too_old"]],
    ["2000-02-29", []]
  ])("of a person born on %s are %j", (birthDate, codes) => {
    assert.deepStrictEqual(birthDateCodes(birthDate), codes)
  })

  it.each(["---", ".", "/-/"])("include the document number %s", (documentId) => {
    const problems = personProblems(anOwner({ documentId }), "owners[0].", now).filter((problem) => problem !== null)
    assert.deepStrictEqual(
      problems.map(({ code, path }) => [path, code]),
      [["owners[0].documentId", "no_number"]]
    )
  })
})

describe("businessProblems", () => {
  const problemsOf = (fields: Parameters<typeof aBusiness>[0]) =>
    businessProblems(aBusiness(fields), now).flatMap((problem) =>
      problem === null ? [] : [`${problem.path} ${problem.code}`]
    )

  it("are empty for a business with two owners", () => {
    assert.deepStrictEqual(problemsOf({ owners: [anOwner(), anOwner({ documentId: "B2" })] }), [])
  })

  it("include an invalid registration number only in Brazil", () => {
    assert.deepStrictEqual(problemsOf({ documentId: "33000167000102" }), ["documentId check_digits"])
    assert.deepStrictEqual(problemsOf({ documentId: "123", country: "FRANCE" }), [])
    assert.deepStrictEqual(problemsOf({ documentId: "12A", country: "FRANCE" }), ["documentId digits"])
  })

  it("do not include a CNPJ with letters", () => {
    for (const documentId of ["12ABC34501DE35", "12abc34501de35"])
      assert.deepStrictEqual(problemsOf({ documentId }), [])
    assert.deepStrictEqual(problemsOf({ documentId: "12ABC34501DE36" }), ["documentId check_digits"])
  })

  it("include the same document in two spellings and categories", () => {
    const repeatedOwner = anOwner({ documentId: "fx-123.456", documentCategory: "IDENTITY_CARD" })
    assert.deepStrictEqual(problemsOf({ owners: [anOwner(), repeatedOwner] }), ["owners[1].documentId duplicate"])
  })

  it("name each owner with a problem", () => {
    const minor = anOwner({ birthDate: "2015-01-01", documentId: "B2" })
    assert.deepStrictEqual(problemsOf({ owners: [anOwner(), minor, anOwner()] }), [
      "owners[1].birthDate under_age",
      "owners[2].documentId duplicate"
    ])
  })

  it("do not include the same number of another country's document", () => {
    assert.deepStrictEqual(problemsOf({ owners: [anOwner(), anOwner({ documentCountry: "FRANCE" })] }), [])
  })
})
