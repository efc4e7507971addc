import { assert, describe, it } from "@effect/vitest"
import { scopes } from "./ApiKey.ts"
import { hasScope } from "./Projects.ts"

describe("The scopes of a key", () => {
  it("include all other scopes except operator if the key has admin", () => {
    const impliedScopes = scopes.filter((scope) => hasScope({ scopes: ["admin"] }, scope))
    assert.deepStrictEqual(
      impliedScopes,
      scopes.filter((scope) => scope !== "operator")
    )
  })

  it("include no other scope if the key has only operator", () => {
    assert.deepStrictEqual(
      scopes.filter((scope) => hasScope({ scopes: ["operator"] }, scope)),
      ["operator"]
    )
  })
})
