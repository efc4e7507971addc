import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import type { FileHandle } from "node:fs/promises"

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts bytes to a file, chunk by chunk: a nonce, the encrypted bytes and their tag. */
export const encryptInto = async (file: FileHandle, key: Uint8Array, context: string) => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context))
  const hash = createHash("sha256")
  let bytes = 0
  const append = async (piece: Uint8Array) => {
    hash.update(piece)
    bytes += piece.length
    await file.writeFile(piece)
  }
  await append(nonce)
  return {
    write: (piece: Uint8Array) => append(cipher.update(piece)),
    /** Completes the file. Returns the total number of written bytes. */
    end: async () => {
      await append(Buffer.concat([cipher.final(), cipher.getAuthTag()]))
      await file.sync()
      return { bytes, sha256: hash.digest("hex") }
    }
  }
}

/** Decrypts a file. Throws if the key or the path differs, or if a byte was changed. */
export const openSealed = (sealedBytes: Uint8Array, key: Uint8Array, context: string): Uint8Array => {
  const decipher = createDecipheriv("aes-256-gcm", key, sealedBytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealedBytes.subarray(sealedBytes.length - TAG_BYTES))
  return Buffer.concat([
    decipher.update(sealedBytes.subarray(NONCE_BYTES, sealedBytes.length - TAG_BYTES)),
    decipher.final()
  ])
}
