import { evmChainIds } from "@countersign/core/chains"
import type { WatchedLane } from "@countersign/core/operator"
import { Effect, Metric } from "effect"
import { metricByLabels } from "./labelled.ts"

const waitingTransactions = metricByLabels(
  Metric.gauge("operator_transactions_waiting", {
    description: "Transactions of the operator keys that are sent and in no block yet"
  }),
  "chain"
)

/** Sets the gauge of every chain. Without a reading it removes them, because an old value would look like a new one. */
export const setLaneGauges = (lanes: ReadonlyArray<WatchedLane> | null) =>
  Effect.forEach(
    evmChainIds,
    (chainId) => {
      const gauge = waitingTransactions(String(chainId))
      if (lanes === null) return Metric.remove(gauge)
      const ofChain = lanes.filter(({ lane }) => lane.chainId === chainId)
      return Metric.update(
        gauge,
        ofChain.reduce((sum, { waiting }) => sum + waiting, 0)
      )
    },
    { discard: true }
  )
