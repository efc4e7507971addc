import { RateLimitStore } from "@countersign/core/metering"
import { Effect, Layer } from "effect"
import { RpcClients } from "../../src/evm/index.ts"

/** Counts of requests that end with the test. */
export const countedInMemory = Layer.sync(RateLimitStore, () => {
  const counts = new Map<string, number>()
  return {
    count: (keyId, windowStart) =>
      Effect.sync(() => {
        const key = `${keyId} ${windowStart}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        return counts.get(key)!
      })
  }
})

/** For providers of which no node is asked. */
export const noNodes = Layer.succeed(RpcClients, {} as RpcClients["Service"])
