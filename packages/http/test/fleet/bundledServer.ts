import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { mkdir, readdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../../..")
/** Beside the packages, where what can't be bundled (native code) is found as ever. */
const cache = join(root, "node_modules/.cache/countersign-fleet")

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A test runner that is killed does not clean up after itself: the next one does. */
const removeOfDead = async (): Promise<void> => {
  const dead = (await readdir(cache)).filter((name) => !isAlive(Number(name.split("-")[0])))
  await Promise.all(dead.map((name) => rm(join(cache, name), { recursive: true, force: true })))
}

/**
 * `server.ts` and all that it imports as one file. It loads in a seventh of the time, and loading is most of what a
 * server costs that is killed a moment later.
 */
const build = async (): Promise<string> => {
  await mkdir(cache, { recursive: true })
  await removeOfDead()
  const folder = mkdtempSync(join(cache, `${process.pid}-`))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const bundle = await rolldown({
    input: join(import.meta.dirname, "server.ts"),
    platform: "node",
    // The packages' names mean their sources.
    tsconfig: join(root, "tsconfig.json"),
    external: ["better-sqlite3", "pg-native"]
  })
  const { output } = await bundle.write({ dir: folder, entryFileNames: "server.mjs", format: "esm" })
  await bundle.close()
  const file = join(folder, output[0].fileName)
  if (!existsSync(file)) throw new Error(`The bundle is not at ${dirname(file)}`)
  return file
}

let built: Promise<string> | undefined

/** Built once for each process that asks. */
export const bundledServer = (): Promise<string> => {
  built ??= build()
  return built
}
