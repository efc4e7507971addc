import { Schema } from "effect"
import { withDefault } from "./schemaDescriptions.ts"

/** The caller's key/value pairs. Responses return them with the resource, and the history can be filtered by them. */
export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)),
  Schema.String.check(Schema.isMaxLength(4096))
).check(Schema.isMaxProperties(50, { message: "Expected at most 50 metadata keys" }))
export type Metadata = typeof Metadata.Type

/** The metadata field of requests. */
export const metadataField = withDefault(
  Metadata,
  {},
  "Your own key/value pairs, at most 50. Responses contain them, and the history can be filtered by them"
)
