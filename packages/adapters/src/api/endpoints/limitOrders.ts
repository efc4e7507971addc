import { History } from "@countersign/core/accounting/history"
import { withDescription } from "@countersign/core/foundation/primitives"
import { FiatRates } from "@countersign/core/foundation/tokens"
import { LimitOrders } from "@countersign/core/trading/limit-orders"
import { DateTime, Effect, Schema } from "effect"
import { transactionBodies } from "../serializers/index.ts"
import {
  CancelLimitOrderBody,
  CancelledLimitOrderBody,
  cancellationBody,
  PlacedLimitOrderBody,
  PlaceLimitOrderBody
} from "../wire/index.ts"
import { acceptanceErrors } from "./acceptance.ts"
import { endpoint } from "./Endpoint.ts"
import { HASH, SIGNATURE, UUID } from "./exampleValues.ts"
import { historyLink } from "./links.ts"

const place = endpoint({
  id: "limitOrders.place",
  method: "POST",
  path: "/api/v1/crypto/limit-orders",
  summary: "Place a limit order",
  description:
    "Submits a signed limit order to the order book. If the order needs a user operation, such as a token approval, the operation is executed " +
    "first. The request is idempotent for a quote. POST /api/v1/crypto/execute does the same.",
  payload: PlaceLimitOrderBody,
  success: PlacedLimitOrderBody,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED", ...acceptanceErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "execute",
  cost: null,
  example: { body: { quoteId: HASH, signature: SIGNATURE } },
  links: {
    transaction: historyLink("/id"),
    cancel: {
      operationId: "limitOrders.cancel",
      description: "Cancel the order",
      parameters: { transactionId: "$response.body#/id" }
    }
  },
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const { quoteId, signature = null, signatures = {} } = payload
    const execution = yield* (yield* LimitOrders).place(project.id, { quoteId, signature, signatures })
    const { status } = yield* Effect.orDie((yield* History).get(project.id, execution.id))
    return { id: execution.id, status }
  })
})

const cancel = endpoint({
  id: "limitOrders.cancel",
  method: "POST",
  path: "/api/v1/crypto/limit-orders/:transactionId/cancel",
  summary: "Cancel a limit order",
  description:
    "Without a signature, returns the data that the owner signs to cancel an active limit order. If the owner's key signs for the " +
    "wallet (EIP-7702), send the signature to this endpoint. If the wallet is a contract, execute the returned user operation, " +
    "which cancels the order on-chain. An order that is filled first stays filled: the status of its transaction shows the outcome.",
  params: {
    transactionId: Schema.String.check(Schema.isMinLength(1)).pipe(
      withDescription("`id` of the placed order, or of its transaction in the history")
    )
  },
  payload: CancelLimitOrderBody,
  success: CancelledLimitOrderBody,
  errors: [
    "CANCEL_LIMIT_ORDER_NOT_ALLOWED",
    "CANCEL_LIMIT_ORDER_TRANSACTION_NOT_FOUND",
    "INVALID_SIGNATURE",
    "UNPAID_GAS_LIMIT",
    "UPSTREAM_UNAVAILABLE"
  ],
  scope: "execute",
  cost: null,
  example: { body: {}, parameters: { transactionId: UUID } },
  run: Effect.fnUntraced(function* ({ params, payload, project }) {
    const { transactionId } = params
    const { cancellation, uid } = yield* (yield* LimitOrders).cancel(project, transactionId, payload.signature ?? null)
    const transaction = yield* Effect.orDie((yield* History).get(project.id, transactionId))
    const [transactionBody] = yield* transactionBodies([transaction])
    const [rates] = yield* (yield* FiatRates).readDailyRates([yield* DateTime.now])
    return cancellationBody(cancellation, transaction, transactionBody!, uid, rates!)
  })
})

export const limitOrders = { place, cancel }
