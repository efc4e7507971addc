import { TransactionStatus } from "@countersign/core/accounting/history"
import { withDescription } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { QuoteIdText } from "./execution.ts"
import { hexOrNull, instantOrNull, text, textOrNull } from "./fields.ts"
import { FiatValuesBody } from "./history.ts"
import { CancellationFeeBody } from "./lending.ts"
import { GasEstimateBody, PreviewBody } from "./preparedBody.ts"
import { AuthorizationBody, RevertReasonBody, signDataField } from "./resources.ts"
import { Hash32Text, HexBytesText } from "./scalars.ts"
import { userOperationsField } from "./signedOperation.ts"

/** The body of POST /api/v1/crypto/limit-orders. */
export const PlaceLimitOrderBody = Schema.Struct({
  quoteId: QuoteIdText.pipe(withDescription("`quoteId` of the quote of a limit order")),
  signature: Schema.optionalKey(
    HexBytesText.pipe(
      withDescription(
        "The owner's 65-byte signature of the element of type `LIMIT_ORDER`. If there is no such element, because the wallet signs its order on-chain: the signature of the first element"
      )
    )
  ),
  signatures: Schema.optionalKey(
    Schema.Record(Hash32Text, HexBytesText).annotate({
      description:
        "The owner's 65-byte signatures of the other elements of `signData`, each under the hash of its element"
    })
  )
}).annotate({ identifier: "PlaceLimitOrderRequest", description: "A quoted limit order and its owner's signatures" })

export const PlacedLimitOrderBody = Schema.Struct({
  id: text("Id of the order's transaction in the wallet's history (UUID)"),
  status: TransactionStatus.annotate({ description: "The current status of the transaction" })
}).annotate({
  identifier: "PlacedLimitOrder",
  description: "The accepted order. The service submits it to the order book"
})

/** The body of POST /api/v1/crypto/limit-orders/:transactionId/cancel. */
export const CancelLimitOrderBody = Schema.Struct({
  signature: Schema.optionalKey(
    HexBytesText.pipe(
      withDescription(
        "The owner's 65-byte signature of the element of `signData`. If it is omitted, the response contains the data to sign, and the order stays open"
      )
    )
  )
}).annotate({ identifier: "CancelLimitOrderRequest", description: "The owner's signature of the cancellation" })

export const CancelledLimitOrderBody = Schema.Struct({
  requiresExecution: Schema.Boolean.annotate({
    description:
      "False: sign the element of `signData`, and send the signature to this endpoint. True: the wallet cancels on-chain, because the order book " +
      "accepts no cancellation that a contract signs. Sign the elements of `signData` after the first (which names the order " +
      "and needs no signature), and execute `quoteId`"
  }),
  status: TransactionStatus.annotate({
    description:
      "`PENDING_SIGNATURE` until the owner has signed. Then the status of the order's transaction: `CANCELLED`, or " +
      "`PARTIALLY_COMPLETED` if a part was filled earlier. If a settlement in flight still fills the order, the transaction " +
      "returns to `PROCESSING` (`transaction.reorged`) and ends again"
  }),
  substatus: textOrNull("`CANCELLED` once the order book has removed the order; null before that"),
  id: text("Id of the order's transaction (UUID)"),
  signData: signDataField,
  expiresAt: instantOrNull("When the data to sign expire; null if the data do not expire"),
  fees: Schema.Array(CancellationFeeBody).annotate({
    description: "Fees of the operation that cancels the order; empty if no operation is needed"
  }),
  receivedAmount: Schema.Struct({
    amount: text("Amount received so far, in token units"),
    amountIn: FiatValuesBody
  }).annotate({ description: "The filled part of the order" }),
  quoteId: hexOrNull("Id of the quote for the operation that cancels the order; null if no operation is needed"),
  userOperationHash: hexOrNull("Hash of the operation that cancels the order; null if no operation is needed"),
  userOperations: userOperationsField,
  authorization: Schema.optionalKey(AuthorizationBody),
  revertReason: Schema.optionalKey(RevertReasonBody),
  estimatedGasFees: Schema.NullOr(GasEstimateBody).annotate({
    description: "Gas fee of the operation; null if there is no operation"
  }),
  preview: Schema.NullOr(PreviewBody).annotate({
    description: "The simulated effects of the operation; null if there is no operation"
  }),
  orderUid: textOrNull("The order's 56-byte id in the order book")
}).annotate({
  identifier: "LimitOrderCancellation",
  description: "The data to sign for the cancellation, or the result of the cancellation"
})
