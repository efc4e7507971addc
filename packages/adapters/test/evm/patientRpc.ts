/** Limits for nodes that a test expects to answer, however slow the machine is. */
export const PATIENT_RPC = { timeoutMs: 60_000, deadlineMs: 120_000 } as const
