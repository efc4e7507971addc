import type { HistoryFilter, Transaction } from "@countersign/core/accounting/history"

/**
 * The fields of a transaction by which pages are filtered. Their combination is stored as `kind` in
 * `transaction_kinds`.
 */
export type HistoryKind = readonly [type: string, status: string, chainIdIn: number | null, chainIdOut: number | null]

export const kindText = ({ chainIdIn, chainIdOut, status, type }: Transaction): string =>
  JSON.stringify([type, status, chainIdIn, chainIdOut] satisfies HistoryKind)

export const kindFromText = (text: string): HistoryKind => JSON.parse(text)

type KindFilter = Pick<HistoryFilter, "types" | "statuses" | "chains" | "chainIdIn" | "chainIdOut">

const isAny = (values: ReadonlyArray<unknown> | undefined): boolean => values === undefined || values.length === 0

export const hasKindFilter = ({ chainIdIn, chainIdOut, chains, statuses, types }: KindFilter): boolean =>
  !(isAny(types) && isAny(statuses) && isAny(chains) && chainIdIn === undefined && chainIdOut === undefined)

const isOneOf = (values: ReadonlyArray<unknown> | undefined, value: unknown): boolean =>
  isAny(values) || values!.includes(value)

/** Whether a filter matches transactions of a kind. */
export const matchesKind =
  ({ chainIdIn, chainIdOut, chains, statuses, types }: KindFilter) =>
  ([type, status, start, end]: HistoryKind): boolean =>
    isOneOf(types, type) &&
    isOneOf(statuses, status) &&
    (isOneOf(chains, start) || isOneOf(chains, end)) &&
    (chainIdIn === undefined || chainIdIn === start) &&
    (chainIdOut === undefined || chainIdOut === end)
