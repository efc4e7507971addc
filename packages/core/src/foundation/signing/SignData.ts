import { Schema } from "effect"
import { EvmChainId } from "../chains/index.ts"
import { Address, Hash32, HexBytes } from "../primitives/index.ts"

/** EIP-712 typed data. */
export const TypedData = Schema.Struct({
  domain: Schema.Struct({
    name: Schema.optionalKey(Schema.String),
    version: Schema.optionalKey(Schema.String),
    chainId: Schema.Finite,
    verifyingContract: Address
  }),
  types: Schema.Record(Schema.String, Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String }))),
  primaryType: Schema.String,
  /** Integers are decimal strings, as `eth_signTypedData_v4` requires. */
  message: Schema.Record(Schema.String, Schema.Unknown)
})
export type TypedData = typeof TypedData.Type

/** An EIP-7702 authorization: `hash` is keccak256(0x05 ‖ rlp([chainId, address, nonce])). */
export const Authorization = Schema.Struct({
  chainId: EvmChainId,
  /** The contract to whose code the owner's address delegates. */
  address: Address,
  nonce: Schema.Int,
  hash: Hash32
})
export type Authorization = typeof Authorization.Type

/** An element that the owner signs, and the wallet method that signs it. */
export const SignData = Schema.Struct({
  type: Schema.Literals(["USER_OPERATION", "LIMIT_ORDER", "AUTHORIZATION", "BITCOIN_TRANSACTION"]),
  method: Schema.Literals(["personal_sign", "eth_signTypedData_v4", "eip7702_authorization", "sign_psbt"]),
  /**
   * Identifies the element and its signature. For personal_sign: the 32 bytes that are signed as a message (EIP-191).
   * For sign_psbt: the id of the unsigned transaction. For all other methods: the signed digest.
   */
  hash: Hash32,
  typedData: Schema.optionalKey(TypedData),
  authorization: Schema.optionalKey(Authorization),
  /** The PSBT (BIP-174). Present only for sign_psbt. */
  psbt: Schema.optionalKey(HexBytes)
})
export type SignData = typeof SignData.Type

/**
 * The owner's signatures, by the `hash` of the element. Each is a signature of 65 bytes, or a signed Bitcoin
 * transaction or PSBT.
 */
export const Signatures = Schema.Record(Schema.String, HexBytes)
export type Signatures = typeof Signatures.Type

/** Returns the signature of an element. Null if it is missing. */
export const signatureOf = (signatures: Signatures, { hash }: SignData): HexBytes | null => signatures[hash] ?? null
