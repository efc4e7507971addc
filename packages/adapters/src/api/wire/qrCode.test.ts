import { assert, describe, it } from "@effect/vitest"
import jsQr from "jsqr"
import { PNG } from "pngjs"
import { qrCodePng } from "./qrCode.ts"

describe("qrCodePng", () => {
  it.each([
    "A",
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
    "ç".repeat(200),
    // The maximum length of a BR Code.
    "0".repeat(512)
  ])("encodes a text that a reader decodes: %s", (text) => {
    const { data, height, width } = PNG.sync.read(Buffer.from(qrCodePng(text), "base64"))
    const decodedCode = (jsQr as unknown as typeof jsQr.default)(new Uint8ClampedArray(data), width, height)
    assert.strictEqual(decodedCode?.data, text)
  })
})
