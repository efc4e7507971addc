import type { ColumnTypes } from "../Migration.ts"

/** A column of movements: the source of their values. Null in those of earlier versions. */
export const usdSource = ({ text }: ColumnTypes): string => `alter table movements add column usd_source ${text}`

export interface UsdSourceColumn {
  usd_source: string | null
}
