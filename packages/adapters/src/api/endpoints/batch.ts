import { Batches, BatchRequest } from "@countersign/core/trading/batch"
import { Effect } from "effect"
import { BatchResponse, batchBody } from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { gas, RECEIVER, USDC, WALLET, WETH } from "./exampleValues.ts"
import { quoteLinks } from "./links.ts"

/** Number of batch operations that cause as much load as one swap quote. */
const OPERATIONS_PER_QUOTE_LOAD = 20

const quote = endpoint({
  id: "batch.quote",
  method: "POST",
  path: "/api/v1/crypto/batch-operations",
  summary: "Combine transfers and swaps in one operation",
  description:
    "The operation executes the elements atomically and in list order, with one signature and one gas payment. Each swap " +
    "is quoted on the pool state that the previous swaps leave. All elements must have the same `payGasFeeToken`. If elements " +
    "use DEDUCT_FROM_AMOUNT, the gas fee is deducted from the first such element whose amount is in that token.",
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
  weightOf: ({ payload: { operations } }) => 1 + Math.floor(operations.length / OPERATIONS_PER_QUOTE_LOAD),
  example: {
    body: {
      walletAddress: WALLET,
      chainId: 1,
      operations: [
        { type: "swap", params: { amountIn: "100", tokenIn: USDC, tokenOut: WETH, ...gas } },
        { type: "transfer", params: { token: USDC, amount: "10", toAddress: RECEIVER, ...gas } }
      ]
    }
  },
  links: quoteLinks(""),
  run: ({ payload, project }) =>
    Effect.map(
      Batches.use((batches) => batches.quote(project, payload)),
      batchBody
    )
})

export const batch = { quote }
