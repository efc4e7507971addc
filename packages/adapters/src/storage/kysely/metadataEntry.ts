import { createHash } from "node:crypto"

/** The digest under which a key with its value is found. It is unambiguous, also for strings with NUL in them. */
export const metadataEntry = (key: string, value: string): string =>
  createHash("sha256")
    .update(JSON.stringify([key, value]))
    .digest("base64url")
