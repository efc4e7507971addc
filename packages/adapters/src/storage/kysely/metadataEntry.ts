import { createHash } from "node:crypto"

/** The digest by which a key with its value is found. It is unambiguous, including strings with NUL. */
export const metadataEntry = (key: string, value: string): string =>
  createHash("sha256")
    .update(JSON.stringify([key, value]))
    .digest("base64url")
