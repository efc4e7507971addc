import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { confirmationPolicy } from "./confirmationPolicy.ts"

const read = (text: string) =>
  confirmationPolicy("BITCOIN_CONFIRMATIONS").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ BITCOIN_CONFIRMATIONS: text }))
  )

describe("confirmationPolicy", () => {
  it.effect("reads numbers by the amount from which each holds", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("1, 3:0.1,6:1"), [
        { fromAmount: 0n, confirmations: 1 },
        { fromAmount: 10_000_000n, confirmations: 3 },
        { fromAmount: 100_000_000n, confirmations: 6 }
      ])
    })
  )

  it.effect.each(["0", "101", "6:", "6:-1", "6:0.000000001", "six", "6:1:2"])("refuses %j", (text) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(read(text)))._tag, "SETTING_INVALID")
    })
  )
})
