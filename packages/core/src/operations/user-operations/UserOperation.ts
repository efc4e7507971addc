import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, HexBytes } from "../../foundation/primitives/index.ts"
import { Authorization } from "../../foundation/signing/index.ts"
import { EntryPointVersion } from "../../wallets/registry/index.ts"

export const PaymasterFields = Schema.Struct({
  address: Address,
  verificationGasLimit: Schema.BigInt,
  postOpGasLimit: Schema.BigInt,
  data: HexBytes
})
export type PaymasterFields = typeof PaymasterFields.Type

/** An ERC-4337 user operation of EntryPoint 0.7 or 0.8, unpacked and without its signature. Gas prices are in wei. */
export const UserOperation = Schema.Struct({
  chainId: EvmChainId,
  entryPoint: Address,
  entryPointVersion: EntryPointVersion,
  sender: Address,
  /** 192 bits of key and 64 of sequence. */
  nonce: Schema.BigInt,
  /** Set while the account has no code: its factory, or `0x7702` for an EIP-7702 delegation. */
  factory: Schema.NullOr(Schema.Union([Schema.Literal("0x7702"), Address])),
  factoryData: Schema.NullOr(HexBytes),
  callData: HexBytes,
  callGasLimit: Schema.BigInt,
  verificationGasLimit: Schema.BigInt,
  preVerificationGas: Schema.BigInt,
  maxFeePerGas: Schema.BigInt,
  maxPriorityFeePerGas: Schema.BigInt,
  /** Null where the account pays in the chain's coin. */
  paymaster: Schema.NullOr(PaymasterFields),
  /** The EIP-7702 tuple that must be signed with the operation; null where none is needed. */
  authorization: Schema.NullOr(Authorization),
  /**
   * Unix seconds of the last block that may have it, where the account itself checks what its owner signed of that. Null
   * where it does not.
   */
  validUntil: Schema.NullOr(Schema.Int)
})
export type UserOperation = typeof UserOperation.Type

/** Why something reverted: the return data, its decoded meaning, and its printable reading. */
export const RevertReason = Schema.Struct({
  decoded: Schema.String,
  raw: HexBytes,
  utf8: Schema.String,
  /** The contract in which the failure began, with its name where we have one. Left out where nothing tells. */
  failedAt: Schema.optionalKey(Schema.Struct({ address: Address, name: Schema.NullOr(Schema.String) }))
})
export type RevertReason = typeof RevertReason.Type
