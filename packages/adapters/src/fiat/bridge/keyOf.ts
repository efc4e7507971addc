import { createHash } from "node:crypto"

/** An idempotency key for a request that these parts identify. */
export const keyOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")
