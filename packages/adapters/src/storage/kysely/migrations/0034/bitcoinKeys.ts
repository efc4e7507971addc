import type { ColumnTypes } from "../Migration.ts"

/** Adds the public key of a Bitcoin wallet and its derivation, as JSON; null while unknown. */
export const bitcoinKeys = ({ text }: ColumnTypes): string => `alter table wallets add column bitcoin_key ${text}`

export interface BitcoinKeyColumn {
  bitcoin_key: string | null
}
