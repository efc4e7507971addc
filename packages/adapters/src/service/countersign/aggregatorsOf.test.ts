import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { aggregatorsOf } from "./aggregatorsOf.ts"

describe("aggregatorsOf", () => {
  it("asks none unless it is told to, and each once", () => {
    assert.deepStrictEqual(aggregatorsOf(undefined), [])
    assert.deepStrictEqual(
      aggregatorsOf({ names: ["lifi", "kyberswap", "lifi", "velora"] }).map(({ _tag }) => _tag),
      ["LiFi", "KyberSwap", "Velora"]
    )
  })

  it("asks them as the options say, and as is usual else", () => {
    const [kyberSwap, lifi, velora] = aggregatorsOf({
      names: ["kyberswap", "lifi", "velora"],
      kyberSwapRequestsPerSecond: 20,
      liFiKey: "a-key",
      liFiUrl: "http://127.0.0.1:1",
      veloraUrl: "http://127.0.0.1:2"
    })
    assert.deepStrictEqual(kyberSwap, {
      _tag: "KyberSwap",
      url: null,
      clientId: "countersign",
      requestsPerSecond: 20,
      timeoutMs: 2_000
    })
    assert.isTrue(lifi?._tag === "LiFi" && Redacted.value(lifi.apiKey!) === "a-key")
    assert.strictEqual(lifi!.url, "http://127.0.0.1:1")
    assert.deepStrictEqual(velora, { _tag: "Velora", url: "http://127.0.0.1:2", timeoutMs: 2_000 })
  })
})
