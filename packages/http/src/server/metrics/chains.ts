import { type ChainId, type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import type { WatchedOperatorAccount } from "@countersign/core/operations/operator"
import type { ChainUnpaidGas } from "@countersign/core/operations/unpaid-gas"
import type { WatchLag } from "@countersign/core/wallets/chain-activity"
import { Effect, Metric, Record } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const gauge = (name: string, description: string) => metricByLabels(Metric.gauge(name, { description }), "chain")

const gauges = {
  waiting: gauge(
    "operator_transactions_waiting",
    "Number of transactions of the operator accounts that are sent and not yet in a block"
  ),
  lostUsd: gauge("unpaid_gas_lost_usd", "Unpaid gas of the last two days in US dollars, excluding forgiven gas"),
  lostWei: gauge(
    "unpaid_gas_lost_wei",
    "Unpaid gas of the last two days in wei of the chain's native token, excluding forgiven gas"
  ),
  unpaidGasOperations: gauge("unpaid_gas_operations", "Number of operations of the last two days that left gas unpaid"),
  blocksBehind: gauge("watch_blocks_behind", "Number of blocks that are not yet searched for transfers of wallets"),
  secondsBehind: gauge(
    "watch_seconds_behind",
    "Seconds since the chain was last searched for transfers of wallets, or the age of the last searched block"
  )
}

export interface ChainReadings {
  readonly operatorAccounts: ReadonlyArray<WatchedOperatorAccount>
  readonly totals: ReadonlyArray<ChainUnpaidGas>
  /** How far the watcher of each watched chain is behind. */
  readonly lags: ReadonlyMap<number, WatchLag>
}

type ChainGauge = keyof typeof gauges

const readingsOf = ({ lags, operatorAccounts, totals }: ChainReadings, chainId: EvmChainId) => {
  const total = totals.find((each) => each.chainId === chainId)
  return {
    waiting: operatorAccounts.reduce(
      (sum, { operatorAccount, waiting }) => (operatorAccount.chainId === chainId ? sum + waiting : sum),
      0
    ),
    lostUsd: Number(total?.usdE6 ?? 0n) / 1e6,
    lostWei: Number(total?.wei ?? 0n),
    unpaidGasOperations: total?.count ?? 0,
    blocksBehind: lags.get(chainId)?.blocks ?? 0,
    secondsBehind: lags.get(chainId)?.seconds ?? 0
  }
}

/** Sets the gauges of a chain, and removes those without a value. */
const setGauges = (chainId: ChainId, values: { readonly [Name in ChainGauge]?: number | undefined }) =>
  Effect.forEach(
    Record.toEntries(gauges),
    ([name, metricOf]) => {
      const value = values[name]
      return value === undefined
        ? Metric.remove(metricOf(String(chainId)))
        : Metric.update(metricOf(String(chainId)), value)
    },
    { discard: true }
  )

/**
 * Sets the gauges of every EVM chain, and the lag of the Bitcoin watcher. Removes all of them if `readings` is null,
 * because an old value would look current.
 */
export const setChainGauges = (readings: ChainReadings | null) =>
  Effect.gen(function* () {
    for (const chainId of evmChainIds) yield* setGauges(chainId, readings === null ? {} : readingsOf(readings, chainId))
    const lag = readings?.lags.get(0)
    yield* setGauges(0, { blocksBehind: lag?.blocks, secondsBehind: lag?.seconds })
  })
