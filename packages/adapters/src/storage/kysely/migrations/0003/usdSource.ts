import type { ColumnTypes } from "../Migration.ts"

/** Adds a column to movements: the source of their values. Null in movements of earlier versions. */
export const usdSource = ({ text }: ColumnTypes): string => `alter table movements add column usd_source ${text}`

export interface UsdSourceColumn {
  usd_source: string | null
}
