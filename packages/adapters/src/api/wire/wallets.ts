import { KeyDerivation, SigningKey } from "@countersign/core/bitcoin/chain"
import {
  HexBytes,
  Metadata,
  metadataField,
  withDefault,
  withDescription
} from "@countersign/core/foundation/primitives"
import { Ownership, Salt } from "@countersign/core/wallets/registry"
import { Schema, SchemaTransformation } from "effect"
import { flag, hex, hexOrNull, instantOrNull, text, textOrNull } from "./fields.ts"
import { ChainBody, MetadataBody } from "./resources.ts"
import { AddressText, flagText, intTextOrNone, WalletAddressText } from "./scalars.ts"

const INVALID_SALT_MESSAGE = "Expected a whole number of at most 9007199254740991 as a string of digits"

export const SaltText = Schema.String.check(
  Schema.makeFilter((text: string) => (Number(text) > Number.MAX_SAFE_INTEGER ? INVALID_SALT_MESSAGE : undefined)),
  Schema.isPattern(/^\d{1,16}$/u, { message: INVALID_SALT_MESSAGE })
).pipe(Schema.decodeTo(Schema.NumberFromString), Schema.decodeTo(Salt))

const ownerField = AddressText.pipe(withDescription("Address of the owner, whose key signs for the wallet"))
const factoryField = AddressText.pipe(withDescription("Account factory, from GET /api/v1/wallets/factories"))
const SALT_DESCRIPTION = "0 by default. Each salt has its own wallet of the same owner. Not allowed with `eip7702`"
const saltText = SaltText.pipe(withDescription(`A whole number as text; ${SALT_DESCRIPTION}`))
/** Accepts a number as well as text. Responses contain a number, and clients may send this number back. */
const saltTextOrNumber = Schema.Union([SaltText, Salt]).annotate({
  description: `CREATE2 salt: an integer, as a string or a number; ${SALT_DESCRIPTION}`
})
const EIP7702_DESCRIPTION = "Whether the owner's address delegates to the account's code (EIP-7702)"

export const WalletQuery = {
  externallyOwnedAccount: ownerField,
  factory: factoryField,
  salt: Schema.optionalKey(saltText),
  eip7702: flagText(EIP7702_DESCRIPTION)
}

/** The registration validates format and checksum, because each has its own error message. */
const bitcoinAddressField = Schema.String.check(Schema.isMaxLength(100)).annotate({
  description: "A Bitcoin address of the main network, instead of `externallyOwnedAccount` and `factory`"
})

const proofField = Schema.Struct({
  message: Schema.String.check(Schema.isMaxLength(1_000)).annotate({
    description: "The unchanged message that GET /api/v1/wallets/bitcoin/proof-message returns"
  }),
  signature: Schema.String.check(Schema.isMaxLength(1_000)).annotate({
    description:
      "Signature of the message with the key of the address, in base64. Accepted formats: BIP-322 simple (with or without the prefix `smp`) for bc1q… and bc1p…; BIP-322 full (with the prefix `ful`) for every address; legacy for 1…, P2SH-P2WPKH and bc1q…, with the header bytes of BIP-137 or of Electrum"
  })
}).annotate({ description: "Proof that the caller has the key of the Bitcoin address. Required with `address`" })

const INVALID_PUBLIC_KEY_MESSAGE = "Expected a public key in hexadecimal: 33 bytes, or 32 for P2TR, with or without 0x"

/** A public key as wallets write it: in upper or lower case, and usually without `0x`. */
export const PublicKeyText = Schema.String.check(
  Schema.isPattern(/^(?:0x)?(?:[\da-f]{64}|[\da-f]{66})$/iu, { message: INVALID_PUBLIC_KEY_MESSAGE })
)
  .pipe(
    Schema.decodeTo(
      HexBytes,
      SchemaTransformation.transform({
        decode: (text: string) => `0x${text.replace(/^0x/iu, "").toLowerCase()}`,
        encode: (hex) => hex
      })
    )
  )
  .pipe(
    withDescription(
      "Public key of the Bitcoin address: 33 bytes, compressed. For P2TR it is the internal key before the tweak (BIP-86), in 33 or 32 bytes. PSBTs contain the key, so that signers recognize their inputs. Only P2TR needs this field, because every other proof contains the key"
    )
  )

const derivationField = KeyDerivation.annotate({
  description:
    "Derivation of the key in a hardware signer (BIP-32): the master key fingerprint (8 hexadecimal digits) and the path, such as m/86'/0'/0'/0/0. PSBTs contain both"
})

