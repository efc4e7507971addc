import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { type FileHandle, readFile } from "node:fs/promises"

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Writes a nonce, the sealed bytes and their tag, piece by piece. */
export const sealInto = async (file: FileHandle, key: Uint8Array, place: string) => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place))
  await file.writeFile(nonce)
  return {
    write: (piece: Uint8Array) => file.writeFile(cipher.update(piece)),
    end: async () => {
      await file.writeFile(Buffer.concat([cipher.final(), cipher.getAuthTag()]))
      await file.sync()
    }
  }
}

/** Throws where the key or the place is another one, or a byte was changed. */
export const openFile = async (path: string, key: Uint8Array, place: string): Promise<Uint8Array> => {
  const bytes = await readFile(path)
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()])
}
