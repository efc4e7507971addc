import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../../src/storage/files/index.ts"

const LENGTH_BYTES = 4

/** Every block in the order in which it became part of the chain, each behind its length. */
export const blockFile = (folder: string) => {
  const file = join(folder, "blocks.dat")
  return {
    append: (block: Buffer): void => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32BE(block.length)
      appendFileSync(file, Buffer.concat([length, block]), { mode: PRIVATE_FILE_MODE })
    },
    /** A block that a killed process wrote in part is cut off. */
    read: (): ReadonlyArray<Buffer> => {
      if (!existsSync(file)) return []
      const all = readFileSync(file)
      const blocks: Array<Buffer> = []
      let end = 0
      while (end + LENGTH_BYTES <= all.length) {
        const next = end + LENGTH_BYTES + all.readUInt32BE(end)
        if (next > all.length) break
        blocks.push(all.subarray(end + LENGTH_BYTES, next))
        end = next
      }
      if (end < all.length) truncateSync(file, end)
      return blocks
    }
  }
}
