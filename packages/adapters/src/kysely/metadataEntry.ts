import { createHash } from "node:crypto"

/** The digest by which a key together with its value is found. Any two strings are told apart, NUL and all. */
export const metadataEntry = (key: string, value: string): string =>
  createHash("sha256")
    .update(JSON.stringify([key, value]))
    .digest("base64url")
