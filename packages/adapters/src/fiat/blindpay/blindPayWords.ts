import {
  type DepositInstructions,
  FiatDirection,
  FiatMethod,
  type FiatOrder,
  type FiatOrderState,
  type FiatReport,
  type FiatRoute,
  pixKeyOfBrCode
} from "@countersign/core/fiat"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { Option, Schema } from "effect"
import type { PayinBody, PayoutBody } from "./blindPayBodies.ts"

/** BlindPay's names of the supported chains. */
export const networkOf: { readonly [ChainId in EvmChainId]?: string } = {
  1: "ethereum",
  137: "polygon",
  8453: "base",
  42161: "arbitrum"
}

export const routes: ReadonlyArray<FiatRoute> = FiatDirection.literals.flatMap((direction) =>
  FiatMethod.literals.flatMap(
    (method): ReadonlyArray<FiatRoute> => [
      { direction, method, symbols: ["USDC"], chainIds: [1, 137, 8453, 42161] },
      { direction, method, symbols: ["USDT"], chainIds: [1, 137] }
    ]
  )
)

export const paymentMethodOf = (method: FiatMethod): string => method.toLowerCase()

const partyOf = (party: {
  readonly name: string
  readonly address_line_1: string
  readonly address_line_2: string
}) => ({
  name: party.name,
  addressLine1: party.address_line_1,
  addressLine2: party.address_line_2
})

/**
 * Builds the payment instructions. Null if the response lacks required data, or contains a code that banks would
 * reject.
 */
export const instructionsOrNull = (
  {
    blindpay_bank_details: bank,
    clabe = null,
    memo_code: memoCode = null,
    pix_code: brCode = null,
    tracking_transaction: tracking
  }: PayinBody,
  { expiresAt, quote: { method } }: FiatOrder
): DepositInstructions | null => {
  switch (method) {
    case "ACH":
    case "WIRE":
      return bank == null
        ? null
        : {
            type: method,
            routingNumber: bank.routing_number,
            accountNumber: bank.account_number,
            accountType: /saving/iu.test(bank.account_type) ? "SAVING" : "CHECKING",
            beneficiary: partyOf(bank.beneficiary),
            receivingBank: partyOf(bank.receiving_bank),
            memoCode
          }
    case "PIX": {
      const pixKey = brCode === null ? undefined : pixKeyOfBrCode(brCode)
      return brCode === null || pixKey === undefined ? null : { type: "PIX", pixKey, brCode, expiresAt, memoCode }
    }
    case "SPEI":
      return clabe === null ? null : { type: "SPEI", clabe, beneficiary: null, reference: memoCode, memoCode }
    case "TRANSFERS": {
      const account = tracking?.transfers_instruction?.account
      return account === undefined ? null : { type: "TRANSFERS", account, beneficiary: null, memoCode }
    }
  }
}

const hashOrNull = (text: string | null | undefined): Hash32 | null =>
  Option.getOrNull(Schema.decodeUnknownOption(Hash32)(text?.toLowerCase()))

const isDone = (tracking: PayinBody["tracking_payment"]): boolean => tracking?.step === "completed"

const payinStates = {
  processing: "AWAITING_FUNDS",
  on_hold: "IN_REVIEW",
  completed: "COMPLETED",
  failed: "FAILED",
  refunded: "REFUNDED"
} as const satisfies Record<PayinBody["status"], FiatOrderState>

/** Reasons that customers see. BlindPay's own reason may contain names and account numbers. */
const payinReasons = {
  processing: null,
  on_hold: "BlindPay is reviewing the order",
  completed: null,
  failed: "BlindPay reports that the order failed",
  refunded: "BlindPay refunded the payer"
} as const satisfies Record<PayinBody["status"], string | null>

/**
 * Converts a payin's status. The status is `processing` both before and after the payment; the first tracking step
 * distinguishes the two.
 */
export const payinReport = (payin: PayinBody): FiatReport => ({
  state: payin.status === "processing" && isDone(payin.tracking_payment) ? "FUNDS_RECEIVED" : payinStates[payin.status],
  transactionHash: hashOrNull(
    payin.tracking_complete?.transaction_hash ?? payin.tracking_transaction?.transaction_hash
  ),
  returnHash: null,
  fiatAmount: payin.sender_amount == null ? null : BigInt(payin.sender_amount),
  reason: payinReasons[payin.status]
})

const payoutStates = {
  processing: "PROCESSING",
  on_hold: "IN_REVIEW",
  completed: "COMPLETED",
  failed: "FAILED",
  refunded: "RETURNED"
} as const satisfies Record<PayoutBody["status"], FiatOrderState>

const payoutReasons = {
  processing: null,
  on_hold: "BlindPay is reviewing the order",
  completed: null,
  failed: "BlindPay reports that the order failed",
  refunded: "BlindPay could not make the payment and refunded the tokens"
} as const satisfies Record<PayoutBody["status"], string | null>

export const payoutReport = (payout: PayoutBody): FiatReport => ({
  state: payoutStates[payout.status],
  transactionHash: hashOrNull(payout.tracking_transaction?.transaction_hash),
  returnHash: payout.status === "refunded" ? hashOrNull(payout.tracking_complete?.transaction_hash) : null,
  fiatAmount: payout.receiver_amount == null ? null : BigInt(payout.receiver_amount),
  reason: payoutReasons[payout.status]
})
