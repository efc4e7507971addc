/** How a provider's part of a quote ended. ABANDONED: its end was not waited for. */
export type OfferOutcome = "OFFERED" | "REFUSED" | "FAILED" | "ABANDONED"

/** One ask of a provider. */
export interface OfferSample {
  readonly outcome: OfferOutcome
  /** Until the end; of an abandoned one, until it was left. */
  readonly latencyMs: number
}

/** Statistics of the latest requests to a provider. */
export interface ProviderHealth {
  readonly provider: string
  readonly asked: number
  readonly offered: number
  readonly refused: number
  readonly failed: number
  readonly abandoned: number
  /** Null until it has been asked. */
  readonly medianMs: number | null
  readonly p95Ms: number | null
}

/** Asks that are remembered of each provider: enough for a 95th percentile, and soon forgotten. */
export const REMEMBERED_ASKS = 100

/** The least latency that at least such a share of the samples does not exceed. */
const quantileMs = (samples: ReadonlyArray<OfferSample>, share: number): number | null => {
  const latencies = samples.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  return latencies[Math.max(0, Math.ceil(latencies.length * share) - 1)] ?? null
}

export const healthOf = (provider: string, samples: ReadonlyArray<OfferSample>): ProviderHealth => {
  const count = (outcome: OfferOutcome) => samples.filter((sample) => sample.outcome === outcome).length
  return {
    provider,
    asked: samples.length,
    offered: count("OFFERED"),
    refused: count("REFUSED"),
    failed: count("FAILED"),
    abandoned: count("ABANDONED"),
    medianMs: quantileMs(samples, 0.5),
    p95Ms: quantileMs(samples, 0.95)
  }
}

/** Below this many samples a 95th percentile says nothing. */
const MIN_SAMPLES = 20
/** A second ask before this time would meet the first one's answer. */
const MIN_HEDGE_MS = 100
/** Second asks are at most this part of all asks: when everything is slow, asking twice makes it slower. */
const HEDGED_SHARE = 0.1
const MAX_ALLOWANCE = 3

/** When to ask a provider for a second time: past what 19 of 20 of its answers took. Null where too little is known. */
export const hedgeAfterMs = ({ asked, p95Ms }: ProviderHealth): number | null =>
  asked < MIN_SAMPLES || p95Ms === null ? null : Math.max(MIN_HEDGE_MS, p95Ms)

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

  /** Whether the provider may be asked for a second time now; counts it where it may. */
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
