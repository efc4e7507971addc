import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { IdentityProvider, IdentityProviderRequest, PersonalData, Verdict } from "@countersign/core/identity"
import { Effect, type Schema } from "effect"
import type { DocumentFiles } from "../SealedDocuments.ts"
import { contentTypeOf } from "../uploadPolicy.ts"
import { type SumsubSettings, sumsubApi, TITLE } from "./sumsubApi.ts"
import { applicantBodyOf, type DocumentDefinition, definitionOf, type Subject, subjectsOf } from "./sumsubApplicants.ts"
import { AnyBody, type Applicant, ApplicantBody, ImagesBody } from "./sumsubBodies.ts"
import { readSumsubCallback } from "./sumsubCallback.ts"
import { isSubmitted, verdictOf } from "./sumsubVerdict.ts"

const notFound = (resourceName: string) =>
  new UpstreamUnavailable({ upstream: TITLE, reason: `it did not find ${resourceName}` })

/** Returns a value that identifies a side of a document, with which two images are compared. */
const sideOf = ({ idDocSubType, idDocType }: { readonly idDocType: string; readonly idDocSubType?: string | null }) =>
  `${idDocType} ${idDocSubType ?? ""}`

const formOf = (definition: DocumentDefinition, content: Uint8Array): FormData => {
  const type = contentTypeOf(content) ?? "application/octet-stream"
  const form = new FormData()
  form.append("metadata", JSON.stringify(definition))
  form.append("content", new Blob([Buffer.from(content)], { type }), `document.${type.split("/")[1]}`)
  return form
}

/**
 * Creates the provider for verification by Sumsub. A person is one applicant. A business and each of its owners are
 * separate applicants. Applicants are found by `externalUserId`, so that an interrupted submission can continue.
 */
export const makeSumsub = (
  settings: SumsubSettings,
  documents: Pick<DocumentFiles["Service"], "read">
): IdentityProvider => {
  const api = sumsubApi(settings)
  const requestRequired = <A>(schema: Schema.Codec<A, unknown>, request: Parameters<typeof api>[1], what: string) =>
    Effect.flatMap(api(schema, request), (response) =>
      response === null ? Effect.fail(notFound(what)) : Effect.succeed(response)
    )

  const find = ({ externalUserId }: Subject) =>
    api(ApplicantBody, { method: "GET", path: `/resources/applicants/-;externalUserId=${externalUserId}/one` })

  const create = (subject: Subject, request: IdentityProviderRequest, personal: PersonalData) => {
    const level = encodeURIComponent(settings.levels[subject.kind])
    const body = applicantBodyOf(subject, request, personal)
    return requestRequired(
      ApplicantBody,
      { method: "POST", path: `/resources/applicants?levelName=${level}`, body },
      `the level ${settings.levels[subject.kind]}`
    )
  }

  /** Uploads documents in the order of the session, because Sumsub requires the front of a document before its back. */
  const upload = Effect.fnUntraced(function* (
    { id }: Applicant,
    subject: Subject,
    request: IdentityProviderRequest,
    personal: PersonalData
  ) {
    const path = `/resources/applicants/${id}`
    const { items } = yield* requestRequired(
      ImagesBody,
      { method: "GET", path: `${path}/metadata/resources` },
      "the applicant"
    )
    const uploadedSides = new Set(
      items.filter(({ deactivated }) => deactivated !== true).map(({ idDocDef }) => sideOf(idDocDef))
    )
    for (const document of request.session.documents.filter(({ ownerId }) => ownerId === subject.ownerId)) {
      const definition = definitionOf(subject, document, request, personal)
      if (definition === null || uploadedSides.has(sideOf(definition))) continue
      const content = yield* documents.read({ key: document.key, identityId: request.session.identityId })
      // The document was erased during the submission, so the session has ended.
      if (content === null) return
      const body = formOf(definition, content)
      const headers = { "x-return-doc-warnings": "true" }
      yield* requestRequired(AnyBody, { method: "POST", path: `${path}/info/idDoc`, body, headers }, "the applicant")
    }
    yield* requestRequired(AnyBody, { method: "POST", path: `${path}/status/pending` }, "the applicant")
  })

  const submitDocuments = Effect.fnUntraced(function* (
    existingApplicant: Applicant | null,
    subject: Subject,
    request: IdentityProviderRequest
  ) {
    const personalData = yield* request.personalData
    if (personalData === null) return
    yield* upload(existingApplicant ?? (yield* create(subject, request, personalData)), subject, request, personalData)
  })

  const check = Effect.fnUntraced(function* (request: IdentityProviderRequest) {
    const applicants = yield* Effect.forEach(subjectsOf(request.session), (subject) =>
      Effect.gen(function* () {
        const applicant = yield* find(subject)
        if (applicant !== null && isSubmitted(applicant)) return applicant
        yield* submitDocuments(applicant, subject, request)
        return yield* find(subject)
      })
    )
    const knownApplicants = applicants.filter((one) => one !== null)
    return knownApplicants.length < applicants.length
      ? ({ _tag: "Waiting" } satisfies Verdict)
      : verdictOf(knownApplicants)
  })

  return {
    name: "sumsub",
    check: (request) =>
      check(request).pipe(
        Effect.catchTag("SUMSUB_REFUSAL", ({ message }) =>
          Effect.as(Effect.logWarning("the operator must decide on a verification", message), {
            _tag: "ForReview"
          } satisfies Verdict)
        )
      ),
    readCallback: (callback) => readSumsubCallback(settings.webhookSecret, callback)
  }
}
