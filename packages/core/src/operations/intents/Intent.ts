import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { SignData, TypedData } from "../../foundation/signing/index.ts"
import { Account } from "../../wallets/registry/index.ts"
import { UserOperation } from "../user-operations/index.ts"

/** The elements that the owner must sign, in order. */
const signData = Schema.Array(SignData)

/** Maximum and expected gas cost of an operation. */
export const GasFee = Schema.Struct({
  /** The gas token. */
  token: Address,
  /** Maximum cost of the operation, in wei and in base units of the token. */
  maxWei: Schema.BigInt,
  maxToken: Schema.BigInt,
  /** The cost of the operation in the simulation, in base units of the token. */
  expectedToken: Schema.BigInt,
  /**
   * The part of the cost that may stay unpaid, in wei: the maximum cost if the gas is paid only after the calls,
   * otherwise zero.
   */
  unpaidWei: Schema.BigInt,
  /**
   * Whether the operation itself grants the allowance that pays its gas. If the calls revert, the allowance is reverted
   * as well.
   */
  isFirstUse: Schema.Boolean
})
export type GasFee = typeof GasFee.Type

/** An ERC-4337 operation that the account's owner signs. */
export const UserOperationIntent = Schema.Struct({
  type: Schema.Literal("USER_OPERATION"),
  account: Account,
  operation: UserOperation,
  /** The ERC-4337 `userOpHash`. */
  hash: Hash32,
  gas: GasFee,
  signData
})
export type UserOperationIntent = typeof UserOperationIntent.Type

/** A limit order in the order book's format. */
export const BookedOrder = Schema.Struct({
  /** The wallet that places the order. */
  owner: Address,
  /**
   * How the wallet authorizes the order: with its owner's key, with a signature that its contract verifies, or with an
   * on-chain call to the order book's contract.
   */
  scheme: Schema.Literals(["EIP712", "EIP1271", "PRESIGN"]),
  typedData: TypedData,
  /** The text whose hash is in the order. */
  appData: Schema.String
})
export type BookedOrder = typeof BookedOrder.Type

/**
 * An order for an off-chain order book. If a user operation must approve or pre-sign it, that operation is an earlier
 * intent of the quote.
 */
export const LimitOrderIntent = Schema.Struct({
  type: Schema.Literal("LIMIT_ORDER"),
  chainId: EvmChainId,
  /** The id of the order in the order book: 56 bytes for GPv2. */
  uid: HexBytes,
  /** The owner's address, also for a smart account's order (ERC-1271). */
  signer: Address,
  validTo: Schema.DateTimeUtc,
  /** Absent if the order book identifies the order only by its id. */
  order: Schema.optionalKey(BookedOrder),
  signData
})
export type LimitOrderIntent = typeof LimitOrderIntent.Type

const bitcoinOutput = { script: HexBytes, value: Schema.BigInt }

/** The inputs, outputs and limits of a Bitcoin transaction. Amounts are in satoshis. */
export const BitcoinTerms = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, ...bitcoinOutput })),
  outputs: Schema.Array(Schema.Struct(bitcoinOutput)),
  /** In weight units (BIP-141), including signatures. */
  maxWeight: Schema.Int,
  /**
   * Unix milliseconds at which the receiver's address expires. The transaction is not broadcast after this time. If
   * absent, there is no limit.
   */
  broadcastUntilMs: Schema.optionalKey(Schema.Int)
})
export type BitcoinTerms = typeof BitcoinTerms.Type

/** An unsigned Bitcoin transaction. */
export const BitcoinTransactionIntent = Schema.Struct({
  type: Schema.Literal("BITCOIN_TRANSACTION"),
  /** The txid of the transaction without signatures. The mined transaction may have a different txid (P2PKH, P2SH). */
  txid: Hash32,
  /** In BIP-174 format. */
  psbt: HexBytes,
  /** The terms against which a signed transaction is verified. Absent if another network verifies it. */
  terms: Schema.optionalKey(BitcoinTerms),
  signData
})
export type BitcoinTransactionIntent = typeof BitcoinTransactionIntent.Type

/**
 * Content that the owner signs, such as a user operation. A quote contains a sequence of intents, which may be empty.
 */
export const Intent = Schema.Union([UserOperationIntent, LimitOrderIntent, BitcoinTransactionIntent])
export type Intent = typeof Intent.Type

export const isUserOperation = (intent: Intent | undefined | null): intent is UserOperationIntent =>
  intent?.type === "USER_OPERATION"

/** Returns the operation with this hash. Null if no intent has it. */
export const operationByHash = (intents: ReadonlyArray<Intent>, hash: Hash32): UserOperationIntent | null =>
  intents.filter(isUserOperation).find((operation) => operation.hash === hash) ?? null

/**
 * Returns the operation that identifies a quote, which is the last one. Earlier operations only prepare it. Null if the
 * quote has no operation.
 */
export const mainOperation = (intents: ReadonlyArray<Intent>): UserOperationIntent | null =>
  intents.findLast(isUserOperation) ?? null

/**
 * Returns the hash of the main operation or the txid of the Bitcoin transaction. Null if the quote has neither, such as
 * a quote with only an order.
 */
export const hashOf = (intents: ReadonlyArray<Intent>): Hash32 | null =>
  mainOperation(intents)?.hash ?? intents.find((intent) => intent.type === "BITCOIN_TRANSACTION")?.txid ?? null
