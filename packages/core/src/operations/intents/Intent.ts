import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { SignData, TypedData } from "../../foundation/signing/index.ts"
import { Account } from "../../wallets/registry/index.ts"
import { UserOperation } from "../user-operations/index.ts"

/** The elements that the owner must sign, in order. */
const signData = Schema.Array(SignData)

/** The maximum and the expected gas cost of an operation. */
export const GasFee = Schema.Struct({
  /** The gas token. */
  token: Address,
  /** The maximum cost of the operation, in wei and in base units of the token. */
  maxWei: Schema.BigInt,
  maxToken: Schema.BigInt,
  /** Its cost in the simulation, in base units of the token. */
  expectedToken: Schema.BigInt,
  /** The part that may stay unpaid, in wei: all of it if it is paid only after the calls, else zero. */
  unpaidWei: Schema.BigInt,
  /**
   * Whether the operation itself grants the allowance that pays for it: calls that revert also revert the allowance.
   */
  isFirstUse: Schema.Boolean
})
export type GasFee = typeof GasFee.Type

/** An ERC-4337 operation that the account's owner signs. */
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

/** The order in the order book's format. */
export const BookedOrder = Schema.Struct({
  /** The wallet that places the order. */
  owner: Address,
  /**
   * How the wallet authorizes it: by its owner's key, by a signature that its contract verifies, or by a call of its
   * own.
   */
  scheme: Schema.Literals(["EIP712", "EIP1271", "PRESIGN"]),
  typedData: TypedData,
  /** The text whose hash is in the order. */
  appData: Schema.String
})
export type BookedOrder = typeof BookedOrder.Type

/**
 * An order for an off-chain order book. The user operation that approves or pre-signs it, if one is needed, is an
 * earlier intent.
 */
export const LimitOrderIntent = Schema.Struct({
  type: Schema.Literal("LIMIT_ORDER"),
  chainId: EvmChainId,
  /** The order book's id of the order: 56 bytes for GPv2. */
  uid: HexBytes,
  /** The signing key: the owner's, also for a smart account's order (ERC-1271). */
  signer: Address,
  validTo: Schema.DateTimeUtc,
  /** Absent for order books that store the order by id. */
  order: Schema.optionalKey(BookedOrder),
  signData
})
export type LimitOrderIntent = typeof LimitOrderIntent.Type

const bitcoinOutput = { script: HexBytes, value: Schema.BigInt }

/** The inputs and outputs of a Bitcoin transaction, in satoshis. */
export const BitcoinTerms = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, ...bitcoinOutput })),
  outputs: Schema.Array(Schema.Struct(bitcoinOutput)),
  /** In weight units (BIP-141), including signatures. */
  maxWeight: Schema.Int,
  /** Unix milliseconds when the receiver's address expires; the payment is not broadcast later. Absent: no limit. */
  broadcastUntilMs: Schema.optionalKey(Schema.Int)
})
export type BitcoinTerms = typeof BitcoinTerms.Type

/** An unsigned Bitcoin transaction. */
export const BitcoinTransactionIntent = Schema.Struct({
  type: Schema.Literal("BITCOIN_TRANSACTION"),
  /** The id of the transaction without signatures; the mined one may have another (P2PKH, P2SH). */
  txid: Hash32,
  /** In BIP-174 format. */
  psbt: HexBytes,
  /** The terms that a signed version is verified against. Absent if another network verifies it. */
  terms: Schema.optionalKey(BitcoinTerms),
  signData
})
export type BitcoinTransactionIntent = typeof BitcoinTransactionIntent.Type

/** Something to sign, such as a user operation. A quote has a sequence of them, which may be empty. */
export const Intent = Schema.Union([UserOperationIntent, LimitOrderIntent, BitcoinTransactionIntent])
export type Intent = typeof Intent.Type

export const isUserOperation = (intent: Intent | undefined | null): intent is UserOperationIntent =>
  intent?.type === "USER_OPERATION"

/** The operation with this hash; null if none of the intents is. */
export const operationByHash = (intents: ReadonlyArray<Intent>, hash: Hash32): UserOperationIntent | null =>
  intents.filter(isUserOperation).find((operation) => operation.hash === hash) ?? null

/** The operation that identifies a quote: earlier ones only prepare it. Null if it has none. */
export const mainOperation = (intents: ReadonlyArray<Intent>): UserOperationIntent | null =>
  intents.findLast(isUserOperation) ?? null

/**
 * The on-chain hash of the signed content: of the main operation, or of a Bitcoin transaction. Null for orders only.
 */
export const hashOf = (intents: ReadonlyArray<Intent>): Hash32 | null =>
  mainOperation(intents)?.hash ?? intents.find((intent) => intent.type === "BITCOIN_TRANSACTION")?.txid ?? null
