import type { BitcoinTerms } from "../../operations/intents/index.ts"

/** Returns whether the receiver's address has expired. A payment that is broadcast later may be lost. */
export const isBroadcastExpired = (
  { broadcastUntilMs = Number.POSITIVE_INFINITY }: BitcoinTerms,
  nowMs: number
): boolean => nowMs > broadcastUntilMs

export const DEPOSIT_EXPIRED_REASON =
  "the deposit address expired before a block included the transaction, and no node has the transaction"
