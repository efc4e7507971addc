interface FeeHistory {
  readonly oldestBlock?: unknown
  readonly gasUsedRatio?: unknown
}

/** Returns the latest block number that the result of a request contains; null if it contains none. */
export const headIn = (method: string, result: unknown): number | null => {
  if (method === "eth_blockNumber") return Number(result)
  if (method !== "eth_feeHistory") return null
  // The service requests the fee history only up to the latest block.
  const { gasUsedRatio, oldestBlock } = result as FeeHistory
  const head = Array.isArray(gasUsedRatio) ? Number(oldestBlock) + gasUsedRatio.length - 1 : Number.NaN
  return Number.isSafeInteger(head) ? head : null
}

/** The latest block of a chain as its hosts report it, and which hosts lag behind. */
export class ChainHead {
  readonly #maxLagBlocks: number
  #highest = 0
  readonly #heads = new Map<object, number>()
  readonly #lagging = new Set<object>()

  constructor(maxLagBlocks: number) {
    this.#maxLagBlocks = maxLagBlocks
  }

  /** Records a host's latest block. Compares it immediately, before other hosts have newer blocks. */
  reportHead(host: object, head: number): void {
    this.#heads.set(host, head)
    this.#highest = Math.max(this.#highest, head)
    this.#compare(host, head)
  }

  /** Compares simultaneous reports of these hosts. Discards the highest head if none of them has that block. */
  finishSurvey(hosts: ReadonlyArray<object>): void {
    const heads = hosts.flatMap((host) => this.#heads.get(host) ?? [])
    this.#highest = Math.max(0, ...heads)
    for (const host of hosts) {
      const head = this.#heads.get(host)
      if (head !== undefined) this.#compare(host, head)
    }
  }

  headOf(host: object): number | null {
    return this.#heads.get(host) ?? null
  }

  isLagging(host: object): boolean {
    return this.#lagging.has(host)
  }

  #compare(host: object, head: number): void {
    if (head + this.#maxLagBlocks < this.#highest) this.#lagging.add(host)
    else this.#lagging.delete(host)
  }
}
