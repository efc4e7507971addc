import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { watch } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { ArtifactPackage } from "./artifactManifest.ts"

const PACK_TIMEOUT_MS = 180_000

/**
 * Returns the command of the npm that started this process, or of npm on the PATH, because a pinned Node binary does
 * not include npm.
 */
const npmCommand = (): readonly [command: string, ...args: Array<string>] => {
  const launcher = process.env.npm_execpath
  return launcher !== undefined && basename(launcher).startsWith("npm") ? [process.execPath, launcher] : ["npm"]
}

/** Returns npm's error message without the stack trace. */
const summarizeNpmError = (errorOutput: string): string =>
  errorOutput
    .split("\n")
    .map((line) => line.replace(/^npm (?:error|ERR!)\s?/u, ""))
    .filter((line) => line.trim() !== "" && !/^\s+at |^A complete log|^[{}]/u.test(line))
    .slice(0, 4)
    .join("; ")

const npmEnvironment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env }
  // `npm run --workspace x` sets these variables, which would make `npm pack` pack that workspace.
  for (const name of ["npm_config_workspace", "npm_config_workspaces", "npm_config_json", "npm_config_dry_run"]) {
    delete env[name]
  }
  return env
}

const runNpmPack = (specifications: ReadonlyArray<string>, folder: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const [command, ...launch] = npmCommand()
    // Without a network, npm's default retries take more than a minute.
    const retryFlags = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=8000"]
    const options = [
      "pack",
      "--json",
      "--ignore-scripts",
      "--loglevel=error",
      ...retryFlags,
      "--pack-destination",
      folder
    ]
    const child = spawn(command, [...launch, ...options, ...specifications], {
      env: npmEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PACK_TIMEOUT_MS
    })
    let output = ""
    let errorOutput = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      errorOutput += chunk.toString()
    })
    child.on("error", (cause) => reject(new Error(`npm could not be started (${cause.message})`)))
    child.on("close", (code, signal) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`npm pack exited with ${code ?? signal}: ${summarizeNpmError(errorOutput)}`))
    )
  })

interface PackedFile {
  readonly name: string
  readonly version: string
  readonly filename: string
}

/**
 * Reports each tarball that appears in the folder, with the number of tarballs so far. Returns a function that stops
 * the reports.
 */
const reportTarballs = (folder: string, onTarball: (file: string, count: number) => void): (() => void) => {
  const files = new Set<string>()
  const watcher = watch(folder, (_, file) => {
    if (file === null || !file.endsWith(".tgz") || files.has(file)) return
    files.add(file)
    onTarball(file, files.size)
  })
  return () => watcher.close()
}

/** Downloads the packages' tarballs with one npm process, and compares each with its pinned sha512. */
export const packedTarballs = async (
  packages: ReadonlyArray<ArtifactPackage>,
  folder: string,
  onTarball: (file: string, count: number) => void
): Promise<ReadonlyMap<ArtifactPackage, Buffer>> => {
  const stopReporting = reportTarballs(folder, onTarball)
  const specifications = packages.map(({ name, version }) => `${name}@${version}`)
  const response: unknown = JSON.parse(await runNpmPack(specifications, folder).finally(stopReporting))
  // Returns the packed files from npm's JSON. npm returns a list up to version 11, and an object by package in later
  // versions.
  const packedFiles = (
    Array.isArray(response) ? response : Object.values(response as object)
  ) as ReadonlyArray<PackedFile>
  const tarballs = new Map<ArtifactPackage, Buffer>()
  for (const requestedPackage of packages) {
    const file = packedFiles.find(
      ({ name, version }) => name === requestedPackage.name && version === requestedPackage.version
    )
    if (file === undefined)
      throw new Error(`npm pack did not return ${requestedPackage.name}@${requestedPackage.version}`)
    const tarball = await readFile(join(folder, basename(file.filename)))
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
    if (integrity !== requestedPackage.integrity) {
      throw new Error(
        `${requestedPackage.name}@${requestedPackage.version} is not the pinned package: expected ${requestedPackage.integrity}, got ${integrity}`
      )
    }
    tarballs.set(requestedPackage, tarball)
  }
  return tarballs
}
