import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../../src/storage/files/index.ts"

const LENGTH_BYTES = 4

/** Stores all blocks in a file, in the order in which they were connected. Each block is preceded by its length. */
export const blockFile = (folder: string) => {
  const file = join(folder, "blocks.dat")
  return {
    append: (block: Buffer): void => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32BE(block.length)
      appendFileSync(file, Buffer.concat([length, block]), { mode: PRIVATE_FILE_MODE })
    },
    /** Returns the blocks. Removes the last one from the file if a killed process wrote only a part of it. */
    read: (): ReadonlyArray<Buffer> => {
      if (!existsSync(file)) return []
      const fileBytes = readFileSync(file)
      const blocks: Array<Buffer> = []
      let end = 0
      while (end + LENGTH_BYTES <= fileBytes.length) {
        const nextStart = end + LENGTH_BYTES + fileBytes.readUInt32BE(end)
        if (nextStart > fileBytes.length) break
        blocks.push(fileBytes.subarray(end + LENGTH_BYTES, nextStart))
        end = nextStart
      }
      if (end < fileBytes.length) truncateSync(file, end)
      return blocks
    }
  }
}
