import { anAddress, at, aUuid } from "../primitives/ids.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import type { HistoryTransaction } from "./HistoryTransaction.ts"

export const aTransaction = (fields: Partial<HistoryTransaction> = {}): HistoryTransaction => ({
  id: aUuid(),
  projectId: aProjectId(),
  walletAddress: anAddress(),
  type: "SWAP",
  status: "PROCESSING",
  substatus: null,
  chainIdIn: 137,
  chainIdOut: 137,
  userOperationHash: null,
  transactionHash: null,
  sent: null,
  sentTo: null,
  received: null,
  receivedBy: null,
  receivedFrom: null,
  swapProvider: null,
  fees: [],
  failure: null,
  nftNumber: null,
  metadata: {},
  createdAt: at(0),
  updatedAt: at(0),
  executedAt: null,
  ...fields
})
