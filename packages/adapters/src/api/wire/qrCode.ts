import { PNG } from "pngjs"
import { encode } from "uqr"

const PIXELS_OF_MODULE = 6
const BLACK = [0, 0, 0, 255]
const WHITE = [255, 255, 255, 255]

/** Encodes text as a QR code (ISO/IEC 18004) with its quiet zone of four modules. Returns a PNG in base64. */
export const qrCodePng = (text: string): string => {
  const { data: modules, size } = encode(text, { ecc: "M", border: 4 })
  const side = size * PIXELS_OF_MODULE
  const image = new PNG({ width: side, height: side, colorType: 0 })
  for (let y = 0; y < side; y++) {
    const row = modules[Math.floor(y / PIXELS_OF_MODULE)]!
    for (let x = 0; x < side; x++) {
      image.data.set(row[Math.floor(x / PIXELS_OF_MODULE)] === true ? BLACK : WHITE, (y * side + x) * 4)
    }
  }
  return PNG.sync.write(image, { colorType: 0 }).toString("base64")
}
