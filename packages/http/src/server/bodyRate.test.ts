import type { IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { arrivesByRate, type BodyRate, KEYLESS_RATE, limitBodyRate, missedRateOrNull, uploadRate } from "./bodyRate.ts"

const MIB = 1_048_576

/** Returns the seconds after which a body at `bytesPerSecond` is too slow; null if it arrives in time. */
const secondsUntilLate = (rate: BodyRate, bytesPerSecond: number, length: number): number | null => {
  const socket = { bytesRead: 500 }
  const request = { socket, complete: false }
  limitBodyRate(request as IncomingMessage, rate)
  for (let second = 1; ; second++) {
    socket.bytesRead += bytesPerSecond
    request.complete = socket.bytesRead - 500 >= length
    if (missedRateOrNull(request as IncomingMessage, 1_000) !== null) return second
    if (request.complete) return null
  }
}

describe("bodies of requests without a key", () => {
  it("may take three seconds, and one more second per 1,000 bytes", () => {
    assert.strictEqual(secondsUntilLate(KEYLESS_RATE, 0, 10_000), 4)
    assert.isNull(secondsUntilLate(KEYLESS_RATE, 1_000, 100_000))
    assert.strictEqual(secondsUntilLate(KEYLESS_RATE, 900, 100_000), 31)
  })

  it("may not take longer than other requests", () => {
    const request = { socket: { bytesRead: 0 }, complete: false } as IncomingMessage
    assert.isFalse(arrivesByRate(request))
    limitBodyRate(request, KEYLESS_RATE)
    assert.isFalse(arrivesByRate(request))
    limitBodyRate(request, uploadRate(MIB))
    assert.isTrue(arrivesByRate(request))
    request.complete = true
    assert.isFalse(arrivesByRate(request))
  })
})

describe("uploads", () => {
  const rate = uploadRate(25 * MIB)

  it("may take one second per 20,000 bytes, in addition to 20 seconds", () => {
    assert.isNull(secondsUntilLate(rate, 20_000, 25 * MIB))
    assert.isNull(secondsUntilLate(rate, 1_000, 20_000))
    assert.strictEqual(secondsUntilLate(rate, 0, 20_000), 21)
    assert.strictEqual(secondsUntilLate(rate, 10_000, 25 * MIB), 41)
  })

  it("are too slow if they do not end", () => {
    assert.strictEqual(
      secondsUntilLate(rate, 50 * MIB, Number.POSITIVE_INFINITY),
      20 + Math.ceil((25 * MIB + 1) / 20_000)
    )
  })
})
