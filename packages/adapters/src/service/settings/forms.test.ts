import { assert, describe, it } from "@effect/vitest"
import { baseUrl, confirmations, nftCollections } from "./forms.ts"

describe("confirmations", () => {
  it("reads numbers with the amount from which each applies", () => {
    assert.deepStrictEqual(confirmations.parse("1, 3:0.1,6:1"), [
      { fromAmount: 0n, confirmations: 1 },
      { fromAmount: 10_000_000n, confirmations: 3 },
      { fromAmount: 100_000_000n, confirmations: 6 }
    ])
  })

  it.each(["0", "101", "6:", "6:-1", "6:0.000000001", "six", "6:1:2"])("rejects %j", (text) => {
    assert.isUndefined(confirmations.parse(text))
  })
})

describe("a URL that paths are appended to", () => {
  it("has no trailing slash", () => {
    const urls = ["https://x.example", "https://x.example/", "https://x.example/api//"]
    assert.deepStrictEqual(
      urls.map((url) => baseUrl.parse(url)),
      ["https://x.example", "https://x.example", "https://x.example/api"]
    )
    assert.isUndefined(baseUrl.parse("x.example/"))
  })
})

describe("collections of NFTs", () => {
  it("must not have addresses with a wrong checksum", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    assert.lengthOf(nftCollections.parse(`1:${right}, 8453:${right.toLowerCase()}:17`)!, 2)
    assert.isUndefined(nftCollections.parse(`1:${right.replace("aAeb", "aaeb")}`))
  })
})
