import { hash, randomBytes, randomUUID } from "node:crypto"
import { Entropy } from "@countersign/core/foundation/primitives"
import { Effect, Layer } from "effect"

/** Provides random bytes from the operating system, and OpenSSL's SHA-256. */
export const layer = Layer.succeed(Entropy, {
  bytes: (length) => Effect.sync(() => new Uint8Array(randomBytes(length))),
  uuid: Effect.sync(() => randomUUID()),
  sha256: (data) => Effect.sync(() => new Uint8Array(hash("sha256", data, "buffer")))
})
