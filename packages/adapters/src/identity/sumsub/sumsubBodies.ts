import { Schema } from "effect"

/** The review of an applicant. GREEN and RED are final until another check starts. */
const Review = Schema.Struct({
  reviewStatus: Schema.String,
  reviewResult: Schema.optionalKey(
    Schema.Struct({
      reviewAnswer: Schema.optionalKey(Schema.String),
      moderationComment: Schema.optionalKey(Schema.String),
      rejectLabels: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
})
export type Review = typeof Review.Type

/** An applicant: https://docs.sumsub.com/reference/get-applicant-data-via-externaluserid */
export const ApplicantBody = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[\da-zA-Z]{1,64}$/u)),
  review: Schema.optionalKey(Review)
})
export type Applicant = typeof ApplicantBody.Type

/** The images of an applicant: https://docs.sumsub.com/reference/get-information-about-document-images */
export const ImagesBody = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      deactivated: Schema.optionalKey(Schema.Boolean),
      idDocDef: Schema.Struct({
        idDocType: Schema.String,
        idDocSubType: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    })
  )
})

/** A response whose content is not used. */
export const AnyBody = Schema.Unknown
