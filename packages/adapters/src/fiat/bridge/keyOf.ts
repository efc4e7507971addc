import { createHash } from "node:crypto"

/** The idempotency key of a request that these parts identify. */
export const keyOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")
