import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { seedDatabase } from "../shell/database.ts"

export interface Load {
  /** The longest time for which the event loop was blocked, in milliseconds. */
  readonly stallMs: number
  readonly rssMb: number
}

/** Starts the service with one project in a separate process. */
export const startAttacked = async () => {
  const home = mkdtempSync(join(tmpdir(), "countersign-attacks-"))
  const { apiKey } = await seedDatabase(home)
  const child = fork(join(import.meta.dirname, "server.ts"), [home])
  const { url } = await new Promise<{ readonly url: string }>((resolve) => child.once("message", resolve as never))
  return {
    url,
    apiKey,
    /** Returns the load since the previous call. */
    load: () =>
      new Promise<Load>((resolve) => {
        child.once("message", (load) => resolve(load as Load))
        child.send("load")
      }),
    stop: () => {
      child.kill()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
