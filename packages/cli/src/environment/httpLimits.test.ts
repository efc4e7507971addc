import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { exitCodeOf } from "../output/exitCode.ts"
import { httpLimits, serveSettings } from "./serveSettings.ts"

const limitsOf = (environment: Record<string, string>) =>
  Effect.provideService(httpLimits, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment))

describe("httpLimits", () => {
  const defaultLimits = {
    maxBodyBytes: 1_048_576,
    requestTimeoutMs: 30_000,
    parallelRequestsMax: 512,
    connectionsMax: 10_000,
    keepAliveTimeoutMs: 5_000
  }

  it.effect("are those of the environment, or the defaults", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* limitsOf({}), defaultLimits)
      assert.deepStrictEqual(yield* limitsOf({ MAX_BODY_BYTES: "8192", CONNECTIONS_MAX: "1" }), {
        ...defaultLimits,
        connectionsMax: 1,
        maxBodyBytes: 8192
      })
    })
  )

  const names = [
    "MAX_BODY_BYTES",
    "REQUEST_TIMEOUT_MS",
    "KEEP_ALIVE_TIMEOUT_MS",
    "PARALLEL_REQUESTS_MAX",
    "CONNECTIONS_MAX"
  ]
  it.effect.each(names)("reject a %s that is not a whole number above 0, and name it", (name) =>
    Effect.gen(function* () {
      for (const value of ["0", "-1", "many", "1.5", " ", "1e3", "2147483648"]) {
        const error = yield* Effect.flip(limitsOf({ [name]: value }))
        assert.strictEqual(
          error.message,
          `${name} is not a whole number from 1 to 2147483647. \`countersign serve --help\` lists the settings.`
        )
        assert.strictEqual(exitCodeOf(error), 2)
      }
    })
  )
})

describe("the operator's console", () => {
  const adminConsole = (environment: Record<string, string>) =>
    Effect.map(
      Effect.provideService(serveSettings, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment)),
      ({ http }) => http.adminConsole
    )

  it.effect("is for browsers on this machine, unless the environment allows others", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* adminConsole({}), "loopback")
      for (const value of ["off", "on", "loopback"] as const)
        assert.strictEqual(yield* adminConsole({ ADMIN_CONSOLE: value }), value)
      assert.match((yield* Effect.flip(adminConsole({ ADMIN_CONSOLE: "true" }))).message, /ADMIN_CONSOLE is not/u)
    })
  )
})

describe("the web app for users", () => {
  const isServed = (environment: Record<string, string>) =>
    Effect.map(
      Effect.provideService(serveSettings, ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment)),
      ({ http }) => http.appPage
    )

  it.effect("is served unless the environment states otherwise", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isServed({}))
      assert.isFalse(yield* isServed({ APP_PAGE: "false" }))
      assert.match((yield* Effect.flip(isServed({ APP_PAGE: "perhaps" }))).message, /APP_PAGE is not true or false/u)
    })
  )
})
