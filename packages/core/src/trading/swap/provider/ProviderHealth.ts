/** The outcome of a provider's request. ABANDONED: it was cancelled before its end. */
export type OfferOutcome = "OFFERED" | "REFUSED" | "FAILED" | "ABANDONED"

/** One request to a provider. */
export interface OfferSample {
  readonly outcome: OfferOutcome
  /** Until the end; for an abandoned one, until its cancellation. */
  readonly latencyMs: number
}

/** Statistics of the latest requests to a provider. */
export interface ProviderHealth {
  readonly provider: string
  readonly requestCount: number
  readonly offered: number
  readonly refused: number
  readonly failed: number
  readonly abandoned: number
  /** Null before the first request. */
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

/** Number of requests in the statistics of each provider: enough for a 95th percentile, and quickly replaced. */
export const REMEMBERED_ASKS = 100

/** The lowest latency that at least this fraction of the samples does not exceed. */
const quantileMs = (samples: ReadonlyArray<OfferSample>, share: number): number | null => {
  const latencies = samples.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  return latencies[Math.max(0, Math.ceil(latencies.length * share) - 1)] ?? null
}

export const healthOf = (provider: string, samples: ReadonlyArray<OfferSample>): ProviderHealth => {
  const count = (outcome: OfferOutcome) => samples.filter((sample) => sample.outcome === outcome).length
  return {
    provider,
    requestCount: samples.length,
    offered: count("OFFERED"),
    refused: count("REFUSED"),
    failed: count("FAILED"),
    abandoned: count("ABANDONED"),
    medianMs: quantileMs(samples, 0.5),
    p95Ms: quantileMs(samples, 0.95)
  }
}

/** Below this number of samples a 95th percentile has no meaning. */
const MIN_SAMPLES = 20
/** Before this time a second request would not be faster than the first one. */
const MIN_HEDGE_MS = 100
/** Maximum fraction of second (hedged) requests: if everything is slow, more requests make it slower. */
const HEDGED_SHARE = 0.1
const MAX_ALLOWANCE = 3

/** When to send a hedged request to a provider: after its 95th percentile. Null if too few samples are known. */
export const hedgeAfterMs = ({ requestCount, p95Ms }: ProviderHealth): number | null =>
  requestCount < MIN_SAMPLES || p95Ms === null ? null : Math.max(MIN_HEDGE_MS, p95Ms)

/** This process's latest statistics of each provider. */
export class ProvidersHealth {
  readonly #samples = new Map<string, Array<OfferSample>>()
  readonly #allowances = new Map<string, number>()

  record(provider: string, sample: OfferSample): void {
    const samples = this.#samples.get(provider) ?? []
    samples.push(sample)
    if (samples.length > REMEMBERED_ASKS) samples.shift()
    this.#samples.set(provider, samples)
    this.#allowances.set(provider, Math.min(MAX_ALLOWANCE, this.#allowanceOf(provider) + HEDGED_SHARE))
  }

  /** Whether a hedged request to the provider is allowed now; counts it if so. */
  mayHedge(provider: string): boolean {
    const allowance = this.#allowanceOf(provider)
    if (allowance < 1) return false
    this.#allowances.set(provider, allowance - 1)
    return true
  }

  of(provider: string): ProviderHealth {
    return healthOf(provider, this.#samples.get(provider) ?? [])
  }

  #allowanceOf(provider: string): number {
    return this.#allowances.get(provider) ?? 0
  }
}
