/** Blocks that are read at once: with coin each of them whole, else their logs alone. */
export const COIN_SPAN = 20
export const LOG_SPAN = 500
/** Of the past of new wallets, at first and at most. */
export const BACKFILL_SPAN = 2_000
export const LARGEST_BACKFILL_SPAN = 100_000

export const halved = (span: number): number => Math.max(1, Math.floor(span / 2))
