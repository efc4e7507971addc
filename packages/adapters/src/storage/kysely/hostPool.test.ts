import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type HostPool, layerHostPoolClient } from "./hostPool.ts"

const poolThatFails = (error: Error): HostPool => ({
  connect: async () => ({
    query: () => Promise.reject(error),
    release: () => {},
    on: () => {},
    removeListener: () => {}
  })
})

const failureWith = (error: Error) =>
  Effect.flip(
    Effect.provide(
      SqlClient.SqlClient.use((sql) => sql.unsafe("select 1")),
      layerHostPoolClient(poolThatFails(error))
    )
  )

describe("a pool of the host application", () => {
  it.effect.each([
    ["EPIPE", "write"],
    ["ECONNRESET", "read"]
  ] as const)("reports a lost connection (%s) as a failure that a retry may avoid", ([code, syscall]) =>
    Effect.gen(function* () {
      const failure = yield* failureWith(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }))
      assert.isTrue(failure.isRetryable)
    })
  )

  it.effect("reports an error of the server as a failure that a retry does not avoid", () =>
    Effect.gen(function* () {
      const failure = yield* failureWith(Object.assign(new Error("syntax error"), { code: "42601" }))
      assert.isFalse(failure.isRetryable)
    })
  )
})
