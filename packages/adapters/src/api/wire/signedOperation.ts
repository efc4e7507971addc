import { type Intent, isUserOperation } from "@countersign/core/operations/intents"
import { Schema } from "effect"
import { hex, hexOrNull, number, numberOrNull, text, textOrNull } from "./fields.ts"

/** A user operation with the field names of ERC-4337. Integers are decimal strings. */
export const SignedOperationBody = Schema.Struct({
  userOperationHash: hex("ERC-4337 `userOpHash` of these fields"),
  chainId: number("Id of the chain"),
  entryPoint: hex("Address of the EntryPoint"),
  entryPointVersion: text("Version of the EntryPoint: 0.7 or 0.8"),
  sender: hex("The wallet"),
  nonce: text("ERC-4337 nonce, as a decimal string. The upper 192 bits are a random key"),
  factory: hexOrNull(
    "Factory that deploys the account, or 0x7702 for an EIP-7702 delegation; null for a deployed account"
  ),
  factoryData: hexOrNull("Calldata for the factory; null if there is no factory"),
  callData: hex("ERC-4337 `callData`: the calldata that the EntryPoint passes to the account"),
  callGasLimit: text("Gas limit of the calls"),
  verificationGasLimit: text("Gas limit of the validation"),
  preVerificationGas: text("Gas that compensates the bundler for overhead (ERC-4337 `preVerificationGas`)"),
  maxFeePerGas: text("Maximum fee per gas, in wei"),
  maxPriorityFeePerGas: text("Maximum priority fee per gas, in wei"),
  paymaster: hexOrNull("Paymaster that pays for gas; null if the account pays itself"),
  paymasterVerificationGasLimit: textOrNull(
    "Gas limit of the paymaster's validation; null if the operation has no paymaster"
  ),
  paymasterPostOpGasLimit: textOrNull("Gas limit of the paymaster's `postOp`; null if the operation has no paymaster"),
  paymasterData: hexOrNull("Data for the paymaster; null if the operation has no paymaster"),
  validUntil: numberOrNull(
    "Unix time, in seconds, until which the operation can be included in a block. Only the signed data of a Safe contain it; null for other accounts"
  )
}).annotate({ identifier: "SignedOperation", description: "A user operation, as the owner signs it" })

export const userOperationsField = Schema.Array(SignedOperationBody).annotate({
  description:
    "All fields of the user operations to sign, in the order of `signData`, so that the caller can compute the hashes and read the " +
    "calls before signing"
})

export const signedOperationsBody = (intents: ReadonlyArray<Intent>) =>
  intents.filter(isUserOperation).map(({ hash, operation }) => ({
    userOperationHash: hash,
    chainId: operation.chainId,
    entryPoint: operation.entryPoint,
    entryPointVersion: operation.entryPointVersion,
    sender: operation.sender,
    nonce: String(operation.nonce),
    factory: operation.factory,
    factoryData: operation.factoryData,
    callData: operation.callData,
    callGasLimit: String(operation.callGasLimit),
    verificationGasLimit: String(operation.verificationGasLimit),
    preVerificationGas: String(operation.preVerificationGas),
    maxFeePerGas: String(operation.maxFeePerGas),
    maxPriorityFeePerGas: String(operation.maxPriorityFeePerGas),
    paymaster: operation.paymaster?.address ?? null,
    paymasterVerificationGasLimit:
      operation.paymaster === null ? null : String(operation.paymaster.verificationGasLimit),
    paymasterPostOpGasLimit: operation.paymaster === null ? null : String(operation.paymaster.postOpGasLimit),
    paymasterData: operation.paymaster?.data ?? null,
    validUntil: operation.validUntil
  }))
