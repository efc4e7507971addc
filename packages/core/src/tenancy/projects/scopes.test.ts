import { assert, describe, it } from "@effect/vitest"
import { scopes } from "./ApiKey.ts"
import { hasScope } from "./Projects.ts"

describe("the scopes of a key", () => {
  it("admin implies every other scope but operator", () => {
    const implied = scopes.filter((scope) => hasScope({ scopes: ["admin"] }, scope))
    assert.deepStrictEqual(
      implied,
      scopes.filter((scope) => scope !== "operator")
    )
  })

  it("operator implies no other scope", () => {
    assert.deepStrictEqual(
      scopes.filter((scope) => hasScope({ scopes: ["operator"] }, scope)),
      ["operator"]
    )
  })
})
