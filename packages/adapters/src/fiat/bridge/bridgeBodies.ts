import { Schema } from "effect"

const TextOrNull = Schema.optionalKey(Schema.NullOr(Schema.String))
const DecimalOrNull = Schema.optionalKey(
  Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d{1,30}(?:\.\d{1,30})?$/u)))
)

const Address = Schema.Struct({
  street_line_1: TextOrNull,
  city: TextOrNull,
  state: TextOrNull,
  postal_code: TextOrNull,
  /** ISO 3166-1 alpha-3. */
  country: TextOrNull
})

export const UrlBody = Schema.Struct({ url: Schema.String.check(Schema.isPattern(/^https?:\/\//u)) })

/** The approval of a customer for a currency. `missing` is a name, or a tree of names below `all_of` and `any_of`. */
const Endorsement = Schema.Struct({
  name: Schema.String,
  status: Schema.String,
  requirements: Schema.optionalKey(Schema.NullOr(Schema.Struct({ missing: Schema.optionalKey(Schema.Unknown) })))
})

/** The fields of Bridge's customer data that a bank account needs. */
export const CustomerBody = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  type: TextOrNull,
  first_name: TextOrNull,
  last_name: TextOrNull,
  address: Schema.optionalKey(Schema.NullOr(Address)),
  endorsements: Schema.optionalKey(Schema.NullOr(Schema.Array(Endorsement))),
  /** `reason` is a text for the customer, unlike `developer_reason`. */
  rejection_reasons: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ reason: TextOrNull })))),
  requirements_due: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
})
export type CustomerBody = typeof CustomerBody.Type

export const ExternalAccountBody = Schema.Struct({ id: Schema.String })

/** Error that contains the id of the customer's existing account. */
export const DuplicateAccount = Schema.Struct({ code: Schema.Literal("duplicate_external_account"), id: Schema.String })

export const RatesBody = Schema.Struct({ buy_rate: Schema.String, sell_rate: Schema.String })

export const TransferState = Schema.Literals([
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "undeliverable",
  "returned",
  "missing_return_policy",
  "refunded",
  "canceled",
  "error"
])

export const TransferBody = Schema.Struct({
  id: Schema.String,
  state: TransferState,
  amount: DecimalOrNull,
  source_deposit_instructions: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        payment_rail: TextOrNull,
        amount: DecimalOrNull,
        currency: TextOrNull,
        deposit_message: TextOrNull,
        // Only in payment instructions for the United States.
        bank_name: TextOrNull,
        bank_address: TextOrNull,
        bank_routing_number: TextOrNull,
        bank_account_number: TextOrNull,
        bank_beneficiary_name: TextOrNull,
        bank_beneficiary_address: TextOrNull,
        // Only in payment instructions for Mexico and Brazil.
        clabe: TextOrNull,
        br_code: TextOrNull,
        account_holder_name: TextOrNull,
        // Only in instructions for payments on a chain.
        from_address: TextOrNull,
        to_address: TextOrNull
      })
    )
  ),
  receipt: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        initial_amount: DecimalOrNull,
        final_amount: DecimalOrNull,
        source_tx_hash: TextOrNull,
        destination_tx_hash: TextOrNull
      })
    )
  )
})
export type TransferBody = typeof TransferBody.Type
