import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { PaymasterFields, UserOperation } from "@countersign/core/operations/user-operations"
import {
  concat,
  encodePacked,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  numberToHex,
  size,
  slice,
  zeroHash
} from "viem"
import { addressFromHex, bytesFromHex } from "../hex.ts"
import { hashedInitCode, packUserOperation } from "../user-operation/packing.ts"
import { encodeWords, hashBytes } from "../words.ts"

/** The terms under which a SingletonPaymaster charges a token. */
export interface TokenCharge {
  readonly token: Address
  readonly treasury: Address
  /** Base units of the token per 10^18 wei. */
  readonly tokenUnitsPerNativeToken: bigint
  /** Gas charged for `postOp` itself, which the EntryPoint has not measured yet when the paymaster charges. */
  readonly postOpGas: bigint
  /** Expiry in Unix seconds; 0 means no expiry. */
  readonly validUntil: number
  /**
   * Base units charged in the validation, before the account's calls. The treasury refunds the unused amount to the
   * account. Zero if everything is charged after the calls.
   */
  readonly prefund: bigint
  /** Allowed senders of the operation: only those that the contract lists, or all. */
  readonly bundlers: "LISTED" | "ALL"
}

/**
 * Minimum gas of the paymaster's validation. The contract estimates the gas used before the execution as the account's
 * verification limit plus this number. That limit is an overestimate, so this number must be an underestimate.
 */
const MIN_VERIFICATION_GAS = 20_000n

const ERC20_MODE = 1
const ALLOW_ALL_BUNDLERS = 1
const NO_FLAGS = 0
const PREFUND_FLAG = 4

/**
 * Encodes `paymasterData` of Pimlico's SingletonPaymaster (V7 and V8) in ERC-20 mode, without the signature: mode and
 * bundlers ‖ flags ‖ validUntil ‖ validAfter ‖ token ‖ postOpGas ‖ exchangeRate ‖ verification gas ‖ treasury (‖
 * prefund, if its flag is set).
 */
export const unsignedPaymasterData = (charge: TokenCharge): Hex => {
  const data = encodePacked(
    ["uint8", "uint8", "uint48", "uint48", "address", "uint128", "uint256", "uint128", "address"],
    [
      (ERC20_MODE << 1) | (charge.bundlers === "ALL" ? ALLOW_ALL_BUNDLERS : 0),
      charge.prefund === 0n ? NO_FLAGS : PREFUND_FLAG,
      charge.validUntil,
      0,
      charge.token,
      charge.postOpGas,
      charge.tokenUnitsPerNativeToken,
      MIN_VERIFICATION_GAS,
      charge.treasury
    ]
  )
  return charge.prefund === 0n ? data : concat([data, numberToHex(charge.prefund, { size: 16 })])
}

/** Length of the fields before the prefund. */
const FIXED_BYTES = 1 + 1 + 6 + 6 + 20 + 16 + 32 + 16 + 20
const TOKEN_START = 14
const TREASURY_START = FIXED_BYTES - 20

/** Decodes the token, receiver and prefund of a charge; null if the data are not in this paymaster's ERC-20 mode. */
export const tokenChargeIn = (data: HexBytes): Pick<TokenCharge, "token" | "treasury" | "prefund"> | null => {
  if (size(data) < FIXED_BYTES || hexToNumber(slice(data, 0, 1)) >> 1 !== ERC20_MODE) return null
  const flags = hexToNumber(slice(data, 1, 2))
  if (flags !== NO_FLAGS && flags !== PREFUND_FLAG) return null
  return {
    token: addressFromHex(slice(data, TOKEN_START, TOKEN_START + 20)),
    treasury: addressFromHex(slice(data, TREASURY_START, FIXED_BYTES)),
    prefund: flags === PREFUND_FLAG ? hexToBigInt(slice(data, FIXED_BYTES, FIXED_BYTES + 16)) : 0n
  }
}

export const withSignature = (unsignedData: Hex, signature: Hex): HexBytes =>
  bytesFromHex(concat([unsignedData, signature]))

/** Computes `SingletonPaymasterV7.getHash(ERC20_MODE, op)`: every field except the two signatures. */
const hashV7 = (operation: UserOperation): Hex => {
  const packedOperation = packUserOperation(operation, bytesFromHex("0x"))
  const fields = keccak256(
    encodeWords(
      packedOperation.sender,
      packedOperation.nonce,
      packedOperation.accountGasLimits,
      packedOperation.preVerificationGas,
      packedOperation.gasFees,
      hashBytes(packedOperation.initCode),
      hashBytes(packedOperation.callData),
      keccak256(packedOperation.paymasterAndData)
    )
  )
  return keccak256(encodeWords(fields, BigInt(operation.chainId)))
}

/**
 * The fields that a paymaster's `getHash` includes. The published SingletonPaymasterV8 (@pimlico/mock-paymaster 0.0.7)
 * hashes the same fields as V7. Builds of its source from 31 March 2025 on also include the EIP-7702 delegate, or zero
 * if there is none.
 */
export type PaymasterHashing = "V7" | "V8"

/** Computes the hash that the paymaster's signer signs as a message (EIP-191). Equals the contract's `getHash`. */
export const paymasterHash = (
  operation: UserOperation,
  paymaster: PaymasterFields,
  unsignedData: Hex,
  hashing: PaymasterHashing
): Hex => {
  const hash = hashV7({ ...operation, paymaster: { ...paymaster, data: bytesFromHex(unsignedData) } })
  if (hashing === "V7") return hash
  const delegateHash = operation.factory === "0x7702" ? keccak256(hashedInitCode(operation)) : zeroHash
  return keccak256(encodeWords(hash, delegateHash))
}
