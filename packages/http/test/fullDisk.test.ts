import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices } from "@countersign/adapters/composition"
import { layerHttpService } from "@countersign/http"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { settingsWithoutSandbox } from "./support/settingsWithoutSandbox.ts"

/** A disk of its own, which only the system's administrator can make. */
const disk = mkdtempSync(join(tmpdir(), "countersign-disk-"))
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).status === 0

afterAll(() => {
  if (isMounted) spawnSync("umount", ["-l", disk])
  rmSync(disk, { recursive: true, force: true })
})

describe("a disk that is full", () => {
  it.skipIf(!isMounted)("is told of by /readyz, and no more once there is room", { timeout: 60_000 }, async () => {
    const runtime = ManagedRuntime.make(
      layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
        Layer.provideMerge(layerServices(settingsWithoutSandbox(disk, null))),
        Layer.provideMerge(Logger.layer([]))
      )
    )
    const url = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
    const until = async (status: number) => {
      const deadline = Date.now() + 15_000
      for (;;) {
        const response = await fetch(`${url}/readyz`)
        const body = await response.text()
        if (response.status === status) return body
        if (Date.now() > deadline) throw new Error(`${response.status} and not ${status}: ${body}`)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
    await until(200)
    const filler = join(disk, "filler")
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
    assert.match(await until(502), /The database.*its disk is full/u)
    assert.strictEqual((await fetch(`${url}/healthz`)).status, 200)
    rmSync(filler)
    await until(200)
    await runtime.dispose()
  })
})
