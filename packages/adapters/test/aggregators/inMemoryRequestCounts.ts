import { BitcoinChain } from "@countersign/core/bitcoin/chain"
import { RateLimitStore } from "@countersign/core/tenancy/metering"
import { Effect, Layer } from "effect"
import { BitcoinjsTransactions } from "../../src/chains/bitcoin/index.ts"
import { RpcClients } from "../../src/chains/evm/index.ts"

/** Stores request counts in memory, for one test. */
export const inMemoryRequestCounts = Layer.sync(RateLimitStore, () => {
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

/** For providers that make no RPC requests, except for the latest block of another chain. */
export const noNodes = Layer.mergeAll(
  Layer.succeed(RpcClients, {
    call: (_chainId: unknown, callNode: () => Promise<unknown>) => Effect.promise(callNode),
    latestBlock: () => Promise.resolve({ number: 7n })
  } as unknown as RpcClients["Service"]),
  Layer.mock(BitcoinChain, {}),
  BitcoinjsTransactions.layer
)
