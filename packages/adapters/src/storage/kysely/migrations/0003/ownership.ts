import type { ColumnTypes } from "../Migration.ts"

/** Adds a column to wallets: how a Bitcoin address was registered. Null for a smart account. */
export const ownership = ({ text }: ColumnTypes): string => `alter table wallets add column ownership ${text}`

export interface OwnershipColumn {
  ownership: string | null
}
