import { type Intent, isUserOperation } from "@countersign/core/operations/intents"
import { Schema } from "effect"
import { hex, hexOrNull, number, numberOrNull, text, textOrNull } from "./fields.ts"

/** Whole numbers are decimal strings, under the names of ERC-4337. */
export const SignedOperationBody = Schema.Struct({
  userOperationHash: hex("ERC-4337 `userOpHash` of these fields"),
  chainId: number("Id of the chain"),
  entryPoint: hex("Address of the EntryPoint"),
  entryPointVersion: text("Its version: 0.7 or 0.8"),
  sender: hex("The wallet"),
  nonce: text("A random key in its upper 192 bits, as a decimal string"),
  factory: hexOrNull(
    "Factory that deploys the account, or 0x7702 where it is an EIP-7702 delegation; null for an account that is deployed"
  ),
  factoryData: hexOrNull("Call data of the factory; null without one"),
  callData: hex("Call data of the account"),
  callGasLimit: text("Gas limit of the calls"),
  verificationGasLimit: text("Gas limit of the validation"),
  preVerificationGas: text("Gas that the bundler is paid for besides"),
  maxFeePerGas: text("Highest price of gas, in wei"),
  maxPriorityFeePerGas: text("Highest tip, in wei"),
  paymaster: hexOrNull("Paymaster that pays for gas; null where the account pays itself"),
  paymasterVerificationGasLimit: textOrNull("Gas limit of the paymaster's validation; null without one"),
  paymasterPostOpGasLimit: textOrNull("Gas limit of the paymaster's last step; null without one"),
  paymasterData: hexOrNull("Data for the paymaster; null without one"),
  validUntil: numberOrNull(
    "Unix seconds of the last block that may have it, where the owner signs this: a Safe's does. Null for other accounts"
  )
}).annotate({ identifier: "SignedOperation", description: "A user operation as it is signed, without its signature" })

export const userOperationsField = Schema.Array(SignedOperationBody).annotate({
  description:
    "Every field of the user operations to sign, in the order of `signData`, so that its hashes can be computed again and its " +
    "calls be read before anything is signed"
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
