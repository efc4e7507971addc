import type { EvmChainId } from "@countersign/core/chains"
import { BoundedMap } from "@countersign/core/primitives"

/** Fills that are remembered of each pair of chains. */
const REMEMBERED = 20
/** Of fewer of them nothing is concluded. */
const ENOUGH = 3
const PAIRS_MOST = 200
const SHORTEST_SECONDS = 1

/** A fill that this process has seen. */
export interface SeenFill {
  readonly from: EvmChainId
  readonly to: EvmChainId
  /** From the block of the deposit to that of the fill. */
  readonly seconds: number
  /** What the provider had said. */
  readonly saidSeconds: number
}

/**
 * How long fills take: the provider's word, which knows of the amount and of this hour, corrected by how much later than said
 * most of the latest fills were.
 */
export class FillTimes {
  readonly #lateness = new BoundedMap<string, ReadonlyArray<number>>(PAIRS_MOST)

  record({ from, saidSeconds, seconds, to }: SeenFill): void {
    const key = `${from}:${to}`
    this.#lateness.set(key, [...(this.#lateness.get(key) ?? []), seconds - saidSeconds].slice(-REMEMBERED))
  }

  expectedSeconds(from: EvmChainId, to: EvmChainId, saidSeconds: number): number {
    const lateness = (this.#lateness.get(`${from}:${to}`) ?? []).toSorted((a, b) => a - b)
    const median = lateness.length < ENOUGH ? 0 : lateness[Math.floor(lateness.length / 2)]!
    return Math.max(SHORTEST_SECONDS, saidSeconds + median)
  }
}
