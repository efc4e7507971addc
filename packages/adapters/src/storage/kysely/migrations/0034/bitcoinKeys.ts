import type { ColumnTypes } from "../Migration.ts"

/** The public key of a Bitcoin wallet and its derivation, as JSON; null while it is unknown. */
export const bitcoinKeys = ({ text }: ColumnTypes): string => `alter table wallets add column bitcoin_key ${text}`

export interface BitcoinKeyColumn {
  bitcoin_key: string | null
}
