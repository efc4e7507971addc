import type { ColumnTypes } from "../Migration.ts"

/** Where a project's fees go on Bitcoin's chain. */
export const bitcoinTreasury = ({ text }: ColumnTypes): string =>
  `alter table projects add column bitcoin_treasury ${text}`

export interface BitcoinTreasuryColumn {
  bitcoin_treasury: string | null
}
