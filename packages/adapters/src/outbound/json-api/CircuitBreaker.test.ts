import { assert, describe, it } from "@effect/vitest"
import { ManualTime } from "../../../test/evm/ManualTime.ts"
import { CircuitBreaker } from "./CircuitBreaker.ts"

const options = { failuresToOpen: 3, cooldownMs: 1_000, longestCooldownMs: 30_000 }

const breaker = () => {
  const time = new ManualTime()
  return { time, circuit: new CircuitBreaker(options, time) }
}

const failTimes = (circuit: CircuitBreaker, times: number) => {
  for (let i = 0; i < times; i++) circuit.recordFailure()
}

describe("CircuitBreaker", () => {
  it("opens after the configured number of failures in a row; a success between them restarts the count", () => {
    const { circuit } = breaker()
    failTimes(circuit, 2)
    circuit.recordSuccess()
    failTimes(circuit, 2)
    assert.strictEqual(circuit.state, "CLOSED")
    circuit.recordFailure()
    assert.strictEqual(circuit.state, "OPEN")
    assert.strictEqual(circuit.waitMs, 1_000)
  })

  it("is half open after the cooldown, and closes after a success", () => {
    const { circuit, time } = breaker()
    failTimes(circuit, 3)
    time.advance(999)
    assert.strictEqual(circuit.state, "OPEN")
    time.advance(1)
    assert.strictEqual(circuit.state, "HALF_OPEN")
    circuit.recordSuccess()
    assert.strictEqual(circuit.state, "CLOSED")
  })

  it("opens for twice as long each time, up to the longest cooldown", () => {
    const { circuit, time } = breaker()
    failTimes(circuit, 3)
    const waits = Array.from({ length: 7 }, () => {
      const { waitMs } = circuit
      time.advance(waitMs)
      circuit.recordFailure()
      return waitMs
    })
    assert.deepStrictEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  it("does not close after a late response to a request from before it opened", () => {
    const { circuit } = breaker()
    failTimes(circuit, 3)
    circuit.recordSuccess()
    assert.strictEqual(circuit.state, "OPEN")
  })

  it("starts again with the short cooldown after a minute without a failure", () => {
    const { circuit, time } = breaker()
    for (const failureFreeMs of [10_000, 60_000, 0]) {
      failTimes(circuit, 3)
      time.advance(circuit.waitMs)
      circuit.recordSuccess()
      time.advance(failureFreeMs)
      circuit.recordSuccess()
    }
    failTimes(circuit, 3)
    assert.strictEqual(circuit.waitMs, 2_000)
  })

  it("stays open for the time that the host asks for, up to the longest cooldown", () => {
    const { circuit, time } = breaker()
    circuit.openFor(7_000)
    circuit.openFor(5_000)
    assert.strictEqual(circuit.waitMs, 7_000)
    circuit.openFor(86_400_000)
    assert.strictEqual(circuit.waitMs, 30_000)
    time.advance(30_000)
    assert.strictEqual(circuit.state, "HALF_OPEN")
  })
})
