import { anAddress, at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { RecordedMovement } from "./HistoryStore.ts"
import type { Movement } from "./Movement.ts"
import { pendingLeg, type Transaction, type TransactionDraft } from "./Transaction.ts"

export const aDraft = (fields: Partial<TransactionDraft> = {}): TransactionDraft => ({
  type: "SWAP",
  chainIdIn: 137,
  chainIdOut: 137,
  expected: [],
  legs: [pendingLeg(137, 0)],
  fees: [],
  subject: null,
  details: {},
  ...fields
})

export const aTransaction = (fields: Partial<Transaction> = {}): Transaction => ({
  ...aDraft(),
  id: aUuid(),
  projectId: aProjectId(),
  walletAddress: anAddress(),
  status: "PROCESSING",
  substatus: null,
  userOperationHash: null,
  movements: [],
  failure: null,
  metadata: {},
  createdAt: at(0),
  updatedAt: at(0),
  executedAt: null,
  ...fields
})

export const aMovement = (fields: Partial<Movement> = {}): Movement => ({
  direction: "OUT",
  role: "PRINCIPAL",
  account: anAddress(),
  asset: { chainId: 137, token: anAddress() },
  amount: 1n,
  usd: null,
  counterparty: null,
  leg: 0,
  ...fields
})

/** Returns the movements of a transaction, as a `HistoryStore` lists them. */
export const recordedMovementsOf = (transaction: Transaction): ReadonlyArray<RecordedMovement> => {
  const { createdAt, executedAt, id, legs, movements, type, updatedAt } = transaction
  return movements.map((movement, position) => ({
    transactionId: id,
    position,
    type,
    at: executedAt ?? updatedAt,
    blockNumber: movement.leg === null ? null : (legs[movement.leg]?.block?.number ?? null),
    createdAt,
    movement
  }))
}
