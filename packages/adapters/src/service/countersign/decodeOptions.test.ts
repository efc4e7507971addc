import { assert, describe, it } from "@effect/vitest"
import { decodeOptions } from "./decodeOptions.ts"

const chains = { 1: { rpcUrl: "http://127.0.0.1:1" } }

const problemsOf = (options: Readonly<Record<string, unknown>>) => {
  const decodeResult = decodeOptions({ database: ":memory:", chains, ...options })
  return decodeResult._tag === "Success" ? [] : decodeResult.failure.problems.map(({ code, path }) => `${path} ${code}`)
}

describe("the options of the library", () => {
  it("may be empty lists and missing chains, which a host may compute", () => {
    assert.deepStrictEqual(
      problemsOf({
        chains: { ...chains, 137: undefined },
        aggregators: { names: [] },
        marketData: { sources: [] },
        nfts: { collections: [] }
      }),
      []
    )
  })

  it("may be any computed fraction", () => {
    for (const unpaidGasBudgetUsdPerDay of [1 / 3, 0.1 + 0.2, 100 / 3]) {
      assert.deepStrictEqual(
        problemsOf({ unpaidGasBudgetUsdPerDay: unpaidGasBudgetUsdPerDay }),
        [],
        String(unpaidGasBudgetUsdPerDay)
      )
    }
  })

  it("must not be addresses with a wrong checksum", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    const operatorTreasury = (address: string) => problemsOf({ quotes: { operatorTreasury: address } })
    for (const address of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`]) {
      assert.deepStrictEqual(operatorTreasury(address), [])
    }
    assert.deepStrictEqual(operatorTreasury(right.replace("aAeb", "aaeb")), ["quotes.operatorTreasury invalid"])
  })

  it("need the required option of their group", () => {
    const treasury = `0x${"1".repeat(40)}`
    assert.deepStrictEqual(
      problemsOf({
        bundler: {},
        paymaster: { treasury },
        aggregators: { liFiKey: "key" },
        marketData: { coinGeckoKey: "key" },
        mail: { from: "tax@example.com" }
      }),
      [
        "bundler.operatorKeys required",
        "paymaster.signerKey required",
        "aggregators.names required",
        "marketData.sources required",
        "mail.smtpUrl required"
      ]
    )
    assert.deepStrictEqual(problemsOf({ mail: { folder: "mail" } }), [])
  })
})
