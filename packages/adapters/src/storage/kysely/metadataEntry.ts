import { createHash } from "node:crypto"

/** Computes the digest by which a key/value pair is found. It is unambiguous, also for strings that contain NUL. */
export const metadataEntry = (key: string, value: string): string =>
  createHash("sha256")
    .update(JSON.stringify([key, value]))
    .digest("base64url")
