import { isCnpj, isCpf } from "../../foundation/primitives/index.ts"

export type PixKeyKind = "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP"

/** Only ASCII, because the PIX directory (DICT) accepts nothing else. */
const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u
const MAX_EMAIL_LENGTH = 77
const PHONE = /^\+55[1-9]\d(?:9\d{8}|[2-5]\d{7})$/u
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u

/** Returns the type of a PIX key in the directory's (DICT) format. Null if it is not a valid key. */
export const pixKeyKindOrNull = (key: string): PixKeyKind | null => {
  if (isCpf(key)) return "CPF"
  if (isCnpj(key)) return "CNPJ"
  if (PHONE.test(key)) return "PHONE"
  if (EVP.test(key)) return "EVP"
  return EMAIL.test(key) && key.length <= MAX_EMAIL_LENGTH && key === key.toLowerCase() ? "EMAIL" : null
}

/** Converts a key from the display format to the directory's format. */
export const pixKeyOf = (text: string): string => {
  const trimmedKey = text.trim()
  if (trimmedKey.includes("@")) return trimmedKey.toLowerCase()
  if (trimmedKey.startsWith("+")) return trimmedKey.replaceAll(/[\s().-]/gu, "")
  const keyDigits = trimmedKey.replaceAll(/[./-]/gu, "").toUpperCase()
  return keyDigits.length === 32 ? trimmedKey.toLowerCase() : keyDigits
}
