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
  /** A key of 192 bits and a sequence of 64 bits. */
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
  /** Null if the account pays in the native token. */
  paymaster: Schema.NullOr(PaymasterFields),
  /** The EIP-7702 tuple that must be signed with the operation; null if none is needed. */
  authorization: Schema.NullOr(Authorization),
  /**
   * Unix seconds of the last block that may include it, if the account itself enforces it by the owner's signature.
   * Null if it does not.
   */
  validUntil: Schema.NullOr(Schema.Int)
})
export type UserOperation = typeof UserOperation.Type

/** Why a call reverted: the return data, its decoded meaning, and its printable form. */
export const RevertReason = Schema.Struct({
  decoded: Schema.String,
  raw: HexBytes,
  utf8: Schema.String,
  /** The contract where the failure began, with its name if it is known. Absent if unknown. */
  failedAt: Schema.optionalKey(Schema.Struct({ address: Address, name: Schema.NullOr(Schema.String) }))
})
export type RevertReason = typeof RevertReason.Type
