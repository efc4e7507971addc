import { aTransaction } from "../history/HistoryTransaction.fixture.ts"
import { aHash, anAddress, at, aUuid } from "../primitives/ids.fixture.ts"
import { HexBytes } from "../primitives/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { anAccount } from "../wallets/Wallet.fixture.ts"
import type { OperationRecord, Submission } from "./OperationRecord.ts"
import type { UserOperation } from "./UserOperation.ts"

export const aUserOperation = (fields: Partial<UserOperation> = {}): UserOperation => ({
  chainId: 137,
  entryPoint: anAddress(),
  entryPointVersion: "0.8",
  sender: anAddress(),
  nonce: 0n,
  factory: null,
  factoryData: null,
  callData: HexBytes.make("0x"),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymaster: null,
  authorization: null,
  ...fields
})

/** A prepared operation that nobody has signed yet. */
export const anOperation = (fields: Partial<OperationRecord> = {}): OperationRecord => {
  const projectId = fields.projectId ?? aProjectId()
  const account = fields.account ?? anAccount()
  const hash = fields.hash ?? aHash()
  return {
    id: aUuid(),
    projectId,
    hash,
    account,
    operation: aUserOperation({ sender: account.address }),
    chainIdIn: 137,
    chainIdOut: 137,
    payGasFeeToken: anAddress(),
    maxGasFeeNative: "0.01",
    maxGasFeeToken: "1.5",
    signData: [{ type: "USER_OPERATION", method: "personal_sign", hash }],
    revertReason: null,
    metadata: {},
    createdAt: at(0),
    expiresAt: at(60_000),
    transaction: aTransaction({ projectId, walletAddress: account.address, userOperationHash: hash }),
    submission: null,
    ...fields
  }
}

export const aSubmission = (fields: Partial<Submission> = {}): Submission => ({
  signature: HexBytes.make(`0x${"5a".repeat(65)}`),
  authorizationSignature: null,
  transactionId: aUuid(),
  submittedAt: at(0),
  estimatedExecutionTime: at(5_000),
  fromBlock: 1n,
  deadline: at(180_000),
  ...fields
})
