import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync
} from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../../..")
/** The folder is inside node_modules, so that Node can resolve native packages, which cannot be bundled. */
const cacheFolder = join(root, "node_modules/.cache/countersign-bundled")
const UNUSED_MS = 24 * 3_600_000

const isSource = (path: string): boolean => /\.(?:ts|mjs|json)$/u.test(path) && !path.includes("node_modules")

/** Returns a name that depends on the program and on every file that its bundle can contain. */
const nameOf = (program: string, folders: ReadonlyArray<string>): string => {
  const hash = createHash("sha256").update([program, ...folders].map((path) => relative(root, path)).join("\n"))
  const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter(isSource).sort()
  for (const path of ["package-lock.json", "tsconfig.json", ...sources.map((source) => join("packages", source))]) {
    const file = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`\n${path} ${file?.size} ${file?.mtimeMs}`)
  }
  return hash.digest("hex").slice(0, 32)
}

const removeUnusedBundles = (): void => {
  for (const name of readdirSync(cacheFolder)) {
    const folder = statSync(join(cacheFolder, name), { throwIfNoEntry: false })
    if (folder !== undefined && folder.mtimeMs < Date.now() - UNUSED_MS) {
      rmSync(join(cacheFolder, name), { recursive: true, force: true })
    }
  }
}

const buildBundle = async (program: string, folders: ReadonlyArray<string>): Promise<string> => {
  mkdirSync(cacheFolder, { recursive: true })
  const folder = join(cacheFolder, nameOf(program, folders))
  if (!existsSync(folder)) {
    removeUnusedBundles()
    const draftFolder = mkdtempSync(join(cacheFolder, "draft-"))
    await writeFile(join(draftFolder, "package.json"), JSON.stringify({ type: "module" }))
    for (const source of folders) cpSync(source, join(draftFolder, basename(source)), { recursive: true })
    const bundle = await rolldown({
      input: program,
      platform: "node",
      // Resolves package names to their sources.
      tsconfig: join(root, "tsconfig.json"),
      external: ["better-sqlite3", "pg-native"]
    })
    await bundle.write({ dir: join(draftFolder, "dist"), format: "esm", chunkFileNames: "[name]-[hash].js" })
    await bundle.close()
    try {
      renameSync(draftFolder, folder)
    } catch (cause) {
      rmSync(draftFolder, { recursive: true, force: true })
      // Another process has already built the same bundle.
      if (!existsSync(folder)) throw cause
    }
  }
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}

const builtBundles = new Map<string, Promise<string>>()

export interface ProgramBundle {
  readonly folder: string
  /** Path of the bundled program, in the folder `dist`. */
  readonly file: string
  /** Value of NODE_COMPILE_CACHE: later processes reuse the compiled code of the first one. */
  readonly compileCache: string
}

/**
 * Bundles a program into one file, plus one file per dynamic import. The bundle starts several times as fast, which
 * matters for short processes. All test processes share one build until a source changes. `folders` are copied next to
 * `dist`.
 */
export const bundleProgram = async (program: string, folders: ReadonlyArray<string> = []): Promise<ProgramBundle> => {
  const buildPromise = builtBundles.get(program) ?? buildBundle(program, folders)
  builtBundles.set(program, buildPromise)
  const folder = await buildPromise
  const file = join(folder, "dist", basename(program).replace(/\.ts$/u, ".js"))
  return { folder, file, compileCache: join(folder, "compiled") }
}
