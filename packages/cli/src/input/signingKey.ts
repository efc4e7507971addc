import { KeyDerivation } from "@countersign/core/bitcoin/chain"
import { Effect, Result, Schema } from "effect"
import { CliError, Flag } from "effect/cli"

const decodeFlag =
  <A, I>(schema: Schema.Codec<A, I>, option: string, inputOf: (value: string) => unknown) =>
  (value: string) => {
    const result = Schema.decodeUnknownResult(schema)(inputOf(value))
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(
          new CliError.InvalidValue({ option, value, expected: result.failure.message, kind: "flag" as const })
        )
  }

/** Builds a flag for the public key of a Bitcoin wallet, with or without 0x. */
export const publicKeyFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.mapEffect((value) =>
      Effect.gen(function* () {
        const { PublicKeyText } = yield* Effect.promise(() => import("@countersign/adapters/api/wire"))
        return yield* decodeFlag(PublicKeyText, name, (text) => text)(value)
      })
    )
  )

/**
 * Builds a flag for a key origin as in output descriptors (BIP-380): the master fingerprint, then the path. Hardened
 * indexes end in an apostrophe or an h.
 */
export const derivationFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.mapEffect(
      decodeFlag(KeyDerivation, name, (text) => {
        const [masterFingerprint = "", ...indexes] = text.replace(/^\[(.*)\]$/u, "$1").split("/")
        const path = ["m", ...indexes].join("/").replaceAll(/h(?=\/|$)/giu, "'")
        return { masterFingerprint: masterFingerprint.toLowerCase(), path }
      })
    )
  )
