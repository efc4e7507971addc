import { Effect } from "effect"
import { serveJsonRpc } from "../../../adapters/test/evm/emulators/JsonRpcServer.ts"
import { waitUntil } from "../../../core/test/support/until.ts"

/** Starts a node of chain 1 without any account. The node can delay its responses about accounts. */
export const silentNode = Effect.gen(function* () {
  let isHeld = false
  const waitingCallbacks: Array<() => void> = []
  const { url } = yield* serveJsonRpc({
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => "0x1",
    eth_getCode: async () => {
      if (isHeld) await new Promise<void>((resolve) => waitingCallbacks.push(resolve))
      return "0x"
    }
  })
  return {
    url,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const resume of waitingCallbacks.splice(0)) resume()
    },
    /** Waits until this many requests are delayed. */
    isAsked: async (requestCount: number): Promise<void> => {
      await waitUntil(
        () => waitingCallbacks.length,
        (count) => count >= requestCount,
        { pollMs: 5 }
      )
    }
  }
})