export const RegisterBody = Schema.Struct({
  externallyOwnedAccount: Schema.optionalKey(ownerField).annotate({
    description: "Address of the owner, whose key signs for the wallet. Required for a smart wallet"
  }),
  factory: Schema.optionalKey(factoryField).annotate({
    description: "Account factory, from GET /api/v1/wallets/factories. Required for a smart wallet"
  }),
  salt: Schema.optionalKey(saltTextOrNumber),
  eip7702: withDefault(Schema.Boolean, false, EIP7702_DESCRIPTION),
  address: Schema.optionalKey(bitcoinAddressField),
  proof: Schema.optionalKey(proofField),
  publicKey: Schema.optionalKey(PublicKeyText),
  derivation: Schema.optionalKey(derivationField),
  metadata: metadataField
}).annotate({ identifier: "RegisterWalletRequest", description: "A smart wallet to register, or a Bitcoin address" })

export const ProofMessageQuery = { address: bitcoinAddressField }

export const ProofMessageResponse = Schema.Struct({
  address: text("The Bitcoin address"),
  message: text("The message that the owner signs to register the address with this project")
}).annotate({ identifier: "BitcoinProofMessage", description: "The message to sign to register a Bitcoin address" })

export const MetadataPatchBody = Schema.Struct({
  metadata: Metadata.annotate({
    description: "The new key/value pairs, at most 50. They replace all existing pairs"
  })
}).annotate({ identifier: "WalletMetadataRequest", description: "New metadata of a wallet" })

/** A Bitcoin wallet has no separate owner, factory, implementation or salt, so these fields are null. */
export const walletFields = {
  metadata: MetadataBody,
  walletAddress: text("Address of the wallet, the same on every EVM chain"),
  externallyOwnedAccount: hexOrNull("Address of the wallet's owner; null for a Bitcoin wallet"),
  factory: hexOrNull("Factory that deploys the wallet; null for a Bitcoin wallet"),
  implementation: hexOrNull("Contract with the wallet's code; null for a Bitcoin wallet"),
  eip7702: flag("Whether the wallet is the owner's address with delegated code (EIP-7702)"),
  deployed: Schema.Array(
    Schema.Struct({ chain: ChainBody, deployed: flag("Whether the wallet has code on the chain") }).annotate({
      description: "The wallet on one chain"
    })
  ).annotate({ description: "Deployment by chain. The first operation on a chain deploys the wallet" }),
  salt: Schema.NullOr(Schema.Finite).annotate({
    description: "CREATE2 salt of the account; null for a Bitcoin wallet"
  }),
  ownership: Schema.optionalKey(Ownership).annotate({
    description:
      "Only for a Bitcoin wallet: `PROVEN` if its owner signed the proof message, `ATTACHED` if an operator attached the wallet without a proof"
  }),
  publicKey: Schema.optionalKey(Schema.NullOr(SigningKey.fields.publicKey)).annotate({
    description:
      "Only for a Bitcoin wallet: the public key (for P2TR the internal key), which PSBTs contain; null while the key is unknown"
  }),
  derivation: Schema.optionalKey(Schema.NullOr(KeyDerivation)).annotate({
    description:
      "Only for a Bitcoin wallet: derivation of the key in the signer (BIP-32); null if no registration contained one"
  }),
  registeredAt: instantOrNull("When the wallet was registered; null if it is not registered"),
  lastTransactionAt: instantOrNull(
    "When the last operation of the wallet was accepted; null before the first operation"
  )
}

export const WalletBody = Schema.Struct(walletFields).annotate({ identifier: "Wallet", description: "A wallet" })

export const WalletResponse = Schema.Struct({ wallet: WalletBody }).annotate({
  identifier: "WalletAnswer",
  description: "The wallet"
})
export const MAX_WALLETS_PAGE = 1_000

export const WalletsQuery = {
  take: intTextOrNone(
    { minimum: 1, maximum: MAX_WALLETS_PAGE },
    "Maximum number of wallets on a page. If omitted, the response contains all wallets"
  ),
  lastId: Schema.optionalKey(
    WalletAddressText.pipe(withDescription("`nextLastId` of the previous page. Omit it for the first page"))
  )
}

export const WalletsResponse = Schema.Struct({
  wallets: Schema.Array(WalletBody).annotate({ description: "Wallets, oldest registration first" }),
  nextLastId: textOrNull("Cursor: set `lastId` to this value to get the next page; null on the last page")
}).annotate({ identifier: "Wallets", description: "The project's wallets" })

export const FactoriesResponse = Schema.Struct({
  factories: Schema.Array(
    Schema.Struct({
      factory: hex("Address of the factory; for EIP-7702 the address of the implementation"),
      implementation: hex("Contract with the account's code"),
      name: text("Name of the account type"),
      entryPoint: hex("Address of the EntryPoint that the account uses"),
      entryPointVersion: text("Version of the EntryPoint: 0.7 or 0.8"),
      eip7702: flag("Whether this is an EIP-7702 implementation. If so, send `eip7702: true` to register a wallet")
    }).annotate({ identifier: "Factory", description: "An account type" })
  ).annotate({ description: "All supported account types" })
}).annotate({ identifier: "Factories", description: "The supported account types" })
