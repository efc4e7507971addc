import { brCodeText } from "@countersign/core/fiat"
import { Schema } from "effect"
import { BankQuote } from "./BankQuotes.ts"

export const BankOrder = Schema.Struct({
  id: Schema.String,
  /** Idempotency key of the request that created the order. It is also the order's external id. */
  key: Schema.NullOr(Schema.String),
  quote: BankQuote,
  wallet: Schema.String,
  memoCode: Schema.String,
  /** Amount that the payer of a deposit has sent, in cents; null before the payment. */
  paid: Schema.mutableKey(Schema.NullOr(Schema.BigIntFromString)),
  status: Schema.mutableKey(Schema.Literals(["processing", "on_hold", "completed", "failed", "refunded"])),
  hash: Schema.mutableKey(Schema.NullOr(Schema.String)),
  endHash: Schema.mutableKey(Schema.NullOr(Schema.String)),
  reason: Schema.mutableKey(Schema.NullOr(Schema.String))
})
export type BankOrder = typeof BankOrder.Type

/** Accounts that receive deposits, one per country. */
const CBU = "2850590940090418135201"
const PIX_KEY = "123e4567-e12b-12d1-a456-426655440000"

/** Builds an order as BlindPay's API returns it. */
export const orderResponse = (order: BankOrder) => {
  const { endHash, hash, id, memoCode, quote, reason, status } = order
  const step = status === "processing" || status === "on_hold" ? status : "completed"
  const tracking = {
    tracking_transaction: { step, transaction_hash: hash },
    tracking_payment: { step: status === "processing" ? "on_hold" : step },
    tracking_complete: { step, status: reason, transaction_hash: endHash }
  }
  if (quote.direction === "payout") {
    const amounts = { sender_amount: Number(quote.tokenCents), receiver_amount: Number(quote.fiatCents) }
    return { id, status, sender_wallet_address: order.wallet, ...amounts, ...tracking }
  }
  const isPix = quote.method === "pix"
  const hasMemo = quote.currency === "USD"
  const transfers_instruction = quote.method === "transfers" ? { account: CBU, type: "CBU" } : null
  const amount = quote.fiatCents
  return {
    id,
    status,
    payment_method: quote.method,
    sender_amount: Number(order.paid ?? amount),
    receiver_amount: Number(quote.tokenCents),
    memo_code: hasMemo ? memoCode : null,
    clabe: quote.method === "spei" ? "032180000118359719" : null,
    pix_code: isPix
      ? brCodeText({
          pixKey: PIX_KEY,
          merchantName: "Sandbox Bank",
          merchantCity: "SAO PAULO",
          amount,
          txid: memoCode
        })
      : null,
    blindpay_bank_details: {
      routing_number: "021000021",
      account_number: "31254097",
      account_type: "Business checking",
      beneficiary: {
        name: "Sandbox Payments",
        address_line_1: "1 Test Street",
        address_line_2: "New York, NY 10001"
      },
      receiving_bank: { name: "Sandbox Bank", address_line_1: "2 Test Street", address_line_2: "New York, NY 10001" }
    },
    ...tracking,
    tracking_transaction: { ...tracking.tracking_transaction, transfers_instruction }
  }
}
