import { BoundedMap } from "@countersign/core/foundation/primitives"
import { PNG } from "pngjs"
import { encode } from "uqr"

const PIXELS_PER_MODULE = 6
const BLACK = Buffer.alloc(PIXELS_PER_MODULE, 0)
const WHITE = Buffer.alloc(PIXELS_PER_MODULE, 255)

/** One grey byte per pixel. Filter 2 stores the difference from the row above, which is zero within a module. */
const GREY_PNG_OPTIONS = { colorType: 0, inputColorType: 0, inputHasAlpha: false, filterType: 2 } as const

/**
 * Recently encoded codes. A response can list a hundred deposits with one code each. Encoding a code takes milliseconds
 * in which the process handles no other request.
 */
const recentCodes = new BoundedMap<string, string>(1_000)

const encodePng = (text: string): string => {
  const { data: modules, size } = encode(text, { ecc: "M", border: 4 })
  const sidePixels = size * PIXELS_PER_MODULE
  const image = new PNG({ width: sidePixels, height: sidePixels })
  image.data = Buffer.concat(
    modules.flatMap((row) => {
      const pixels = Buffer.concat(row.map((isBlack) => (isBlack ? BLACK : WHITE)))
      return Array.from({ length: PIXELS_PER_MODULE }, () => pixels)
    })
  )
  return PNG.sync.write(image, GREY_PNG_OPTIONS).toString("base64")
}

/** Encodes a QR code (ISO/IEC 18004) with its quiet zone of four modules, as a PNG in base 64. */
export const qrCodePng = (text: string): string => {
  const png = recentCodes.get(text) ?? encodePng(text)
  recentCodes.set(text, png)
  return png
}
