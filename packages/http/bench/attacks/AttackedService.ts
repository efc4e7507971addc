import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { seedDatabase } from "../shell/database.ts"

export interface Load {
  /** The longest time in which the event loop was blocked. */
  readonly stallMs: number
  readonly rssMb: number
}

/** The service in its own process, with one project. */
export const startAttacked = async () => {
  const home = mkdtempSync(join(tmpdir(), "countersign-attacks-"))
  const { apiKey } = await seedDatabase(home)
  const child = fork(join(import.meta.dirname, "server.ts"), [home])
  const { url } = await new Promise<{ readonly url: string }>((resolve) => child.once("message", resolve as never))
  return {
    url,
    apiKey,
    /** The load since the last call. */
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
