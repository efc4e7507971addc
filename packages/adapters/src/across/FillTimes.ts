import type { EvmChainId } from "@countersign/core/chains"
import { BoundedMap } from "@countersign/core/primitives"

/** Fills that are remembered of each pair of chains. */
const REMEMBERED = 50
/** With fewer of them the provider's word counts. */
const ENOUGH = 3
const PAIRS_MOST = 200

/** How long fills took that this process has seen, from the block of the deposit to that of the fill. */
export class FillTimes {
  readonly #seconds = new BoundedMap<string, ReadonlyArray<number>>(PAIRS_MOST)

  record(from: EvmChainId, to: EvmChainId, seconds: number): void {
    const key = `${from}:${to}`
    this.#seconds.set(key, [...(this.#seconds.get(key) ?? []), Math.max(0, seconds)].slice(-REMEMBERED))
  }

  /** The median; null where there are too few. */
  medianSeconds(from: EvmChainId, to: EvmChainId): number | null {
    const seconds = (this.#seconds.get(`${from}:${to}`) ?? []).toSorted((a, b) => a - b)
    return seconds.length < ENOUGH ? null : seconds[Math.floor(seconds.length / 2)]!
  }
}
