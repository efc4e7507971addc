import { Schema, SchemaTransformation } from "effect"
import { Argument } from "effect/cli"
import { readAs } from "./readAs.ts"

/** Converts a hexadecimal id to lower case. Accepts other ids unchanged. */
const QuoteId = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text): string => (text.startsWith("0x") ? text.toLowerCase() : text),
      encode: (id) => id
    })
  )
)

/** The argument of commands for a quote. */
export const quoteArgument = Argument.String("quote").pipe(
  Argument.withDescription("Id of the quote, which the quote command prints"),
  readAs(QuoteId)
)
