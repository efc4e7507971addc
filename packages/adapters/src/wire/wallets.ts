import { Metadata } from "@countersign/core/primitives"
import { Salt } from "@countersign/core/wallets"
import { Effect, Schema } from "effect"
import { ChainBody, MetadataBody, Text } from "./resources.ts"
import { AddressText, BooleanText } from "./scalars.ts"

const NO_SALT = "Expected a whole number of at most 9007199254740991 as a string of digits"

/** A salt as a string of digits. */
export const SaltText = Schema.String.check(
  Schema.isPattern(/^\d{1,16}$/u, { message: NO_SALT }),
  Schema.makeFilter((text: string) => (Number(text) > Number.MAX_SAFE_INTEGER ? NO_SALT : undefined))
).pipe(Schema.decodeTo(Schema.NumberFromString), Schema.decodeTo(Salt))

export const WalletQuery = {
  externallyOwnedAccount: AddressText,
  factory: AddressText,
  salt: Schema.optionalKey(SaltText),
  eip7702: BooleanText.pipe(Schema.withDecodingDefaultKey(Effect.succeed("false" as const)))
}

export const RegisterBody = Schema.Struct({
  externallyOwnedAccount: AddressText,
  factory: AddressText,
  salt: Schema.optionalKey(Schema.Union([SaltText, Salt])),
  eip7702: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  metadata: Metadata.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
}).annotate({ identifier: "RegisterWalletRequest" })

export const MetadataPatchBody = Schema.Struct({ metadata: Metadata }).annotate({ identifier: "WalletMetadataRequest" })

/** A Bitcoin wallet has no owner apart from itself, no factory, no implementation and no salt. */
export const WalletBody = Schema.Struct({
  metadata: MetadataBody,
  walletAddress: Schema.String,
  externallyOwnedAccount: Text,
  factory: Text,
  implementation: Text,
  eip7702: Schema.Boolean,
  deployed: Schema.Array(Schema.Struct({ chain: ChainBody, deployed: Schema.Boolean })),
  salt: Schema.NullOr(Schema.Finite),
  registeredAt: Text,
  lastTransactionAt: Text
}).annotate({ identifier: "Wallet" })

export const WalletResponse = Schema.Struct({ wallet: WalletBody })
export const WalletsResponse = Schema.Struct({ wallets: Schema.Array(WalletBody) })

export const FactoriesResponse = Schema.Struct({
  factories: Schema.Array(
    Schema.Struct({
      factory: Schema.String,
      implementation: Schema.String,
      name: Schema.String,
      entryPoint: Schema.String,
      entryPointVersion: Schema.String,
      eip7702: Schema.Boolean
    }).annotate({ identifier: "Factory" })
  )
})
