import type { ColumnTypes } from "../Migration.ts"

/** Adds a project's Bitcoin treasury. */
export const bitcoinTreasury = ({ text }: ColumnTypes): string =>
  `alter table projects add column bitcoin_treasury ${text}`

export interface BitcoinTreasuryColumn {
  bitcoin_treasury: string | null
}
