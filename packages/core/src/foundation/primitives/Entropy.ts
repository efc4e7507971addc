import { Context, type Effect } from "effect"

/**
 * Source of random bytes and UUIDs, and a hash function. It is a port: tests are deterministic, and in production the
 * bytes come from the operating system.
 */
export class Entropy extends Context.Service<
  Entropy,
  {
    readonly bytes: (length: number) => Effect.Effect<Uint8Array>
    /** A version 4 UUID (RFC 9562). */
    readonly uuid: Effect.Effect<string>
    readonly sha256: (data: Uint8Array) => Effect.Effect<Uint8Array>
  }
>()("@countersign/core/primitives/Entropy") {}
