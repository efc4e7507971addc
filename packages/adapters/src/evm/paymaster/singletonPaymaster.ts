import type { Address, HexBytes } from "@countersign/core/primitives"
import type { PaymasterFields, UserOperation } from "@countersign/core/user-operations"
import { concat, encodeAbiParameters, encodePacked, type Hex, keccak256, parseAbiParameters, zeroHash } from "viem"
import { bytesFromHex, hex } from "../hex.ts"
import { hashedInitCode, packUserOperation } from "../user-operation/packing.ts"

/** How a SingletonPaymaster is to charge a token. */
export interface TokenCharge {
  readonly token: Address
  readonly treasury: Address
  /** Base units of the token for 10^18 wei. */
  readonly tokenUnitsPerCoin: bigint
  /** Gas charged for the postOp itself, which the EntryPoint has not measured when the charge is made. */
  readonly postOpGas: bigint
  /** Unix seconds; 0 means no end. */
  readonly validUntil: number
}

/**
 * What the paymaster's validation takes at least. The contract adds it to the account's verification limit to guess the
 * gas before execution, and asks for an underestimate, because that limit is an overestimate.
 */
const LEAST_VERIFICATION_GAS = 20_000n

const ERC20_MODE = 1
const ALLOW_ALL_BUNDLERS = 1
const NO_FLAGS = 0

/**
 * `paymasterData` of Pimlico's SingletonPaymaster (V7 and V8) in ERC-20 mode, without its signature:
 * mode and bundlers ‖ flags ‖ validUntil ‖ validAfter ‖ token ‖ postOpGas ‖ exchangeRate ‖ verification gas ‖ treasury.
 */
export const unsignedPaymasterData = (charge: TokenCharge): Hex =>
  encodePacked(
    ["uint8", "uint8", "uint48", "uint48", "address", "uint128", "uint256", "uint128", "address"],
    [
      (ERC20_MODE << 1) | ALLOW_ALL_BUNDLERS,
      NO_FLAGS,
      charge.validUntil,
      0,
      hex(charge.token),
      charge.postOpGas,
      charge.tokenUnitsPerCoin,
      LEAST_VERIFICATION_GAS,
      hex(charge.treasury)
    ]
  )

export const withSignature = (unsignedData: Hex, signature: Hex): HexBytes =>
  bytesFromHex(concat([unsignedData, signature]))

/** `SingletonPaymasterV7.getHash(ERC20_MODE, op)`: every field but the two signatures. */
const hashV7 = (operation: UserOperation): Hex => {
  const packedOperation = packUserOperation(operation, bytesFromHex("0x"))
  const inner = keccak256(
    encodeAbiParameters(parseAbiParameters("address, uint256, bytes32, uint256, bytes32, bytes32, bytes32, bytes32"), [
      packedOperation.sender,
      packedOperation.nonce,
      packedOperation.accountGasLimits,
      packedOperation.preVerificationGas,
      packedOperation.gasFees,
      keccak256(packedOperation.initCode),
      keccak256(packedOperation.callData),
      keccak256(packedOperation.paymasterAndData)
    ])
  )
  return keccak256(encodeAbiParameters(parseAbiParameters("bytes32, uint256"), [inner, BigInt(operation.chainId)]))
}

/**
 * Which fields a paymaster's `getHash` covers. The published SingletonPaymasterV8 (@pimlico/mock-paymaster 0.0.7) still
 * hashes as V7 does; builds of its source from 31 March 2025 on add the EIP-7702 delegate, or zero where there is none.
 */
export type PaymasterHashing = "V7" | "V8"

/** What the paymaster's signer signs as a message (EIP-191), equal to the contract's `getHash`. */
export const paymasterHash = (
  operation: UserOperation,
  paymaster: PaymasterFields,
  unsignedData: Hex,
  hashing: PaymasterHashing
): Hex => {
  const hash = hashV7({ ...operation, paymaster: { ...paymaster, data: bytesFromHex(unsignedData) } })
  if (hashing === "V7") return hash
  const delegateHash = operation.factory === "0x7702" ? keccak256(hashedInitCode(operation)) : zeroHash
  return keccak256(encodeAbiParameters(parseAbiParameters("bytes32, bytes32"), [hash, delegateHash]))
}
