/** Long time limits, for tests that need the responses of all nodes even on a slow machine. */
export const PATIENT_RPC = { timeoutMs: 60_000, deadlineMs: 120_000 } as const
