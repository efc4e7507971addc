import { baseUnitsText } from "./baseUnitsText.ts"
import { convertedDraft } from "./convertedTransaction.ts"
import type { EarlierOperation, EarlierSubmission } from "./earlier.ts"

const COIN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

const stages = [
  { name: "inclusion", intent: 0, status: "PROCESSING" },
  { name: "finality", intent: null, status: "COMPLETED" }
] as const

/** What was expected of the gas was not stored; it was no more than the maximum. */
const gasOf = ({ maxGasFeeNative, maxGasFeeToken, operation, payGasFeeToken }: EarlierOperation) => {
  const maxToken = baseUnitsText(maxGasFeeToken, operation.chainId, payGasFeeToken)
  return {
    token: payGasFeeToken,
    maxWei: baseUnitsText(maxGasFeeNative, operation.chainId, COIN),
    maxToken,
    expectedToken: maxToken
  }
}

export const convertedQuote = (record: EarlierOperation) => ({
  id: record.hash,
  projectId: record.projectId,
  walletAddress: record.account.address,
  kind: "SWAP",
  content: null,
  prices: {},
  intents: [
    {
      type: "USER_OPERATION",
      account: record.account,
      operation: record.operation,
      hash: record.hash,
      gas: gasOf(record),
      signData: record.signData
    }
  ],
  stages,
  transaction: convertedDraft(record.transaction),
  revertReason: record.revertReason,
  metadata: record.metadata,
  createdAt: record.createdAt,
  expiresAt: record.expiresAt
})

const signaturesOf = ({ signData }: EarlierOperation, { authorizationSignature, signature }: EarlierSubmission) =>
  Object.fromEntries(
    signData.flatMap(({ hash, type }) => {
      const typeSignature = type === "AUTHORIZATION" ? authorizationSignature : signature
      return typeSignature === null ? [] : [[hash, typeSignature]]
    })
  )

export const convertedExecution = (record: EarlierOperation, submission: EarlierSubmission, isIncluded: boolean) => ({
  id: submission.transactionId,
  projectId: record.projectId,
  quoteId: record.hash,
  walletAddress: record.account.address,
  signatures: signaturesOf(record, submission),
  stages: [
    { ...stages[0], state: JSON.stringify({ fromBlock: submission.fromBlock }), deadline: submission.deadline },
    { ...stages[1], state: "null", deadline: null }
  ],
  at: isIncluded ? 1 : 0,
  acceptedAt: submission.submittedAt,
  estimatedExecutionTime: submission.estimatedExecutionTime
})

export const stageNameOf = (isIncluded: boolean): string => stages[isIncluded ? 1 : 0].name
