import type { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { TypedData } from "@countersign/core/foundation/signing"
import type { Call, UserOperation } from "@countersign/core/operations/user-operations"
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbiParameters,
  size,
  zeroAddress
} from "viem"
import { accountContracts } from "../../deployments/index.ts"
import { safeAbi as abi } from "../abi/safe.ts"
import { encoderOf } from "../encoderOf.ts"
import { addressFromHex, bytesFromHex } from "../hex.ts"
import { hashedInitCode, paymasterAndDataOf } from "../user-operation/packing.ts"
import { typedDataDigest } from "../user-operation/userOperationHash.ts"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { safeProxy141 } from "./proxyCreationCode.ts"
import { stubEcdsaSignature } from "./signature.ts"
import { safeStorage } from "./storage.ts"

const encode = encoderOf(abi)

const { safeProxyFactory: factory, safeSingletonL2: singleton, safe4337Module, safeModuleSetup } = accountContracts

const CALL = 0
const DELEGATECALL = 1

/** Encodes `Safe.setup`: one owner, threshold 1, the 4337 module enabled and set as fallback handler. */
const setupCallData = (owner: Address): Hex =>
  encode("setup", [
    [owner],
    1n,
    safeModuleSetup,
    encodeFunctionData({ abi, functionName: "enableModules", args: [[safe4337Module]] }),
    safe4337Module,
    zeroAddress,
    0n,
    zeroAddress
  ])

/**
 * Computes the address like SafeProxyFactory: the salt is keccak256(keccak256(initializer) ‖ saltNonce), and the
 * singleton is the constructor argument.
 */
const addressOf = (owner: Address, salt: number): Address =>
  addressFromHex(
    getContractAddress({
      opcode: "CREATE2",
      from: factory,
      salt: keccak256(encodePacked(["bytes32", "uint256"], [keccak256(setupCallData(owner)), BigInt(salt)])),
      bytecode: concat([safeProxy141, encodeAbiParameters(parseAbiParameters("address"), [singleton])])
    })
  )

/** Encodes one call for MultiSend: uint8 operation ‖ address ‖ uint256 value ‖ uint256 length ‖ bytes. */
const multiSendEntry = (call: Call): Hex =>
  encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [CALL, call.to, call.value, BigInt(size(call.data)), call.data]
  )

/**
 * Encodes `executeUserOpWithErrorString`, which reverts with the inner call's return data instead of
 * `ExecutionFailed()`.
 */
const executeUserOp = (to: Address, value: bigint, data: Hex, operation: number): HexBytes =>
  encode("executeUserOpWithErrorString", [to, value, data, operation])

const encodeCalls = (calls: ReadonlyArray<Call>): HexBytes => {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) return executeUserOp(only.to, only.value, only.data, CALL)
  const transactions = concat(calls.map(multiSendEntry))
  const multiSend = encode("multiSend", [transactions])
  return executeUserOp(accountContracts.multiSend, 0n, multiSend, DELEGATECALL)
}

/** Builds `SafeOp` of Safe4337Module 0.3.0. A `validUntil` of 0 means no expiry. */
const safeOpTypedData = (operation: UserOperation): TypedData => ({
  domain: { chainId: operation.chainId, verifyingContract: safe4337Module },
  types: {
    SafeOp: [
      { name: "safe", type: "address" },
      { name: "nonce", type: "uint256" },
      { name: "initCode", type: "bytes" },
      { name: "callData", type: "bytes" },
      { name: "verificationGasLimit", type: "uint128" },
      { name: "callGasLimit", type: "uint128" },
      { name: "preVerificationGas", type: "uint256" },
      { name: "maxPriorityFeePerGas", type: "uint128" },
      { name: "maxFeePerGas", type: "uint128" },
      { name: "paymasterAndData", type: "bytes" },
      { name: "validAfter", type: "uint48" },
      { name: "validUntil", type: "uint48" },
      { name: "entryPoint", type: "address" }
    ]
  },
  primaryType: "SafeOp",
  message: {
    safe: operation.sender,
    nonce: operation.nonce.toString(),
    initCode: hashedInitCode(operation),
    callData: operation.callData,
    verificationGasLimit: operation.verificationGasLimit.toString(),
    callGasLimit: operation.callGasLimit.toString(),
    preVerificationGas: operation.preVerificationGas.toString(),
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas.toString(),
    maxFeePerGas: operation.maxFeePerGas.toString(),
    paymasterAndData: paymasterAndDataOf(operation),
    validAfter: "0",
    validUntil: String(operation.validUntil ?? 0),
    entryPoint: operation.entryPoint
  }
})

/** Encodes uint48 validAfter ‖ uint48 validUntil ‖ the owner's signature. */
const wrapSignature = (validUntil: number, signature: HexBytes): HexBytes =>
  bytesFromHex(encodePacked(["uint48", "uint48", "bytes"], [0, validUntil, signature]))

/** Safe 1.4.1 with Safe4337Module 0.3.0 on EntryPoint 0.7. The owner signs `SafeOp`, not the operation's hash. */
export const safe4337: AccountImplementation = {
  info: {
    factory,
    implementation: singleton,
    name: "Safe 1.4.1",
    kind: "SAFE_4337",
    entryPoint: accountContracts.entryPoint07,
    entryPointVersion: "0.7",
    eip7702: false
  },
  addressOf,
  storage: (account) => safeStorage(account, safe4337Module),
  deployment: (account) => ({
    factory,
    factoryData: encode("createProxyWithNonce", [singleton, setupCallData(account.owner), BigInt(account.salt)])
  }),
  encodeCalls,
  // Uses the longest validity, whose bytes need the most gas.
  stubSignature: wrapSignature(2 ** 48 - 1, stubEcdsaSignature),
  signsValidity: true,
  signData: (operation) => {
    const typedData = safeOpTypedData(operation)
    return { type: "USER_OPERATION", method: "eth_signTypedData_v4", hash: typedDataDigest(typedData), typedData }
  },
  wrapSignature: ({ validUntil }, signature) => wrapSignature(validUntil ?? 0, signature)
}
