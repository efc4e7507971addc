import { lendingFields } from "@countersign/core/trading/lending"
import { Schema } from "effect"

/** The body of POST /api/v1/lending/quote. */
export const LendingRequestBody = Schema.Struct(lendingFields)
  .annotate({
    identifier: "LendingRequest",
    description: "One of: `supply`; `supply` and `borrow`; `borrow`; `repay`; `withdraw`; `repay` and `withdraw`"
  })
  .pipe(Schema.brand("LendingRequest"))
