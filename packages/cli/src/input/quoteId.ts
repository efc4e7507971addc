import { Schema, SchemaTransformation } from "effect"
import { Argument } from "effect/cli"
import { readAs } from "./readAs.ts"

/** A hexadecimal id may be in upper or lower case. */
const QuoteId = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text): string => (text.startsWith("0x") ? text.toLowerCase() : text),
      encode: (id) => id
    })
  )
)

/** The quote of a command. */
export const quoteArgument = Argument.String("quote").pipe(
  Argument.withDescription("Id of the quote, from the output of the quoting command"),
  readAs(QuoteId)
)
