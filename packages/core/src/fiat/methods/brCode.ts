/**
 * The content of a PIX QR code. It is a BR Code (Banco Central do Brasil), which follows EMV QRCPS merchant-presented
 * mode.
 */
export interface BrCode {
  readonly pixKey: string
  readonly merchantName: string
  readonly merchantCity: string
  /** BRL cents. Null if the payer chooses the amount. */
  readonly amount: bigint | null
  /**
   * Up to 25 letters and digits by which the receiver identifies the payment. Null if the code contains no identifier.
   */
  readonly txid: string | null
}

const GUI = "br.gov.bcb.pix"
const CRC_FIELD = "6304"
/** Maximum number of characters of a BR Code (EMV QRCPS). A longer text may not fit into a QR code. */
const MAX_LENGTH = 512

const encodeField = (id: string, value: string): string => {
  // Lengths are in bytes. All text is ASCII, so the number of characters is the same.
  return `${id}${String(value.length).padStart(2, "0")}${value}`
}

const toAscii = (text: string, longest: number): string =>
  text
    .normalize("NFD")
    .replaceAll(/[^\x20-\x7e]/gu, "")
    .slice(0, longest)

/** Computes CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xFFFF), as EMV requires. */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

const reaisText = (cents: bigint): string => {
  const digits = cents.toString().padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const brCodeText = ({ amount, merchantCity, merchantName, pixKey, txid }: BrCode): string => {
  const fieldsWithoutCrc = [
    encodeField("00", "01"),
    encodeField("26", encodeField("00", GUI) + encodeField("01", pixKey)),
    encodeField("52", "0000"),
    encodeField("53", "986"),
    amount === null ? "" : encodeField("54", reaisText(amount)),
    encodeField("58", "BR"),
    encodeField("59", toAscii(merchantName, 25)),
    encodeField("60", toAscii(merchantCity, 15)),
    encodeField("62", encodeField("05", txid ?? "***")),
    CRC_FIELD
  ].join("")
  return `${fieldsWithoutCrc}${crc16(fieldsWithoutCrc)}`
}

/** Parses the fields of a code, by id. Null if it is truncated or contains invalid lengths. */
const parseFieldsOrNull = (text: string): ReadonlyMap<string, string> | null => {
  const fields = new Map<string, string>()
  for (let offset = 0; offset < text.length; ) {
    const header = /^(\d{2})(\d{2})/u.exec(text.slice(offset, offset + 4))
    if (header === null) return null
    const end = offset + 4 + Number(header[2])
    if (end > text.length) return null
    fields.set(header[1]!, text.slice(offset + 4, end))
    offset = end
  }
  return fields
}

/**
 * Returns the PIX key of a BR Code. Null if it has none: a dynamic code has a URL instead. Undefined if the code is
 * invalid.
 */
export const pixKeyOfBrCode = (text: string): string | null | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const fields = parseFieldsOrNull(text)
  if (fields === null || fields.get("63") !== crc16(text.slice(0, -4))) return undefined
  const account = parseFieldsOrNull(fields.get("26") ?? "")
  if (account?.get("00")?.toLowerCase() !== GUI) return undefined
  return account.get("01") ?? null
}
