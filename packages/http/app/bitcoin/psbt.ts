const PSBT_MAGIC = "70736274ff"

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

const bytesFromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Converts a signed PSBT or transaction from base64 or hexadecimal text to hexadecimal. */
export const signedHex = (text: string): string => {
  const compact = text.replaceAll(/\s/gu, "")
  if (/^(?:0x)?(?:[\da-f]{2})+$/iu.test(compact)) return compact.replace(/^0x/iu, "").toLowerCase()
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(compact))
    throw new TypeError(
      "The text is neither a PSBT nor a transaction. Paste the signed PSBT in base64 or hexadecimal, or choose its file."
    )
  return hexOf(bytesFromBase64(compact))
}

/** Converts a file like `signedHex`. The file contains the bytes of a PSBT, or text. */
export const signedHexOfFile = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const hex = hexOf(bytes)
  return hex.startsWith(PSBT_MAGIC) ? hex : signedHex(new TextDecoder().decode(bytes))
}

/** Creates a PSBT file (BIP-174). */
export const psbtFile = (psbtBase64: string): Blob =>
  new Blob([bytesFromBase64(psbtBase64)], { type: "application/octet-stream" })
