import { Schema } from "effect"
import { EvmChainId } from "../chains/index.ts"
import { Address, Hash32 } from "../primitives/index.ts"

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
  /** Integers are decimal strings, as `eth_signTypedData_v4` takes them. */
  message: Schema.Record(Schema.String, Schema.Unknown)
})
export type TypedData = typeof TypedData.Type

/** An EIP-7702 authorization: `hash` is keccak256(0x05 ‖ rlp([chainId, address, nonce])). */
export const Authorization = Schema.Struct({
  chainId: EvmChainId,
  /** The contract whose code the owner's address takes on. */
  address: Address,
  nonce: Schema.Int,
  hash: Hash32
})
export type Authorization = typeof Authorization.Type

/** One thing that the owner signs, with the wallet method that signs it. */
export const SignData = Schema.Struct({
  type: Schema.Literals(["USER_OPERATION", "LIMIT_ORDER", "AUTHORIZATION"]),
  method: Schema.Literals(["personal_sign", "eth_signTypedData_v4", "eip7702_authorization"]),
  /** personal_sign: the 32 bytes that are signed as a message (EIP-191). The others: the digest itself. */
  hash: Hash32,
  typedData: Schema.optionalKey(TypedData),
  authorization: Schema.optionalKey(Authorization)
})
export type SignData = typeof SignData.Type
