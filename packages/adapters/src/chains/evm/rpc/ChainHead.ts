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

/**
 * How many of a chain's hosts are far ahead of a host. MOST: more than half of all hosts, including the host itself.
 * HALF: exactly half. FEW: less than half. So one of three hosts can't make the two others appear to lag.
 */
type HostsAhead = "FEW" | "HALF" | "MOST"

/** The latest block of a chain as its hosts report it, and which hosts lag behind. */
export class ChainHead {
  readonly #maxLagBlocks: number
  readonly #heads = new Map<object, number>()
  /** The heads with which a host is compared. */
  readonly #comparedHeads = new Map<object, number>()
  readonly #hostsAhead = new Map<object, HostsAhead>()

  constructor(maxLagBlocks: number) {
    this.#maxLagBlocks = maxLagBlocks
  }

  /** Records a host's latest block. Compares it immediately, before other hosts have newer blocks. */
  reportHead(host: object, head: number): void {
    this.#heads.set(host, head)
    this.#comparedHeads.set(host, head)
    this.#compare(host, head)
  }

  /** Compares simultaneous reports of these hosts. Discards the reports of other hosts. */
  finishSurvey(hosts: ReadonlyArray<object>): void {
    for (const host of this.#comparedHeads.keys()) if (!hosts.includes(host)) this.#comparedHeads.delete(host)
    for (const [host, head] of this.#comparedHeads) this.#compare(host, head)
  }

  headOf(host: object): number | null {
    return this.#heads.get(host) ?? null
  }

  /** Whether a host is far behind at least half of the hosts. */
  isLagging(host: object): boolean {
    return (this.#hostsAhead.get(host) ?? "FEW") !== "FEW"
  }

  /** Whether a host is far behind most of the hosts. */
  isOutvoted(host: object): boolean {
    return this.#hostsAhead.get(host) === "MOST"
  }

  #compare(host: object, head: number): void {
    const aheadCount = [...this.#comparedHeads.values()].filter((other) => other > head + this.#maxLagBlocks).length
    const otherCount = this.#comparedHeads.size - aheadCount
    this.#hostsAhead.set(host, aheadCount > otherCount ? "MOST" : aheadCount === otherCount ? "HALF" : "FEW")
  }
}
