interface FeeHistory {
  readonly oldestBlock?: unknown
  readonly gasUsedRatio?: unknown
}

/** The number of the latest block, where the result of a request tells it; null where it does not. */
export const headIn = (method: string, result: unknown): number | null => {
  if (method === "eth_blockNumber") return Number(result)
  if (method !== "eth_feeHistory") return null
  // Of the service's own requests only: they ask for the history up to the latest block.
  const { gasUsedRatio, oldestBlock } = result as FeeHistory
  const head = Array.isArray(gasUsedRatio) ? Number(oldestBlock) + gasUsedRatio.length - 1 : Number.NaN
  return Number.isSafeInteger(head) ? head : null
}

/** How far a chain is, as its hosts tell, and which of them are behind the others. */
export class ChainHead {
  readonly #maxLagBlocks: number
  #highest = 0
  readonly #heads = new Map<object, number>()
  readonly #lagging = new Set<object>()

  constructor(maxLagBlocks: number) {
    this.#maxLagBlocks = maxLagBlocks
  }

  /** A host's head of this moment. Judged at once, because later the others will have gone on. */
  seen(host: object, head: number): void {
    this.#heads.set(host, head)
    this.#highest = Math.max(this.#highest, head)
    this.#judge(host, head)
  }

  /** Heads of all that answered, of one moment: a host that told of a block that is not there is forgotten by this. */
  surveyed(hosts: ReadonlyArray<object>): void {
    const heads = hosts.flatMap((host) => this.#heads.get(host) ?? [])
    this.#highest = Math.max(0, ...heads)
    for (const host of hosts) {
      const head = this.#heads.get(host)
      if (head !== undefined) this.#judge(host, head)
    }
  }

  headOf(host: object): number | null {
    return this.#heads.get(host) ?? null
  }

  isLagging(host: object): boolean {
    return this.#lagging.has(host)
  }

  #judge(host: object, head: number): void {
    if (head + this.#maxLagBlocks < this.#highest) this.#lagging.add(host)
    else this.#lagging.delete(host)
  }
}
