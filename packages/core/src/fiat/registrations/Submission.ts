import { Schema } from "effect"
import { withDescription } from "../../foundation/primitives/index.ts"

const text = (maxLength: number) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^(?=.*\\S)[^\\p{C}]{1,${maxLength}}$`, "u"), {
      message: `Expected 1 to ${maxLength} printable characters`
    })
  )

/** The data that an identity submits to a fiat provider after its approval. */
export const Submission = Schema.Struct({
  agreementId: Schema.optionalKey(
    text(200).pipe(
      withDescription("Id of the provider's terms that the customer accepted, from the redirect of the terms link")
    )
  ),
  details: Schema.optionalKey(
    Schema.Record(Schema.String.check(Schema.isPattern(/^[A-Za-z_]{1,64}$/u)), text(500))
      .check(Schema.isMaxProperties(30))
      .annotate({ description: "A value for each of the `fields` that the provider needs" })
  )
})
export type Submission = typeof Submission.Type

const submissionText = Schema.fromJsonString(Submission)
export const submissionTextOf = Schema.encodeSync(submissionText)
export const submissionOf = Schema.decodeSync(submissionText)

/** Merges a submission with the data of earlier submissions. */
export const mergeSubmissions = (earlier: Submission, later: Submission): Submission => ({
  ...earlier,
  ...later,
  details: { ...earlier.details, ...later.details }
})
