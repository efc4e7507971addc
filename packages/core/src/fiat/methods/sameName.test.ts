import { assert, describe, it } from "@effect/vitest"
import { isSameName } from "./sameName.ts"

describe("isSameName", () => {
  it.each([
    ["João da Conceição", "JOAO DA CONCEICAO", true],
    ["Souza, Ana", "ana  souza", true],
    ["Acme Ltda.", "ACME LTDA", true],
    ["Ana Souza", "Ana Sousa", false],
    ["Ana Souza", "Ana Souza Lima", false],
    ["Ana Ana Souza", "Ana Souza Souza", false],
    ["李 小龙", "小龙 李", true]
  ])("of %s and %s is %s", (one, other, expected) => assert.strictEqual(isSameName(one, other), expected))
})
