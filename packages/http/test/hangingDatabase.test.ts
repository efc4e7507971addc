import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices, type Settings } from "@countersign/adapters/service/composition"
import { layerHttpService } from "@countersign/http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { temporaryDatabase } from "../../adapters/test/support/databases.ts"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { parsePrometheusText } from "./support/prometheusText.ts"
import { settingsWithoutSandbox } from "./support/settingsWithoutSandbox.ts"

const SOCKET = ".s.PGSQL.5432"

/** Starts a proxy to a Postgres socket. After `cut` it forwards no data, but closes no connection. */
const startProxy = async (target: string) => {
  const folder = mkdtempSync(join(tmpdir(), "pg-line-"))
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((incoming) => {
    const outgoing = connect(target)
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        incoming.destroy()
        outgoing.destroy()
      })
    }
    if (isCut) incoming.unpipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET), resolve))
  return {
    folder,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.unpipe()
    },
    /** Ends all connections, and accepts new ones again. */
    mend: () => {
      isCut = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Starts the service on a Postgres database, without a node, because the tested requests need none. */
const startService = async (databaseUrl: string) => {
  const home = mkdtempSync(join(tmpdir(), "countersign-hanging-"))
  const settings: Settings = {
    ...settingsWithoutSandbox(home, null),
    database: { _tag: "Postgres", url: Redacted.make(databaseUrl) },
    soleProcess: false
  }
  const runtime = ManagedRuntime.make(
    layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
      Layer.provide(layerServices(settings)),
      Layer.provideMerge(Logger.layer([]))
    )
  )
  const baseUrl = await runtime.runPromise(HttpServer.addressFormattedWith((url) => Effect.succeed(url)))
  return {
    baseUrl,
    stop: async () => {
      await runtime.dispose()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

describe("GET /metrics and /readyz", () => {
  it.live("respond while Postgres hangs, and as before once Postgres responds again", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* temporaryDatabase))
      const target = join(url.searchParams.get("host")!, SOCKET)
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => startProxy(target)),
        ({ stop }) => Effect.sync(stop)
      )
      url.searchParams.set("host", proxy.folder)
      const { baseUrl } = yield* Effect.acquireRelease(
        Effect.promise(() => startService(url.href)),
        ({ stop }) => Effect.promise(stop)
      )
      const scrape = Effect.promise(async () => {
        const response = await fetch(`${baseUrl}/metrics`)
        const { value } = parsePrometheusText(await response.text())
        return [
          value("database_up"),
          value("countersign_pending", { kind: "inclusion", waits_for: "CHAIN" }),
          value("webhook_deliveries_due")
        ]
      })
      const readReadiness = Effect.promise(async () => (await fetch(`${baseUrl}/readyz`)).status)
      // On a busy machine one of the two queries may time out.
      const waitUntilWell = Effect.promise(() =>
        waitUntilTrue(() =>
          Effect.runPromise(
            Effect.map(
              Effect.all([scrape, readReadiness]),
              ([[databaseUp], status]) => databaseUp === 1 && status === 200
            )
          )
        )
      )
      yield* waitUntilWell
      proxy.cut()
      // Concurrent requests must share one query.
      const [metrics, readinessStatuses] = yield* Effect.all(
        [
          Effect.all([scrape, scrape, scrape], { concurrency: "unbounded" }),
          Effect.all([readReadiness, readReadiness, readReadiness], { concurrency: "unbounded" })
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(metrics, Array(3).fill([0, null, null]))
      assert.deepStrictEqual(readinessStatuses, Array(3).fill(502))
      proxy.mend()
      yield* waitUntilWell
      assert.deepStrictEqual((yield* scrape).slice(1), [0, 0])
    }).pipe(Effect.scoped)
  )
})
