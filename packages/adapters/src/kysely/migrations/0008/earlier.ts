/** Stored JSON as it was before 0008: instants are ISO 8601, amounts in base units are decimal strings. */

type Json = unknown

export interface EarlierFee {
  readonly type: string
  readonly token: string
  /** In whole tokens. */
  readonly amount: string
  readonly toAddress: string | null
  readonly percentage: string | null
}

export interface EarlierAmount {
  readonly chainId: number
  readonly token: string
  readonly amount: string
  readonly usd: string | null
}

export interface EarlierTransaction {
  readonly id: string
  readonly projectId: string
  readonly walletAddress: string
  readonly type: string
  readonly status: string
  readonly substatus: string | null
  readonly chainIdIn: number
  readonly chainIdOut: number
  readonly userOperationHash: string | null
  readonly transactionHash: string | null
  readonly sent: EarlierAmount | null
  readonly sentTo: string | null
  readonly received: EarlierAmount | null
  readonly receivedBy: string | null
  readonly receivedFrom: string | null
  readonly swapProvider: string | null
  readonly fees: ReadonlyArray<EarlierFee>
  readonly failure: Json
  readonly nftNumber: string | null
  readonly metadata: Json
  readonly createdAt: string
  readonly updatedAt: string
  readonly executedAt: string | null
}

export interface EarlierOperation {
  readonly projectId: string
  readonly hash: string
  readonly account: { readonly address: string }
  readonly operation: { readonly chainId: number }
  readonly payGasFeeToken: string
  readonly maxGasFeeNative: string
  readonly maxGasFeeToken: string
  readonly signData: ReadonlyArray<{ readonly type: string; readonly hash: string }>
  readonly revertReason: Json
  readonly metadata: Json
  readonly createdAt: string
  readonly expiresAt: string
  readonly transaction: EarlierTransaction
}

export interface EarlierSubmission {
  readonly signature: string
  readonly authorizationSignature: string | null
  readonly transactionId: string
  readonly submittedAt: string
  readonly estimatedExecutionTime: string
  readonly fromBlock: string
  readonly deadline: string
}

/** The block that an operation was in. */
export interface EarlierBlock {
  readonly number: number
  readonly hash: string
}
