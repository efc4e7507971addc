import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices } from "@countersign/adapters/service/composition"
import { layerHttpService } from "@countersign/http"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { waitUntil } from "../../core/test/support/until.ts"
import { settingsWithoutSandbox } from "./support/settingsWithoutSandbox.ts"

/** Mount point of a small disk. Only root can mount it. */
const disk = mkdtempSync(join(tmpdir(), "countersign-disk-"))
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status === 0

afterAll(() => {
  if (isMounted) spawnSync("umount", ["-l", disk])
  rmSync(disk, { recursive: true, force: true })
})

describe("a full disk", () => {
  it.skipIf(!isMounted)("is reported by /readyz until disk space is free", async () => {
    const runtime = ManagedRuntime.make(
      layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
        Layer.provideMerge(layerServices(settingsWithoutSandbox(disk, null))),
        Layer.provideMerge(Logger.layer([]))
      )
    )
    const url = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
    const readReadiness = async () => {
      const response = await fetch(`${url}/readyz`)
      return { status: response.status, body: await response.text() }
    }
    const waitForStatus = (status: number) =>
      waitUntil(readReadiness, (response) => response.status === status, { pollMs: 250 })
    await waitForStatus(200)
    const fillerFile = join(disk, "filler")
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(fillerFile, Buffer.alloc(bavail * bsize))
    assert.match((await waitForStatus(502)).body, /The database.*its disk is full/u)
    assert.strictEqual((await fetch(`${url}/healthz`)).status, 200)
    rmSync(fillerFile)
    await waitForStatus(200)
    await runtime.dispose()
  })
})
