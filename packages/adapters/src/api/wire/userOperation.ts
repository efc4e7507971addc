import { Schema } from "effect"
import { hex, hexOrNull, instant, number, text, textOrNull } from "./fields.ts"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, signDataField } from "./resources.ts"

/** Numbers are decimal strings. The fields suffice to compute the hash again. */
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
  }).annotate({ description: "Who sends the operation" }),
  nonce: text("ERC-4337 nonce: a random key in its upper 192 bits, as a decimal string"),
  signature: hexOrNull("The owner's signature; null while it is not signed"),
  callGasLimit: text("Gas limit of the calls"),
  verificationGasLimit: text("Gas limit of the validation"),
  preVerificationGas: text("Gas that the bundler is paid for besides"),
  maxFeePerGas: text("Highest price of gas, in wei"),
  maxPriorityFeePerGas: text("Highest tip, in wei"),
  maxGasFeeNative: text("The most that gas can cost, in whole coins of the chain"),
  maxGasFeeToken: text("The most that gas can cost, in whole tokens of `payFeesToken`"),
  payFeesToken: hex("Token that pays for gas"),
  factory: Schema.Struct({
    data: hexOrNull("Call data of the factory; null for an account that is deployed"),
    address: hexOrNull("Factory that deploys the account; null for one that is deployed"),
    entryPointVersion: text("Version of the EntryPoint: 0.7 or 0.8")
  }).annotate({ description: "What deploys the account" }),
  paymaster: hexOrNull("Paymaster that pays for gas; null where the account pays itself"),
  paymasterData: hexOrNull("Data for the paymaster; null without one"),
  paymasterPostOpGasLimit: textOrNull("Gas limit of the paymaster's last step; null without one"),
  paymasterVerificationGasLimit: textOrNull("Gas limit of the paymaster's validation; null without one"),
  callData: hex("Call data of the account"),
  entryPoint: hex("Address of the EntryPoint"),
  expiresAt: instant("When the quote expires"),
  projectId: text("Id of the project (UUID)"),
  organizationId: text("Id of the project's organization (UUID)"),
  id: text("Id of the operation (UUID), made of its hash"),
  userOperationHash: hex("ERC-4337 `userOpHash`. The fields here suffice to compute it again"),
  hash: hex("The same as `userOperationHash`"),
  transactionId: textOrNull("Id of its transaction in the wallet's history; null until it is executed"),
  signData: signDataField
}).annotate({
  identifier: "UserOperation",
  description: "An ERC-4337 user operation. Whole numbers are decimal strings"
})

export const UserOperationResponse = Schema.Struct({ userOperation: UserOperationBody }).annotate({
  identifier: "UserOperationAnswer",
  description: "The user operation"
})
