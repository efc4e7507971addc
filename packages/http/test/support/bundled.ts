import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { mkdir, readdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../../..")
/** Beside the packages, where what can't be bundled (native code) is found as ever. */
const cache = join(root, "node_modules/.cache/countersign-bundled")

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

const build = async (program: string): Promise<string> => {
  await mkdir(cache, { recursive: true })
  await removeOfDead()
  const folder = mkdtempSync(join(cache, `${process.pid}-`))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  const bundle = await rolldown({
    input: program,
    platform: "node",
    // The packages' names mean their sources.
    tsconfig: join(root, "tsconfig.json"),
    external: ["better-sqlite3", "pg-native"]
  })
  await bundle.write({ dir: join(folder, "dist"), format: "esm", chunkFileNames: "[name]-[hash].js" })
  await bundle.close()
  return folder
}

const built = new Map<string, Promise<string>>()

export interface Bundled {
  readonly folder: string
  /** To be run. It is in `dist`, in the folder. */
  readonly file: string
  /** For NODE_COMPILE_CACHE: what one process has compiled the next ones need not compile again. */
  readonly compileCache: string
}

/**
 * A program, and all that it imports, as one file and those that it loads later. It starts several times as fast, and
 * starting is most of what a process costs that ends a moment later. Built once for each process that asks.
 */
export const bundled = async (program: string): Promise<Bundled> => {
  const building = built.get(program) ?? build(program)
  built.set(program, building)
  const folder = await building
  const file = join(folder, "dist", basename(program).replace(/\.ts$/u, ".js"))
  return { folder, file, compileCache: join(folder, "compiled") }
}
