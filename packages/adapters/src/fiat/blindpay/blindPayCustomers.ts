import {
  type CustomerRegistration,
  FiatRefusal,
  type ProviderCustomers,
  type RegistrationOutcome,
  type RegistrationRequest
} from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { countryCode, IndividualId, type Owner, type PersonalData } from "@countersign/core/identity"
import { Effect, Predicate, Semaphore } from "effect"
import { contentTypeOf } from "../../identity/index.ts"
import { operatorText } from "../operatorText.ts"
import {
  agreementOf,
  contactOf,
  type DocumentType,
  isAboutData,
  linkIdentity,
  linkWithReturn,
  type ReadDocument,
  refusalFields,
  sessionDocument
} from "../registrationData.ts"
import { type BlindPaySettings, blindPayApis, TITLE } from "./blindPayApi.ts"
import { CustomerStatusBody, IdBody, RfiBody, UploadBody, UrlBody } from "./blindPayBodies.ts"
import { customerByExternalId } from "./customerByExternalId.ts"

/** Countries in which BlindPay accepts no customers. https://blindpay.com/docs/kb/supported-countries, August 2026 */
const prohibitedCountries: ReadonlySet<string> = new Set(
  "AF BY CF CG CD CU GN IR IQ KP LY ML MM NG PS QA RU SO SS SD UA VE YE".split(" ")
)

const documentTypes = {
  PASSPORT: "PASSPORT",
  IDENTITY_CARD: "ID_CARD",
  DRIVERS_LICENSE: "DRIVERS"
} as const satisfies Record<Owner["documentCategory"], string>

/** Number of documents that are loaded into memory and uploaded concurrently. */
const UPLOADS = 2

/**
 * Returns the field to which BlindPay's error message refers; null if it refers to none.
 * https://blindpay.com/docs/learn/customers
 */
const messageField = (message: string): string | null => {
  if (/tos|terms_of_service/u.test(message)) return "agreementId"
  return /tax_id/u.test(message) ? "taxId" : null
}

/**
 * Builds the external id of a customer. A rejected customer can't be changed, so each attempt creates a new customer
 * with its own external id.
 */
const externalIdOf = ({ attempt, identityId }: RegistrationRequest["registration"]): string =>
  attempt === 0 ? identityId : `${identityId}.${attempt}`

const warningsOf = (warnings: CustomerStatusBody["kyc_warnings"]): string =>
  (warnings ?? [])
    .map((warning) => warning.code ?? warning.message ?? "")
    .filter((text) => text !== "")
    .join(", ")

