import { Schema } from "effect"
import { HexBytes } from "../../foundation/primitives/index.ts"

/** The first hardened index (BIP-32). Hardened indexes are written with an apostrophe. */
const HARDENED = 2 ** 31
const PATH = /^m(?:\/\d{1,10}'?){0,32}$/u

const NO_PATH = "Expected a BIP-32 path such as m/86'/0'/0'/0/0"

/** The derivation path of a key from a signer's master key (BIP-32). */
export const KeyDerivation = Schema.Struct({
  /** The first four bytes of the hash of the master key, in hexadecimal without 0x. */
  masterFingerprint: Schema.String.check(
    Schema.isPattern(/^[\da-f]{8}$/u, { message: "Expected 8 hexadecimal digits in lower case" })
  ).annotate({ description: "Fingerprint of the signer's master key: 8 hexadecimal digits, as in `73c5da0a`" }),
  path: Schema.String.check(
    Schema.makeFilter((path: string) =>
      path.split("/").some((index) => Number.parseInt(index, 10) >= HARDENED) ? NO_PATH : undefined
    ),
    Schema.isPattern(PATH, { message: NO_PATH })
  ).annotate({ description: "BIP-32 derivation path of the key, such as `m/86'/0'/0'/0/0`" })
})
export type KeyDerivation = typeof KeyDerivation.Type

/** The key of a wallet in its PSBTs. Many signers sign only inputs that contain one of their keys. */
export const SigningKey = Schema.Struct({
  /** Compressed (33 bytes). For P2TR, the internal key (32 bytes) before its tweak (BIP-86). */
  publicKey: HexBytes,
  derivation: Schema.NullOr(KeyDerivation)
})
export type SigningKey = typeof SigningKey.Type
