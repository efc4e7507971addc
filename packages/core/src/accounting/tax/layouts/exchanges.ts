import { proportionalAmounts } from "../../../foundation/primitives/index.ts"
import { sumOrNull } from "../../portfolio/index.ts"
import type { TaxKind } from "../../tax-treatment/index.ts"
import type { TaxAsset } from "../TaxAsset.ts"
import type { TaxDataSet, TaxRow } from "../TaxDataSet.ts"

/** The total of one asset in one direction for one purpose, over the rows of an entry. */
export interface Flow {
  readonly asset: TaxAsset
  readonly direction: TaxRow["direction"]
  readonly kind: TaxKind
  readonly amount: bigint
  /** Null if any part of the flow has no value. */
  readonly usdE6: bigint | null
  readonly brlE6: bigint | null
}

/** One asset exchanged for another. */
export interface Trade {
  readonly sent: Flow
  readonly received: Flow
}

/** An entry of the data set, for layouts with one line per trade. */
export interface Exchange {
  readonly first: TaxRow
  /** The hash of the first on-chain row. Null if no row is on-chain. */
  readonly transactionHash: string | null
  readonly trades: ReadonlyArray<Trade>
  readonly fees: ReadonlyArray<Flow>
  /** The flows that belong to no trade, without pass-through amounts. */
  readonly others: ReadonlyArray<Flow>
}

const flowsOf = (rows: ReadonlyArray<TaxRow>): ReadonlyArray<Flow> =>
  [...Map.groupBy(rows, ({ asset, direction, kind }) => `${kind} ${direction} ${asset.key}`).values()].map((group) => ({
    asset: group[0]!.asset,
    direction: group[0]!.direction,
    kind: group[0]!.kind,
    amount: group.reduce((sum, { amount }) => sum + amount, 0n),
    usdE6: sumOrNull(group.map(({ values }) => values.usd?.amountE6 ?? null)),
    brlE6: sumOrNull(group.map(({ values }) => values.brl?.amountE6 ?? null))
  }))

/**
 * Splits a flow into one part per other flow, in proportion to the values of the other flows. Null if one of these
 * values is unknown, or if all of them are zero.
 */
const divideFlow = (flow: Flow, others: ReadonlyArray<Flow>): ReadonlyArray<Flow> | null => {
  const weights = others.flatMap(({ usdE6 }) => usdE6 ?? [])
  if (weights.length < others.length || weights.every((weight) => weight === 0n)) return null
  const sharesOf = (total: bigint | null) => (total === null ? null : proportionalAmounts(total, weights))
  const [amounts, usd, brl] = [sharesOf(flow.amount)!, sharesOf(flow.usdE6), sharesOf(flow.brlE6)]
  return others.map((_, i) => ({ ...flow, amount: amounts[i]!, usdE6: usd?.[i] ?? null, brlE6: brl?.[i] ?? null }))
}

/**
 * Pairs sent with received flows. If one asset is exchanged for several assets, or several for one, the single flow is
 * split in proportion to their values. An exchange of several assets for several assets has no trades.
 */
const tradesOf = (sent: ReadonlyArray<Flow>, received: ReadonlyArray<Flow>): ReadonlyArray<Trade> => {
  const [oneSent, ...otherSent] = sent
  const [oneReceived, ...otherReceived] = received
  if (oneSent === undefined || oneReceived === undefined) return []
  if (otherSent.length === 0 && otherReceived.length === 0) return [{ sent: oneSent, received: oneReceived }]
  if (otherSent.length === 0) {
    return (divideFlow(oneSent, received) ?? []).map((part, i) => ({ sent: part, received: received[i]! }))
  }
  if (otherReceived.length === 0) {
    return (divideFlow(oneReceived, sent) ?? []).map((part, i) => ({ sent: sent[i]!, received: part }))
  }
  return []
}

const exchangeOf = (rows: ReadonlyArray<TaxRow>): Exchange => {
  const flows = flowsOf(rows.filter(({ kind }) => kind !== "PASS_THROUGH"))
  const flowsOfKind = (wantedKind: TaxKind) => flows.filter(({ kind }) => kind === wantedKind)
  const trades = tradesOf(flowsOfKind("DISPOSAL"), flowsOfKind("ACQUISITION"))
  const isTraded = ({ kind }: Flow) => trades.length > 0 && (kind === "DISPOSAL" || kind === "ACQUISITION")
  return {
    first: rows[0]!,
    transactionHash: rows.find(({ transactionHash }) => transactionHash !== null)?.transactionHash ?? null,
    trades,
    fees: flowsOfKind("FEE"),
    others: flows.filter((flow) => flow.kind !== "FEE" && !isTraded(flow))
  }
}

/** Returns the entries of a data set, oldest first. */
export const exchangesOf = ({ rows }: TaxDataSet): ReadonlyArray<Exchange> =>
  [...Map.groupBy(rows, ({ entry }) => entry).values()].map(exchangeOf)
