import { Context, type Effect } from "effect"

/**
 * Random bytes, and ids derived from them. It is a port, so that tests are deterministic and secrets come from the
 * operating system.
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
