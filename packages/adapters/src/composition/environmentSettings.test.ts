import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { environmentSettings, SettingInvalid } from "./environmentSettings.ts"

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  environmentSettings("/home").pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))

describe("environmentSettings", () => {
  it.effect("keeps quotes for 7 days and deliveries for 30, unless told otherwise", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* settingsOf({})).retention, { quoteDays: 7, deliveryDays: 30 })
      const told = yield* settingsOf({ RETENTION_QUOTES_DAYS: "0.5", RETENTION_DELIVERIES_DAYS: " 90 " })
      assert.deepStrictEqual(told.retention, { quoteDays: 0.5, deliveryDays: 90 })
    })
  )

  it.effect.each(["0", "0.09", "-1", "36501", "1e3", "7d", "NaN", "one"])("refuses %j days", (text) =>
    Effect.gen(function* () {
      for (const name of ["RETENTION_QUOTES_DAYS", "RETENTION_DELIVERIES_DAYS"]) {
        const error = yield* Effect.flip(settingsOf({ [name]: text }))
        assert.deepStrictEqual(error, new SettingInvalid({ name, expected: "a number of days from 0.1 to 36500" }))
        assert.strictEqual(
          error.message,
          `${name} is not a number of days from 0.1 to 36500. docs/operations.md lists the settings.`
        )
      }
    })
  )
})
