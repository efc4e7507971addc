import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { SignData, TypedData } from "../../foundation/signing/index.ts"
import { Account } from "../../wallets/registry/index.ts"
import { UserOperation } from "../user-operations/index.ts"

/** The elements that the owner must sign for it, in order. */
const signData = Schema.Array(SignData)

/** The highest and the expected gas cost of an operation. */
export const GasFee = Schema.Struct({
  /** The token that pays. */
  token: Address,
  /** The most that the operation can cost, in wei and in base units of the token. */
  maxWei: Schema.BigInt,
  maxToken: Schema.BigInt,
  /** Its cost in the simulation, in base units of the token. */
  expectedToken: Schema.BigInt,
  /** The most of it that may stay unpaid, in wei: all where it is paid after the calls alone, else nothing. */
  unpaidWei: Schema.BigInt,
  /** Whether the allowance from which it is paid is given by the operation itself: calls that revert take it back. */
  isFirstUse: Schema.Boolean
})
export type GasFee = typeof GasFee.Type

/** An ERC-4337 operation, to be signed by the account's owner. */
export const UserOperationIntent = Schema.Struct({
  type: Schema.Literal("USER_OPERATION"),
  account: Account,
  operation: UserOperation,
  /** ERC-4337 `userOpHash`. */
  hash: Hash32,
  gas: GasFee,
  signData
})
export type UserOperationIntent = typeof UserOperationIntent.Type

/** The order itself, as its book takes it. */
export const BookedOrder = Schema.Struct({
  /** The wallet whose order it is. */
  owner: Address,
  /** How the wallet stands to it: by its owner's key, by a signature that its contract checks, or by a call of its own. */
  scheme: Schema.Literals(["EIP712", "EIP1271", "PRESIGN"]),
  typedData: TypedData,
  /** The text whose hash the order has. */
  appData: Schema.String
})
export type BookedOrder = typeof BookedOrder.Type

/** An order for a book off chain. The user operation that allows or pre-signs it, if it needs one, is an intent before it. */
export const LimitOrderIntent = Schema.Struct({
  type: Schema.Literal("LIMIT_ORDER"),
  chainId: EvmChainId,
  /** The name that the book knows it by: 56 bytes for GPv2. */
  uid: HexBytes,
  /** The key that signs it: the owner's, also where the order is a smart account's (ERC-1271). */
  signer: Address,
  validTo: Schema.DateTimeUtc,
  /** Left out by books that know their orders by themselves. */
  order: Schema.optionalKey(BookedOrder),
  signData
})
export type LimitOrderIntent = typeof LimitOrderIntent.Type

const bitcoinOutput = { script: HexBytes, value: Schema.BigInt }

/** What a Bitcoin transaction spends and pays, in satoshis. */
export const BitcoinTerms = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, ...bitcoinOutput })),
  outputs: Schema.Array(Schema.Struct(bitcoinOutput)),
  /** In weight units (BIP-141), signatures included. */
  maxWeight: Schema.Int,
  /** Unix milliseconds: the receiver's address expires then, and the payment is not broadcast later. Absent: no limit. */
  broadcastUntilMs: Schema.optionalKey(Schema.Int)
})
export type BitcoinTerms = typeof BitcoinTerms.Type

/** A Bitcoin transaction without its signatures. */
export const BitcoinTransactionIntent = Schema.Struct({
  type: Schema.Literal("BITCOIN_TRANSACTION"),
  /** The id of the transaction without signatures; the mined one may have another (P2PKH, P2SH). */
  txid: Hash32,
  /** BIP-174. */
  psbt: HexBytes,
  /** What a signed version is held to. Left out where a network of its own checks it. */
  terms: Schema.optionalKey(BitcoinTerms),
  signData
})
export type BitcoinTransactionIntent = typeof BitcoinTransactionIntent.Type

/** Something to sign, such as a user operation. A quote has a sequence of them; some quotes have none. */
export const Intent = Schema.Union([UserOperationIntent, LimitOrderIntent, BitcoinTransactionIntent])
export type Intent = typeof Intent.Type

export const isUserOperation = (intent: Intent | undefined | null): intent is UserOperationIntent =>
  intent?.type === "USER_OPERATION"

/** The operation with this hash; null where none of the intents is. */
export const operationByHash = (intents: ReadonlyArray<Intent>, hash: Hash32): UserOperationIntent | null =>
  intents.filter(isUserOperation).find((operation) => operation.hash === hash) ?? null

/** The operation that a quote is known by: those before it only make way for it. Null where it has none. */
export const mainOperation = (intents: ReadonlyArray<Intent>): UserOperationIntent | null =>
  intents.findLast(isUserOperation) ?? null

/** The hash by which its chain will know what is signed: of the main operation, or of a Bitcoin transaction. Null of orders alone. */
export const hashOf = (intents: ReadonlyArray<Intent>): Hash32 | null =>
  mainOperation(intents)?.hash ?? intents.find((intent) => intent.type === "BITCOIN_TRANSACTION")?.txid ?? null
