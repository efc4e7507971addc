/** The outcome of a request to a provider. ABANDONED: the request was cancelled before a response arrived. */
export type OfferOutcome = "OFFERED" | "REFUSED" | "FAILED" | "ABANDONED"

/** One request to a provider. */
export interface OfferSample {
  readonly outcome: OfferOutcome
  /** Milliseconds until the response arrived, or until an ABANDONED request was cancelled. */
  readonly latencyMs: number
}

/** Statistics of the most recent requests to one provider. */
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

/**
 * Number of stored requests per provider. It is large enough for a 95th percentile, and small enough that old requests
 * soon drop out.
 */
export const MAX_SAMPLES = 100

/** Returns the lowest latency that at least the fraction `share` of the samples does not exceed. */
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

/** With fewer samples, a 95th percentile is meaningless. */
const MIN_SAMPLES = 20
/** Minimum delay in milliseconds before a hedged request. An earlier one would not be faster. */
const MIN_HEDGE_MS = 100
/** Maximum fraction of requests that are hedged. If all providers are slow, additional requests make them slower. */
const HEDGED_SHARE = 0.1
const MAX_HEDGE_ALLOWANCE = 3

/**
 * Returns the delay in milliseconds before a hedged request to a provider: the 95th percentile of its latencies, but at
 * least `MIN_HEDGE_MS`. Null if there are too few samples.
 */
export const hedgeAfterMs = ({ requestCount, p95Ms }: ProviderHealth): number | null =>
  requestCount < MIN_SAMPLES || p95Ms === null ? null : Math.max(MIN_HEDGE_MS, p95Ms)

/** The recent statistics of each provider in this process. */
export class ProvidersHealth {
  readonly #samples = new Map<string, Array<OfferSample>>()
  readonly #allowances = new Map<string, number>()

  record(provider: string, sample: OfferSample): void {
    const samples = this.#samples.get(provider) ?? []
    samples.push(sample)
    if (samples.length > MAX_SAMPLES) samples.shift()
    this.#samples.set(provider, samples)
    this.#allowances.set(provider, Math.min(MAX_HEDGE_ALLOWANCE, this.#allowanceOf(provider) + HEDGED_SHARE))
  }

  /** Returns whether a hedged request to the provider is allowed now. If so, counts it. */
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
