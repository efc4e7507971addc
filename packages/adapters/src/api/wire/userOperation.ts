import { Schema } from "effect"
import { hex, hexOrNull, instant, number, text, textOrNull } from "./fields.ts"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, signDataField } from "./resources.ts"

/** Integers are decimal strings. The caller can recompute the hash from the fields. */
export const UserOperationBody = Schema.Struct({
  metadata: MetadataBody,
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  chainIn: ChainBody.annotateKey({ description: "Chain where the transaction starts" }),
  chainOut: ChainBody.annotateKey({ description: "Chain where the transaction ends" }),
  chainIdIn: number("Id of `chainIn`"),
  chainIdOut: number("Id of `chainOut`"),
  sender: Schema.Struct({
    walletAddress: hex("The wallet: ERC-4337 `sender`"),
    accountAbstraction: hex("The same as `walletAddress`"),
    externallyOwnedAccount: hex("The owner's address")
  }).annotate({ description: "The sender of the operation" }),
  nonce: text("ERC-4337 nonce: a random key in its upper 192 bits, as a decimal string"),
  signature: hexOrNull("The owner's signature; null until the owner signs the operation"),
  callGasLimit: text("Gas limit of the calls"),
  verificationGasLimit: text("Gas limit of the validation"),
  preVerificationGas: text("Gas that compensates the bundler for overhead (ERC-4337 `preVerificationGas`)"),
  maxFeePerGas: text("Maximum fee per gas, in wei"),
  maxPriorityFeePerGas: text("Maximum priority fee per gas, in wei"),
  maxGasFeeNative: text("Maximum gas fee, in native tokens"),
  maxGasFeeToken: text("Maximum gas fee, in units of `payFeesToken`"),
  payFeesToken: hex("Token that pays for gas"),
  factory: Schema.Struct({
    data: hexOrNull("Calldata for the factory; null for a deployed account"),
    address: hexOrNull("Factory that deploys the account; null for a deployed account"),
    entryPointVersion: text("Version of the EntryPoint: 0.7 or 0.8")
  }).annotate({ description: "How the account is deployed" }),
  paymaster: hexOrNull("Paymaster that pays for gas; null if the account pays itself"),
  paymasterData: hexOrNull("Data for the paymaster; null if the operation has no paymaster"),
  paymasterPostOpGasLimit: textOrNull("Gas limit of the paymaster's `postOp`; null if the operation has no paymaster"),
  paymasterVerificationGasLimit: textOrNull(
    "Gas limit of the paymaster's validation; null if the operation has no paymaster"
  ),
  callData: hex("ERC-4337 `callData`: the calldata that the EntryPoint passes to the account"),
  entryPoint: hex("Address of the EntryPoint"),
  expiresAt: instant("When the quote expires"),
  projectId: text("Id of the project (UUID)"),
  organizationId: text("Id of the project's organization (UUID)"),
  id: text("Id of the operation (UUID), derived from its hash"),
  userOperationHash: hex("ERC-4337 `userOpHash`. It can be computed from the fields of this response"),
  hash: hex("The same as `userOperationHash`"),
  transactionId: textOrNull("Id of the transaction in the wallet's history; null until the operation is executed"),
  signData: signDataField
}).annotate({
  identifier: "UserOperation",
  description: "An ERC-4337 user operation. Integers are decimal strings"
})

export const UserOperationResponse = Schema.Struct({ userOperation: UserOperationBody }).annotate({
  identifier: "UserOperationAnswer",
  description: "The user operation"
})
