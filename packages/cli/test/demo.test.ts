import { readdirSync } from "node:fs"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { assertCode, removeHome, runDemo, temporaryHome } from "./support/commandLine.ts"

describe("npm run demo", () => {
  const home = temporaryHome()
  afterAll(() => removeHome(home))

  it("starts a temporary sandbox if none runs, and leaves no files", async () => {
    const outcome = await runDemo(home)
    assertCode(outcome, 0)
    assert.strictEqual(outcome.err, "")
    assert.include(outcome.out, "a temporary sandbox")
    for (const step of ["1. Register", "3. Request a quote", "5. Sign it", "6. Execute", "8. Read it in the history"]) {
      assert.include(outcome.out, step)
    }
    assert.match(outcome.out, /Swap 100 USDC for at least 0\.0\d+ WETH/u)
    assert.match(outcome.out, /COMPLETED: the quote stated (\S+) WETH, and the wallet received \1 WETH/u)
    assert.include(outcome.out, "COMPLETED: the recipient had 0 USDC and has 25.")
    assert.include(outcome.out, "COMPLETED: the recipients have 25 and 25 USDC.")
    assert.match(outcome.out, /COMPLETED: position \d+ holds \S+ WETH and \S+ USDC\./u)
    assert.match(outcome.out, /·\[━+●━+\]·/u)
    assert.match(outcome.out, /COMPLETED: the quote stated (\S+) USDC, and the wallet received \1 USDC/u)
    assert.match(outcome.out, /Health after +\[#+-+\] 1\.\d\d/u)
    assert.include(outcome.out, "COMPLETED: the debt is repaid, and the whole supply is withdrawn.")
    assert.notInclude(outcome.out, "\u001b[")
    assert.deepStrictEqual(
      readdirSync(home).filter((name) => name.startsWith("countersign-demo-")),
      []
    )
  })
})
