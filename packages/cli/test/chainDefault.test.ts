import { afterAll, assert, describe, it } from "@effect/vitest"
import { removeHome, runHere, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const NO_NODE = "http://127.0.0.1:1"

describe("--chain", () => {
  it.each([
    ["the only chain that is served", { RPC_URL_8453: NO_NODE }, 8453],
    ["Ethereum if it is served", { RPC_URL_8453: NO_NODE, RPC_URL_1: NO_NODE }, 1]
  ])("is %s, when not named", async (_, settings, chainId) => {
    const { code, err } = await runHere(home, ["pools", "NOPE/USDC"], settings)
    assert.strictEqual(code, 3)
    assert.include(err, `There is no token "NOPE" on chain ${chainId}`)
  })

  it("has its default in the help", async () => {
    const { out } = await runHere(home, ["swap", "quote", "--help"])
    assert.match(out, /--chain .*by default Ethereum, or the first chain with an RPC_URL/u)
    for (const flag of ["--profile", "--fee", "--extra-fee", "--extra-fee-to", "--metadata"]) assert.include(out, flag)
  })
})
