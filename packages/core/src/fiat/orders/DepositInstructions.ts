import { Schema } from "effect"

const Party = Schema.Struct({ name: Schema.String, addressLine1: Schema.String, addressLine2: Schema.String })

const memoCode = { memoCode: Schema.NullOr(Schema.String) }

const usAccount = {
  routingNumber: Schema.String,
  accountNumber: Schema.String,
  accountType: Schema.Literals(["CHECKING", "SAVING"]),
  beneficiary: Party,
  receivingBank: Party,
  ...memoCode
}

/** How the payer pays a deposit, by payment method. */
export const DepositInstructions = Schema.Union([
  Schema.Struct({ type: Schema.Literal("ACH"), ...usAccount }),
  Schema.Struct({ type: Schema.Literal("WIRE"), ...usAccount }),
  Schema.Struct({
    type: Schema.Literal("PIX"),
    /** Null if the code contains a URL of the bank instead of a PIX key. */
    pixKey: Schema.NullOr(Schema.String),
    brCode: Schema.String,
    expiresAt: Schema.DateTimeUtc,
    ...memoCode
  }),
  Schema.Struct({
    type: Schema.Literal("SPEI"),
    clabe: Schema.String,
    beneficiary: Schema.NullOr(Schema.String),
    reference: Schema.NullOr(Schema.String),
    ...memoCode
  }),
  Schema.Struct({
    type: Schema.Literal("TRANSFERS"),
    account: Schema.String,
    beneficiary: Schema.NullOr(Schema.String),
    ...memoCode
  })
])
export type DepositInstructions = typeof DepositInstructions.Type
