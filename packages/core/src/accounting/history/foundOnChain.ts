import { Schema } from "effect"
import { Address } from "../../foundation/primitives/index.ts"
import { detailsKind } from "./detailsKind.ts"
import type { Transaction } from "./Transaction.ts"

/** The `details` of a transaction that was detected on-chain: its token. */
export const detectedTokenDetails = detailsKind("found", Schema.Struct({ token: Address, isListed: Schema.Boolean }))

/** Returns whether a transaction moves a token that the service does not list, which may be spam. */
export const isUnlisted = (transaction: Pick<Transaction, "details">): boolean =>
  detectedTokenDetails.in(transaction)?.isListed === false
