import { gunzipSync } from "node:zlib"

const BLOCK_BYTES = 512

const textOf = (block: Buffer, start: number, end: number): string => {
  const field = block.subarray(start, end)
  const terminator = field.indexOf(0)
  return field.toString("utf8", 0, terminator === -1 ? field.length : terminator)
}

/** `path` of a pax extended header, whose records read `<length> <key>=<value>\n`. */
const paxPath = (records: string): string | undefined => /^\d+ path=(.*)$/mu.exec(records)?.[1]

/**
 * The files of an npm tarball whose path, without its first folder, is asked for.
 *
 * A reader of our own: npm writes nothing but plain ustar entries with pax paths, and slim container images have no `tar`.
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
    const inner = path.slice(path.indexOf("/") + 1)
    if (paths.has(inner)) files.set(inner, content)
  }
  return files
}
