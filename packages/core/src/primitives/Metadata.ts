import { Schema } from "effect"

/** Free key/value pairs of the caller's, echoed on the resulting resource and usable as a history filter. */
export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)),
  Schema.String.check(Schema.isMaxLength(4096))
).check(
  Schema.makeFilter((metadata: { readonly [key: string]: string }) =>
    Object.keys(metadata).length <= 50 ? undefined : "Expected at most 50 metadata keys"
  )
)
export type Metadata = typeof Metadata.Type
