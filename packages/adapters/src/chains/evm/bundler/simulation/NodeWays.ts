import type { EvmChainId } from "@countersign/core/foundation/chains"
import { HostFailure } from "../../rpc/host/HostFailure.ts"
import { isMethodNotServed } from "../../rpc/JsonRpcError.ts"

/** How the nodes of a chain run an operation, the one that shows most first. */
export const ways = ["TRACE", "SIMULATE", "CALL"] as const
export type Way = (typeof ways)[number]

export const methodOfWay = {
  TRACE: "debug_traceCall",
  SIMULATE: "eth_simulateV1",
  CALL: "eth_call"
} as const satisfies Record<Way, string>

/** A way that was not served is tried again after so long: nodes change, and one that serves it may have been down. */
const TRY_AGAIN_MS = 300_000

/**
 * Knows by which way the nodes of each chain run operations. A way that no node of a chain serves is passed over for a time,
 * so that it costs one request and not one for each run.
 */
export class NodeWays {
  readonly #now: () => number
  readonly #notServed = new Map<string, number>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The answer of the first of these ways that a node of the chain serves. */
  async first<A>(chainId: EvmChainId, uses: Readonly<Partial<Record<Way, () => Promise<A>>>>): Promise<A> {
    for (const way of ways) {
      const use = uses[way]
      const key = `${chainId}:${way}`
      if (use === undefined || (this.#notServed.get(key) ?? 0) > this.#now()) continue
      try {
        return await use()
      } catch (thrown) {
        if (!isMethodNotServed(thrown)) throw thrown
        this.#notServed.set(key, this.#now() + TRY_AGAIN_MS)
      }
    }
    const methods = ways.filter((way) => uses[way] !== undefined).map((way) => methodOfWay[way])
    throw new HostFailure(`it serves ${methods.length > 1 ? "none of " : "no "}${methods.join(", ")}`)
  }
}
