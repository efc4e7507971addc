import { Schema } from "effect"
import { NumberText, Uint256Text } from "../../outbound/json-api/index.ts"

const TextOrNull = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A page of customers, in the response to a request with a limit. https://api.blindpay.com/reference */
export const CustomerPage = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, external_id: TextOrNull })),
  /** `next_page` is the `starting_after` of the next page. */
  pagination: Schema.Struct({ has_more: Schema.Boolean, next_page: TextOrNull })
})

/** The fields of BlindPay's customer data that a bank account needs. */
export const CustomerBody = Schema.Struct({
  first_name: TextOrNull,
  last_name: TextOrNull,
  legal_name: TextOrNull,
  type: TextOrNull,
  address_line_1: TextOrNull,
  city: TextOrNull,
  state_province_region: TextOrNull,
  postal_code: TextOrNull,
  country: TextOrNull,
  phone_number: TextOrNull,
  tax_id: TextOrNull
})
export type CustomerBody = typeof CustomerBody.Type

export const IdBody = Schema.Struct({ id: Schema.String })
export const UrlBody = Schema.Struct({ url: Schema.String.check(Schema.isPattern(/^https?:\/\//u)) })
export const UploadBody = Schema.Struct({ file_url: Schema.String })

const Warnings = Schema.optionalKey(
  Schema.NullOr(Schema.Array(Schema.Struct({ code: TextOrNull, message: TextOrNull })))
)

export const CustomerStatusBody = Schema.Struct({
  external_id: TextOrNull,
  kyc_status: TextOrNull,
  kyc_warnings: Warnings,
  fraud_warnings: Warnings
})
export type CustomerStatusBody = typeof CustomerStatusBody.Type

/** An open request for information (RFI) about a customer; null if there is none. */
export const RfiBody = Schema.NullOr(
  Schema.Struct({
    request: Schema.Array(Schema.Struct({ fields: Schema.Array(Schema.Struct({ key: Schema.String })) }))
  })
)

export const WalletBody = Schema.Struct({
  id: Schema.String,
  address: TextOrNull,
  network: TextOrNull
})
export const WalletList = Schema.Array(WalletBody)

export const BankAccountBody = Schema.Struct({ id: Schema.String })

export const FxBody = Schema.Struct({
  result_amount: Uint256Text,
  instance_flat_fee: Schema.optionalKey(Schema.NullOr(Uint256Text))
})

export const QuoteBody = Schema.Struct({
  id: Schema.String,
  /** Unix milliseconds, before the year 10000. */
  expires_at: Schema.String.check(
    Schema.makeFilter((text: string) => /^\d{1,15}$/u.test(text) && Number(text) <= 253_402_300_799_999)
  ),
  sender_amount: Uint256Text,
  receiver_amount: Uint256Text,
  flat_fee: Schema.optionalKey(Schema.NullOr(Uint256Text))
})

export const PayoutQuoteBody = Schema.Struct({
  ...QuoteBody.fields,
  contract: Schema.Struct({
    address: Schema.String,
    functionName: Schema.Literal("approve"),
    blindpayContractAddress: Schema.String,
    amount: Uint256Text,
    network: Schema.Struct({ chainId: NumberText })
  })
})

const Status = Schema.Literals(["processing", "on_hold", "completed", "failed", "refunded"])

const trackingFields = { step: TextOrNull, status: TextOrNull, transaction_hash: TextOrNull }
const Tracking = Schema.optionalKey(Schema.NullOr(Schema.Struct(trackingFields)))

const trackedFields = {
  id: Schema.String,
  status: Status,
  /** For a payin the paid amount, present once it was paid. For a payout the amount that the wallet sends. */
  sender_amount: Schema.optionalKey(Schema.NullOr(Uint256Text)),
  receiver_amount: Schema.optionalKey(Schema.NullOr(Uint256Text)),
  tracking_transaction: Tracking,
  tracking_payment: Tracking,
  tracking_complete: Tracking
}

const Party = Schema.Struct({ name: Schema.String, address_line_1: Schema.String, address_line_2: Schema.String })

export const PayinBody = Schema.Struct({
  ...trackedFields,
  tracking_transaction: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        ...trackingFields,
        transfers_instruction: Schema.optionalKey(Schema.NullOr(Schema.Struct({ account: Schema.String })))
      })
    )
  ),
  pix_code: TextOrNull,
  memo_code: TextOrNull,
  clabe: TextOrNull,
  blindpay_bank_details: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        routing_number: Schema.String,
        account_number: Schema.String,
        account_type: Schema.String,
        beneficiary: Party,
        receiving_bank: Party
      })
    )
  )
})
export type PayinBody = typeof PayinBody.Type

export const PayoutBody = Schema.Struct(trackedFields)
export type PayoutBody = typeof PayoutBody.Type
