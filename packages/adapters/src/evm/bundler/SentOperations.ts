import type { EvmChainId } from "@countersign/core/chains"
import type { Hash32 } from "@countersign/core/primitives"
import type { Hex } from "viem"

/** Operations remembered; older ones are in a block or forgotten by the pool. */
const CAPACITY = 10_000

/**
 * What this process has sent. Keeps an operation from being sent twice while it is pending, also on nodes that run calls
 * on the latest block when asked for the pending one.
 */
export class SentOperations {
  readonly #sent = new Map<string, Promise<Hex | null>>()

  /** Runs `send` unless the operation is being sent or its transaction still exists. */
  async once(
    chainId: EvmChainId,
    hash: Hash32,
    exists: (transaction: Hex) => Promise<boolean>,
    send: () => Promise<Hex | null>
  ): Promise<void> {
    const key = `${chainId}:${hash}`
    const earlier = this.#sent.get(key)
    if (earlier !== undefined) {
      const transaction = await earlier
      if (transaction !== null && (await exists(transaction))) return
      if (this.#sent.get(key) === earlier) this.#sent.delete(key)
      return this.once(chainId, hash, exists, send)
    }
    const transactionHash = send()
    this.#remember(key, transactionHash)
    try {
      await transactionHash
    } catch (thrown) {
      this.#sent.delete(key)
      throw thrown
    }
  }

  #remember(key: string, transactionHash: Promise<Hex | null>): void {
    const [oldest] = this.#sent.keys()
    if (this.#sent.size >= CAPACITY && oldest !== undefined) this.#sent.delete(oldest)
    this.#sent.set(key, transactionHash)
  }
}
