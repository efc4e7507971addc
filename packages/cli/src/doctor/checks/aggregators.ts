import { aggregatorTitles, probeAggregator } from "@countersign/adapters/exchanges/aggregators"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

interface AggregatorState {
  readonly title: string
  readonly answered: CheckResult<void>
}

export const observeAggregators = ({ settings }: Configuration, deadlineMs: number) =>
  Effect.forEach(
    settings.aggregators ?? [],
    (aggregator) =>
      Effect.map(
        observe(probeAggregator(aggregator), deadlineMs),
        (probeResult): AggregatorState => ({ title: aggregatorTitles[aggregator._tag], answered: probeResult })
      ),
    { concurrency: "unbounded" }
  )

/** Reports whether each aggregator responds. */
export const diagnoseAggregators = (states: ReadonlyArray<AggregatorState>): ReadonlyArray<Finding> =>
  states.map(({ answered, title }) =>
    answered._tag === "Seen"
      ? ok(title, "responds")
      : waiting(title, `does not respond: ${answered.reason}`, {
          waitsFor: `a response of ${title}`,
          byItself:
            "Other providers still return quotes. Pending swaps to other chains are updated when this provider responds again.",
          whatToDo:
            "Check its API key and URL (LIFI_API_KEY, LIFI_URL, KYBERSWAP_URL, VELORA_URL), and that this machine can reach it."
        })
  )
