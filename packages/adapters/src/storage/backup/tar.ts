/** A complete file of an archive. Longer content is split into several files. */
export interface ArchiveFile {
  readonly name: string
  readonly content: Uint8Array
}

const BLOCK = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** Larger than any file in a backup. A file above this size is not read into memory. */
const MAX_BYTES = 64 * 1_048_576

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`

/** Splits a long name at a slash (POSIX.1-2017, pax, "ustar Interchange Format"). */
const splitName = (name: string): readonly [name: string, prefix: string] => {
  if (name.length <= NAME_BYTES) return [name, ""]
  const slash = name.lastIndexOf("/", PREFIX_BYTES)
  return [name.slice(slash + 1), name.slice(0, slash)]
}

const headerOf = ({ content, name: path }: ArchiveFile, seconds: number): Buffer => {
  const [name, prefix] = splitName(path)
  const header = Buffer.alloc(BLOCK)
  const fields = [
    [0, name],
    [100, octal(0o600, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(content.length, 12)],
    [136, octal(seconds, 12)],
    [148, " ".repeat(8)],
    [156, "0"],
    [257, "ustar\0" + "00"],
    [345, prefix]
  ] as const
  for (const [offset, value] of fields) header.write(value, offset, "latin1")
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)} `, 148, "latin1")
  return header
}

const padding = (length: number): Buffer => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)

/** Encodes a file of an archive. Its name must be ASCII. */
export const encodeTarEntry = (file: ArchiveFile, seconds: number): ReadonlyArray<Uint8Array> => [
  headerOf(file, seconds),
  file.content,
  padding(file.content.length)
]

/** The end of an archive. */
export const tarEnd: Uint8Array = Buffer.alloc(2 * BLOCK)

const textAt = (header: Buffer, offset: number, width: number): string =>
  header.toString("latin1", offset, offset + width).replace(/\0.*$/su, "")

/** Reads the files of an archive, one after the other. Throws if the input is not a tar archive or is truncated. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveFile> {
  const source = bytes[Symbol.asyncIterator]()
  let unreadBytes: Buffer = Buffer.alloc(0)
  const takeBytes = async (count: number): Promise<Buffer> => {
    const pieces = [unreadBytes]
    let length = unreadBytes.length
    while (length < count) {
      const { done, value } = await source.next()
      if (done === true) throw new Error("the archive is truncated")
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.length))
      length += value.length
    }
    const all = pieces.length === 1 ? unreadBytes : Buffer.concat(pieces, length)
    unreadBytes = all.subarray(count)
    return all.subarray(0, count)
  }
  for (;;) {
    const header = await takeBytes(BLOCK)
    if (header.every((byte) => byte === 0)) break
    if (textAt(header, 257, 5) !== "ustar") throw new Error("it is not a tar archive")
    const size = Number.parseInt(textAt(header, 124, 12), 8)
    if (!(size <= MAX_BYTES)) throw new Error("it contains a file that is larger than any file in a backup")
    const prefix = textAt(header, 345, PREFIX_BYTES)
    const content = await takeBytes(size)
    await takeBytes(padding(size).length)
    yield { name: `${prefix === "" ? "" : `${prefix}/`}${textAt(header, 0, NAME_BYTES)}`, content }
  }
  // Reads the rest, because the end of the encrypted file is authenticated only when it is read.
  while ((await source.next()).done !== true);
}
