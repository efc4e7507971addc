import type { EvmChainId } from "@countersign/core/foundation/chains"
import { HostFailure } from "../../../../outbound/json-api/index.ts"
import { isMethodNotServed } from "../../rpc/JsonRpcError.ts"

/** The methods with which nodes can simulate an operation, the most detailed first. */
export const simulationMethods = ["TRACE", "SIMULATE", "CALL"] as const
export type SimulationMethod = (typeof simulationMethods)[number]

export const rpcMethodOf = {
  TRACE: "debug_traceCall",
  SIMULATE: "eth_simulateV1",
  CALL: "eth_call"
} as const satisfies Record<SimulationMethod, string>

/**
 * Time after which an unsupported method is tried again, in milliseconds: the nodes may have changed, or a node that
 * supports it may have been down.
 */
const RETRY_AFTER_MS = 300_000

/**
 * Remembers the methods with which each chain's nodes simulate operations. Skips an unsupported method for a while, so
 * that it does not cost one request per simulation.
 */
export class SupportedMethods {
  readonly #now: () => number
  readonly #notServed = new Map<string, number>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the result of the first method that a node of the chain supports. */
  async callFirstSupported<A>(
    chainId: EvmChainId,
    uses: Readonly<Partial<Record<SimulationMethod, () => Promise<A>>>>
  ): Promise<A> {
    for (const method of simulationMethods) {
      const use = uses[method]
      const key = `${chainId}:${method}`
      if (use === undefined || (this.#notServed.get(key) ?? 0) > this.#now()) continue
      try {
        return await use()
      } catch (thrown) {
        if (!isMethodNotServed(thrown)) throw thrown
        this.#notServed.set(key, this.#now() + RETRY_AFTER_MS)
      }
    }
    const methods = simulationMethods
      .filter((method) => uses[method] !== undefined)
      .map((method) => rpcMethodOf[method])
    throw new HostFailure(`it does not support ${methods.length > 1 ? "any of " : ""}${methods.join(", ")}`)
  }
}
