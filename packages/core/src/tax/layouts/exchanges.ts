import { sumOrNull } from "../../portfolio/index.ts"
import type { TaxAsset } from "../TaxAsset.ts"
import type { TaxDataSet, TaxRow } from "../TaxDataSet.ts"

/** One asset that a transaction moved one way, summed over its movements. */
export interface Flow {
  readonly asset: TaxAsset
  readonly amount: bigint
  /** Null where a part has no value. */
  readonly usdE6: bigint | null
  readonly brlE6: bigint | null
}

/** A transaction as those lay it out who think in exchanges: what was given, what was got for it, and what that cost. */
export interface Exchange {
  readonly first: TaxRow
  readonly sent: ReadonlyArray<Flow>
  readonly received: ReadonlyArray<Flow>
  readonly fees: ReadonlyArray<Flow>
}

const flowsOf = (rows: ReadonlyArray<TaxRow>): ReadonlyArray<Flow> =>
  [...Map.groupBy(rows, ({ asset }) => asset.key).values()].map((group) => ({
    asset: group[0]!.asset,
    amount: group.reduce((sum, { amount }) => sum + amount, 0n),
    usdE6: sumOrNull(group.map(({ values }) => values.usd?.amountE6 ?? null)),
    brlE6: sumOrNull(group.map(({ values }) => values.brl?.amountE6 ?? null))
  }))

/** The transactions of a data set, oldest first. */
export const exchangesOf = ({ rows }: TaxDataSet): ReadonlyArray<Exchange> =>
  [...Map.groupBy(rows, ({ transactionId }) => transactionId).values()].map((group) => ({
    first: group[0]!,
    sent: flowsOf(group.filter(({ direction, role }) => direction === "OUT" && role === "PRINCIPAL")),
    received: flowsOf(group.filter(({ direction }) => direction === "IN")),
    fees: flowsOf(group.filter(({ direction, role }) => direction === "OUT" && role !== "PRINCIPAL"))
  }))