/** Creates the service that registers people and businesses with BlindPay. https://blindpay.com/docs/learn/customers */
export const blindPayCustomers = (
  settings: BlindPaySettings,
  links: ProviderCustomers["Service"],
  read: ReadDocument,
  name: string
): CustomerRegistration => {
  const { instance, root } = blindPayApis(settings)
  const uploads = Semaphore.makeUnsafe(UPLOADS)
  const upstreamError = (reason: string) => new UpstreamUnavailable({ upstream: TITLE, reason })

  const statusOf = (customer: string) =>
    instance
      .ask(CustomerStatusBody, { method: "GET", path: `/customers/${encodeURIComponent(customer)}` })
      .pipe(Effect.catchTag("FIAT_REFUSAL", ({ reason }) => upstreamError(reason)))

  const openRequests = (customer: string) =>
    instance.ask(RfiBody, { method: "GET", path: `/customers/${encodeURIComponent(customer)}/rfi` }).pipe(
      Effect.map((rfi) => rfi?.request.flatMap(({ fields }) => fields.map(({ key }) => key)) ?? []),
      Effect.catchTag("FIAT_REFUSAL", () => Effect.succeed([]))
    )

  const outcomeOf = Effect.fnUntraced(function* (customer: string, body: CustomerStatusBody) {
    switch (body.kyc_status) {
      case "approved":
      case "approved_rfi":
        return { status: "ACTIVE" } satisfies RegistrationOutcome
      case "rejected": {
        const warnings = warningsOf([...(body.kyc_warnings ?? []), ...(body.fraud_warnings ?? [])])
        const reason = warnings === "" ? "BlindPay gave no reason" : operatorText(warnings)
        return { status: "REJECTED", reason } satisfies RegistrationOutcome
      }
      case "compliance_request": {
        const fields = yield* openRequests(customer)
        return {
          status: "ACTION_REQUIRED",
          fields: fields.length === 0 ? ["requestForInformation"] : fields
        } satisfies RegistrationOutcome
      }
      default:
        return { status: "PENDING" } satisfies RegistrationOutcome
    }
  })

  const linkedOutcome = Effect.fnUntraced(function* (request: RegistrationRequest, customer: string) {
    const refusal = yield* linkIdentity(links, request, customer)
    return refusal ?? (yield* outcomeOf(customer, yield* statusOf(customer)))
  })

  const upload = Effect.fnUntraced(function* (content: Uint8Array | null) {
    if (content === null) return null
    const type = contentTypeOf(content) ?? "application/octet-stream"
    const form = new FormData()
    form.append("bucket", "onboarding")
    form.append("file", new Blob([Buffer.from(content)], { type }), `document.${type.split("/")[1]}`)
    const path = `/upload?instance_id=${encodeURIComponent(settings.instanceId)}`
    const uploadResult = yield* root.requestDecoded(UploadBody, { method: "POST", path, body: form })
    if (uploadResult._tag === "Done") return uploadResult.value.file_url
    return yield* isAboutData(uploadResult)
      ? new FiatRefusal({ provider: TITLE, reason: uploadResult.reason })
      : upstreamError(uploadResult.reason)
  })

  const uploadDocument = (request: RegistrationRequest, type: DocumentType, ownerId: string | null) =>
    Semaphore.withPermit(uploads, Effect.flatMap(sessionDocument(read, request, type, ownerId), upload))

  const personBody = Effect.fnUntraced(function* (request: RegistrationRequest, person: Owner, ownerId: string | null) {
    const backImage = person.documentCategory === "PASSPORT" ? null : yield* uploadDocument(request, "back", ownerId)
    return {
      first_name: person.firstName,
      last_name: person.lastName,
      date_of_birth: `${person.birthDate}T00:00:00Z`,
      tax_id: (ownerId === null ? request.submission?.details?.taxId : undefined) ?? person.documentId,
      address_line_1: person.address,
      city: person.city,
      state_province_region: person.state,
      postal_code: person.postalCode,
      id_doc_country: countryCode(person.documentCountry),
      id_doc_type: documentTypes[person.documentCategory],
      id_doc_front_file: yield* uploadDocument(request, "front", ownerId),
      ...(backImage === null ? {} : { id_doc_back_file: backImage }),
      proof_of_address_doc_type: "UTILITY_BILL",
      proof_of_address_doc_file: yield* uploadDocument(request, "proofOfAddress", ownerId)
    }
  })

  const customerBody = Effect.fnUntraced(function* (
    request: RegistrationRequest,
    personal: PersonalData,
    agreement: string | null
  ) {
    const { registration, session } = request
    const { email, phone } = contactOf(request, personal)
    const sharedFields = {
      ...(agreement === null ? {} : { tos_id: agreement }),
      external_id: externalIdOf(registration),
      kyc_type: "standard",
      country: countryCode(session.country),
      email,
      phone_number: phone
    }
    if (personal._tag === "individual") {
      return { ...sharedFields, type: "individual", ...(yield* personBody(request, personal, null)) }
    }
    const { formationDate, ...details } = request.submission?.details ?? {}
    const owners = yield* Effect.forEach(personal.owners, (owner, index) =>
      Effect.map(personBody(request, owner, session.ownerIds[index]!), (body) => ({
        role: "beneficial_controlling",
        country: countryCode(owner.documentCountry),
        ...body
      }))
    )
    // The articles of association list the owners, so they prove both the business and its owners.
    const articles = yield* uploadDocument(request, "socialContract", null)
    return {
      ...sharedFields,
      type: "business",
      legal_name: personal.legalName,
      tax_id: details.taxId ?? personal.documentId,
      ...(formationDate === undefined ? {} : { formation_date: `${formationDate}T00:00:00Z` }),
      ...((details.website ?? personal.website) === undefined ? {} : { website: details.website ?? personal.website }),
      address_line_1: personal.streetLine1,
      ...(personal.streetLine2 === undefined ? {} : { address_line_2: personal.streetLine2 }),
      city: personal.city,
      state_province_region: personal.state,
      postal_code: personal.postalCode,
      incorporation_doc_file: articles,
      proof_of_ownership_doc_file: articles,
      proof_of_address_doc_type: "UTILITY_BILL",
      proof_of_address_doc_file: yield* uploadDocument(request, "proofOfAddress", null),
      owners
    }
  })

  const refusalOutcome = (body: unknown, reason: string): RegistrationOutcome => {
    const message = Predicate.hasProperty(body, "message") && typeof body.message === "string" ? body.message : ""
    const namedField = messageField(message)
    const fields = namedField === null ? refusalFields(body) : [namedField]
    return fields.length === 0 ? { status: "REJECTED", reason } : { status: "ACTION_REQUIRED", fields }
  }

  const create = Effect.fnUntraced(function* (request: RegistrationRequest) {
    const personalData = yield* request.personalData
    if (personalData === null) return { status: "PENDING" } satisfies RegistrationOutcome
    const agreement = agreementOf(request, personalData)
    if (agreement === null && settings.hasTerms) {
      return { status: "ACTION_REQUIRED", fields: ["agreementId"] } satisfies RegistrationOutcome
    }
    const body = yield* customerBody(request, personalData, agreement)
    const createdCustomer = yield* instance.requestDecoded(IdBody, { method: "POST", path: "/customers", body })
    if (createdCustomer._tag === "Done") return yield* linkedOutcome(request, createdCustomer.value.id)
    const outcome = refusalOutcome(createdCustomer.body, createdCustomer.reason)
    return isAboutData(createdCustomer) || outcome.status === "ACTION_REQUIRED"
      ? outcome
      : yield* upstreamError(createdCustomer.reason)
  })

  /** Searches for the customer first, because an earlier request whose response was lost may have created it. */
  const findOrCreate = Effect.fnUntraced(function* (request: RegistrationRequest) {
    const externalId = externalIdOf(request.registration)
    const customer = yield* customerByExternalId(instance, externalId).pipe(
      Effect.catchTag("FIAT_REFUSAL", ({ reason }) => upstreamError(reason))
    )
    return customer === null ? yield* create(request) : yield* linkedOutcome(request, customer)
  })

  return {
    serves: (country) => !prohibitedCountries.has(countryCode(country)),
    termsLink: settings.hasTerms
      ? Effect.fn("BlindPay.termsLink")(function* (redirectUrl: string | null) {
          const path = `/e/instances/${encodeURIComponent(settings.instanceId)}/tos`
          const idempotency_key = crypto.randomUUID()
          const { url } = yield* root.ask(UrlBody, { method: "POST", path, body: { idempotency_key } })
          return linkWithReturn(url, "redirect_url", redirectUrl)
        })
      : null,
    register: (request) =>
      Effect.gen(function* () {
        const { attempt, identityId, projectId } = request.registration
        const linkedCustomer = yield* links.find(projectId, IndividualId.make(identityId), name)
        if (linkedCustomer === null) return yield* findOrCreate(request)
        const body = yield* statusOf(linkedCustomer)
        const isOfEarlierAttempt = attempt > 0 && body.external_id !== externalIdOf(request.registration)
        return body.kyc_status === "rejected" && isOfEarlierAttempt
          ? yield* findOrCreate(request)
          : yield* outcomeOf(linkedCustomer, body)
      }).pipe(
        Effect.catchTag("FIAT_REFUSAL", ({ reason }) =>
          Effect.succeed<RegistrationOutcome>({ status: "REJECTED", reason })
        )
      )
  }
}
