/** Number of blocks per request: for full blocks (to detect native token transfers), and for logs only. */
export const NATIVE_TOKEN_SPAN = 20
export const LOG_SPAN = 500
/** Number of blocks per request for the earlier blocks of new wallets: initial and maximum value. */
export const BACKFILL_SPAN = 2_000
export const MAX_BACKFILL_SPAN = 100_000

export const halveSpan = (span: number): number => Math.max(1, Math.floor(span / 2))
