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

/** An ERC-4337 user operation for EntryPoint 0.7 or 0.8, unpacked and without its signature. Gas prices are in wei. */
export const UserOperation = Schema.Struct({
  chainId: EvmChainId,
  entryPoint: Address,
  entryPointVersion: EntryPointVersion,
  sender: Address,
  /** A 192-bit key, followed by a 64-bit sequence number. */
  nonce: Schema.BigInt,
  /**
   * The account's factory, or `0x7702` for an EIP-7702 delegation. Null if the account is already deployed or
   * delegated.
   */
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
  /** The EIP-7702 tuple that must be signed together with the operation. Null if the operation needs none. */
  authorization: Schema.NullOr(Authorization),
  /**
   * Unix seconds of the last block that may include the operation. Null unless the owner's signature covers it and the
   * account enforces it.
   */
  validUntil: Schema.NullOr(Schema.Int)
})
export type UserOperation = typeof UserOperation.Type

/** The reason of a revert: the return data, its decoded meaning, and a text for display. */
export const RevertReason = Schema.Struct({
  decoded: Schema.String,
  raw: HexBytes,
  utf8: Schema.String,
  /** The contract in which the revert began, and its name if known. Absent if the contract is unknown. */
  failedAt: Schema.optionalKey(Schema.Struct({ address: Address, name: Schema.NullOr(Schema.String) }))
})
export type RevertReason = typeof RevertReason.Type

/** Returns a reason that this service states, without the data of a revert. */
export const statedReason = (decoded: string): RevertReason => ({ decoded, raw: HexBytes.make("0x"), utf8: "" })
