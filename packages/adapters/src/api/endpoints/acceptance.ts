export const ON_THE_SANDBOX = "On a sandbox, `countersign sign` signs with the demonstration keys."

/**
 * Errors of all endpoints that accept a signed quote. UPSTREAM_UNAVAILABLE is not in this list, because the Bitcoin
 * broadcast has its own error for it.
 */
export const acceptanceErrors = [
  "INVALID_SIGNATURE",
  "AUTHORIZATION_STALE",
  "ACCOUNT_CHANGED",
  "QUOTE_STALE",
  "TRANSACTION_IN_BLOCK",
  "UNPAID_GAS_LIMIT"
] as const
