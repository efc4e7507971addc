import type { ColumnTypes } from "../Migration.ts"

/** A project's treasury on Bitcoin. */
export const bitcoinTreasury = ({ text }: ColumnTypes): string =>
  `alter table projects add column bitcoin_treasury ${text}`

export interface BitcoinTreasuryColumn {
  bitcoin_treasury: string | null
}
