import { Schema } from "effect"
import { AuthorizationBody, ChainBody, MetadataBody, RevertReasonBody, SignDataBody, Text } from "./resources.ts"
import { Hash32Text, HexBytesText } from "./scalars.ts"

/** The body of POST /api/v1/crypto/execute-user-op. */
export const ExecuteBody = Schema.Struct({
  userOperationHash: Hash32Text,
  signature: HexBytesText,
  authorization: Schema.optionalKey(
    HexBytesText.annotate({ description: "The owner's 65-byte signature of the EIP-7702 authorization's hash" })
  ),
  signatures: Schema.optionalKey(
    Schema.Record(Hash32Text, HexBytesText).annotate({
      description:
        "Where signData has several operations: the owner's 65-byte signatures of those that userOperationHash does not name, each under the hash of its element"
    })
  )
}).annotate({ identifier: "ExecuteRequest" })

export const ExecutedBody = Schema.Struct({
  userOperationHash: Schema.String,
  transactionId: Schema.String,
  estimatedExecutionTime: Schema.String
}).annotate({ identifier: "Execution" })

/** Numbers are decimal strings. The fields suffice to compute the hash again. */
export const UserOperationBody = Schema.Struct({
  metadata: MetadataBody,
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  chainIn: ChainBody,
  chainOut: ChainBody,
  chainIdIn: Schema.Finite,
  chainIdOut: Schema.Finite,
  sender: Schema.Struct({
    walletAddress: Schema.String,
    accountAbstraction: Schema.String,
    externallyOwnedAccount: Schema.String
  }),
  nonce: Schema.String,
  signature: Text,
  callGasLimit: Schema.String,
  verificationGasLimit: Schema.String,
  preVerificationGas: Schema.String,
  maxFeePerGas: Schema.String,
  maxPriorityFeePerGas: Schema.String,
  maxGasFeeNative: Schema.String,
  maxGasFeeToken: Schema.String,
  payFeesToken: Schema.String,
  factory: Schema.Struct({ data: Text, address: Text, entryPointVersion: Schema.String }),
  paymaster: Text,
  paymasterData: Text,
  paymasterPostOpGasLimit: Text,
  paymasterVerificationGasLimit: Text,
  callData: Schema.String,
  entryPoint: Schema.String,
  expiresAt: Schema.String,
  projectId: Schema.String,
  organizationId: Schema.String,
  id: Schema.String,
  userOperationHash: Schema.String,
  hash: Schema.String,
  transactionId: Text,
  signData: Schema.Array(SignDataBody)
}).annotate({ identifier: "UserOperation" })

export const UserOperationResponse = Schema.Struct({ userOperation: UserOperationBody })
