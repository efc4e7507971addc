import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startCoreEmulator } from "../../../test/bitcoin/CoreEmulator.ts"
import { blockHashAt, EmulatedChain } from "../../../test/bitcoin/EmulatedChain.ts"
import { startEsploraEmulator } from "../../../test/bitcoin/EsploraEmulator.ts"
import { hostTips } from "./index.ts"

const [first, second] = [await startEsploraEmulator(), await startEsploraEmulator()]
const core = await startCoreEmulator(new EmulatedChain())
afterAll(() => {
  for (const { stop } of [first, second, core]) stop()
})

describe("Esplora servers", () => {
  it.live("return their latest blocks concurrently, or the reason of a failure", () =>
    Effect.gen(function* () {
      second.state.height = 899_990
      core.state.tipTime = 1_700_000_000
      const tips = yield* hostTips({
        esploraUrls: [first.url, second.url, "http://127.0.0.1:1"],
        coreUrls: [core.url, core.urlWithoutPassword],
        timeoutMs: 60_000
      })
      assert.deepStrictEqual(
        tips.map(({ tip }) => tip?.height ?? null),
        [900_000, 899_990, null, 900_000, null]
      )
      assert.strictEqual(tips[0]!.tip!.hash, `0x${blockHashAt(900_000)}`)
      assert.strictEqual(tips[3]!.tip!.minedAtMs, 1_700_000_000_000)
      assert.match(tips[2]!.reason!, /connection failed/u)
      assert.match(tips[4]!.reason!, /HTTP status 401/u)
      assert.notInclude(JSON.stringify(tips), "pass")
    })
  )
})
