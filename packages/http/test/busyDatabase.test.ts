import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices, type Settings } from "@countersign/adapters/service/composition"
import { layerHttpService } from "@countersign/http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { HttpServer } from "effect/http"
import pg from "pg"
import { temporaryDatabase } from "../../adapters/test/support/databases.ts"
import { newProject } from "./fleet/operator.ts"
import { settingsWithoutSandbox } from "./support/settingsWithoutSandbox.ts"

/** More requests than the process has database connections. */
const REQUEST_COUNT = 25

const startService = async (url: Redacted.Redacted<string>) => {
  const home = mkdtempSync(join(tmpdir(), "countersign-busy-"))
  const settings: Settings = {
    ...settingsWithoutSandbox(home, null),
    database: { _tag: "Postgres", url },
    soleProcess: false
  }
  const runtime = ManagedRuntime.make(
    layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
      Layer.provideMerge(layerServices(settings)),
      Layer.provideMerge(Logger.layer([]))
    )
  )
  const baseUrl = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
  const { apiKey } = await runtime.runPromise(newProject(null))
  return {
    wallets: async () => {
      const response = await fetch(`${baseUrl}/api/v1/wallets?take=10`, { headers: { "x-api-key": apiKey } })
      const { id } = (await response.json()) as { readonly id?: string }
      return { status: response.status, id, retryAfter: response.headers.get("retry-after") }
    },
    stop: async () => {
      await runtime.dispose()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

/** Locks a table as another database client, so that every query of the table waits. */
const lockTable = async (url: Redacted.Redacted<string>, table: string) => {
  const client = new pg.Client(Redacted.value(url))
  await client.connect()
  await client.query("begin")
  await client.query(`lock table ${table} in access exclusive mode`)
  let releasePromise: Promise<void> | undefined
  return {
    release: () => {
      releasePromise ??= client.end()
      return releasePromise
    }
  }
}

describe("a request that gets no database connection in time", () => {
  it.live("is rejected with 503 and Retry-After, and a retry succeeds", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const service = yield* Effect.acquireRelease(
        Effect.promise(() => startService(url)),
        ({ stop }) => Effect.promise(stop)
      )
      yield* Effect.promise(async () => {
        const lock = await lockTable(url, "wallets")
        const responses: Array<Awaited<ReturnType<typeof service.wallets>>> = []
        const requests = Array.from({ length: REQUEST_COUNT }, async () => {
          const response = await service.wallets()
          responses.push(response)
          if (response.status !== 200) await lock.release()
        })
        await Promise.all(requests)
        const refusals = responses.filter(({ status }) => status !== 200)
        assert.isNotEmpty(refusals)
        for (const refusal of refusals) {
          assert.deepStrictEqual(refusal, { status: 503, id: "OVERLOADED", retryAfter: "1" })
        }
        assert.strictEqual((await service.wallets()).status, 200)
      })
    }).pipe(Effect.scoped)
  )
})
