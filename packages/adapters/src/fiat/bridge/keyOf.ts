import { createHash } from "node:crypto"

/** Builds the idempotency key of a request that these values identify. */
export const keyOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")
