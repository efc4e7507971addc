import { Batches, BatchRequest } from "@countersign/core/trading/batch"
import { Effect } from "effect"
import { BatchResponse, batchBody } from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

/** So many operations of a batch take as much as a further quote. */
const OPERATIONS_LIKE_A_QUOTE = 20

export const batchQuote = endpoint({
  id: "batch.quote",
  method: "POST",
  path: "/api/v1/crypto/batch-operations",
  summary: "Join transfers and swaps into one operation",
  description:
    "Executed in list order, all or none, with one signature and one gas payment. Each swap is computed on the pools " +
    "as the swaps before it leave them. All elements name the same `payGasFeeToken`; where elements ask for " +
    "DEDUCT_FROM_AMOUNT, the gas fee is taken out of the first of them whose amount is in that token.",
  payload: BatchRequest,
  success: BatchResponse,
  errors: [
    "NOT_AUTHORIZED_TOKENS",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "SWAP_QUOTE",
    "UNPAID_GAS_LIMIT",
    "INDIVIDUAL_VERIFICATION_REQUIRED"
  ],
  scope: "quote",
  cost: "quote",
  effortOf: ({ payload: { operations } }) => 1 + Math.floor(operations.length / OPERATIONS_LIKE_A_QUOTE),
  run: ({ payload, project }) =>
    Effect.map(
      Batches.use((batches) => batches.quote(project, payload)),
      batchBody
    )
})
