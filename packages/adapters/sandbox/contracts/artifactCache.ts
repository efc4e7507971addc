import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Artifact, artifactFromFile } from "./Artifact.ts"
import { type ArtifactName, type ArtifactSource, artifactManifest } from "./artifactManifest.ts"
import { type CompiledName, compilation, compiledArtifacts } from "./compiledContracts.ts"
import { packedTarballs } from "./npmPack.ts"

const BLOCK_BYTES = 512

const textOf = (block: Buffer, start: number, end: number): string => {
  const field = block.subarray(start, end)
  const terminator = field.indexOf(0)
  return field.toString("utf8", 0, terminator === -1 ? field.length : terminator)
}

/** Returns `path` of a pax extended header, whose records are `<length> <key>=<value>\n`. */
const paxPath = (records: string): string | undefined => /^\d+ path=(.*)$/mu.exec(records)?.[1]

/**
 * Extracts the files at these paths from an npm tarball. The paths omit the tarball's top folder. `tar` is not used,
 * because slim container images lack it. npm writes only plain ustar entries with pax paths.
 */
export const filesInTarball = (tarball: Buffer, paths: ReadonlySet<string>): ReadonlyMap<string, Buffer> => {
  const archive = gunzipSync(tarball)
  const files = new Map<string, Buffer>()
  let longPath: string | undefined
  let offset = 0
  while (offset + BLOCK_BYTES <= archive.length && archive[offset] !== 0) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES)
    const size = Number.parseInt(textOf(header, 124, 136).trim() || "0", 8)
    const start = offset + BLOCK_BYTES
    const content = archive.subarray(start, start + size)
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES

    const kind = String.fromCharCode(header[156] ?? 0)
    if (kind === "x") {
      longPath = paxPath(content.toString("utf8"))
      continue
    }
    const prefix = textOf(header, 345, 500)
    const path = longPath ?? (prefix === "" ? textOf(header, 0, 100) : `${prefix}/${textOf(header, 0, 100)}`)
    longPath = undefined
    const innerPath = path.slice(path.indexOf("/") + 1)
    if (paths.has(innerPath)) files.set(innerPath, content)
  }
  return files
}

export type Artifacts = Readonly<Record<ArtifactName | CompiledName, Artifact>>

const sources: ReadonlyArray<readonly [string, ArtifactSource]> = Object.entries(artifactManifest)

const nearestNodeModules = (folder: string): string => {
  const candidate = join(folder, "node_modules")
  return existsSync(candidate) || dirname(folder) === folder ? candidate : nearestNodeModules(dirname(folder))
}

/** Returns `COUNTERSIGN_CACHE`, or a folder that `npm ci` clears together with the installed packages. */
const cacheFolder = (): string =>
  process.env.COUNTERSIGN_CACHE ?? join(nearestNodeModules(import.meta.dirname), ".cache", "countersign")

const manifestHash = createHash("sha256")
  .update(JSON.stringify([artifactManifest, compilation.inputs]))
  .digest("hex")
  .slice(0, 16)

const fetchArtifacts = async (folder: string): Promise<Artifacts> => {
  const packages = [
    ...new Set([
      ...sources.map(([, source]) => source.package),
      ...compilation.packages.map((source) => source.package)
    ])
  ]
  const report = (line: string) => process.stderr.write(`${line}\n`)
  report(
    `Downloading ${packages.length} packages with contracts from the npm registry, about 125 MB. Later starts use the cache.`
  )
  const tarballs = await packedTarballs(packages, folder, (file, count) =>
    report(`  ${count} of ${packages.length}: ${file}`)
  )
  const artifacts: Record<string, Artifact> = {}
  for (const [pinnedPackage, tarball] of tarballs) {
    const packageSources = sources.filter(([, source]) => source.package === pinnedPackage)
    const files = filesInTarball(tarball, new Set(packageSources.map(([, source]) => source.path)))
    for (const [name, source] of packageSources) {
      const content = files.get(source.path)
      if (content === undefined)
        throw new Error(`${pinnedPackage.name}@${pinnedPackage.version} does not contain ${source.path}`)
      artifacts[name] = artifactFromFile(source, content.toString("utf8"))
    }
  }
  const sourceFiles = new Map(
    compilation.packages.map((source) => [
      source.package,
      filesInTarball(tarballs.get(source.package)!, new Set<string>(source.paths))
    ])
  )
  report("Compiling Morpho Blue, which is published only as source code. This takes about ten seconds.")
  return { ...artifacts, ...(await compiledArtifacts(sourceFiles, folder)) } as Artifacts
}

/**
 * Reads the artifacts from the cache, or downloads them. Concurrent processes are safe, because each writes a complete
 * file and renames it to the final path.
 */
export const cachedArtifacts = async (): Promise<Artifacts> => {
  const folder = join(cacheFolder(), `contracts-${manifestHash}`)
  const file = join(folder, "artifacts.json")
  const cachedText = await readFile(file, "utf8").catch(() => undefined)
  if (cachedText !== undefined) return JSON.parse(cachedText) as Artifacts
  await mkdir(folder, { recursive: true })
  const temporaryFolder = await mkdtemp(join(folder, "fetch-"))
  try {
    const artifacts = await fetchArtifacts(temporaryFolder)
    const draft = join(temporaryFolder, "artifacts.json")
    await writeFile(draft, JSON.stringify(artifacts))
    await rename(draft, file)
    return artifacts
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true })
  }
}
