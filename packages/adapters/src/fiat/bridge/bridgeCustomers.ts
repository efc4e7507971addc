import {
  type CustomerRegistration,
  FiatRefusal,
  type ProviderCustomers,
  type RegistrationOutcome,
  type RegistrationRequest
} from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { IndividualId, type Owner, type PersonalData } from "@countersign/core/identity"
import { DateTime, Effect, Predicate, Semaphore } from "effect"
import { contentTypeOf } from "../../identity/index.ts"
import { operatorText } from "../operatorText.ts"
import {
  agreementOf,
  alpha3Of,
  contactOf,
  type DocumentType,
  isAboutData,
  linkIdentity,
  linkWithReturn,
  type ReadDocument,
  refusalFields,
  sessionDocument
} from "../registrationData.ts"
import { type BridgeSettings, bridgeApi, TITLE } from "./bridgeApi.ts"
import { CustomerBody, UrlBody } from "./bridgeBodies.ts"
import { endorsementOf } from "./bridgeWords.ts"
import { keyOf } from "./keyOf.ts"

const documentTypes = {
  PASSPORT: "passport",
  IDENTITY_CARD: "national_id",
  DRIVERS_LICENSE: "drivers_license"
} as const satisfies Record<Owner["documentCategory"], string>

const MEBIBYTE = 1_048_576
/**
 * Maximum total size of the documents in a request. The request needs about five times as much memory for base64 and
 * JSON.
 */
const MAX_DOCUMENTS_MEBIBYTES = 50
/** Number of requests with documents that are prepared and sent concurrently. */
const SUBMISSIONS = 2

/** Hours for which Bridge accepts an idempotency key. Afterwards it responds with 422. */
const KEY_HOURS = 24

/** Customer statuses in which Bridge accepts more data. */
const openStatuses: ReadonlySet<string> = new Set([
  "incomplete",
  "not_started",
  "awaiting_questionnaire",
  "awaiting_ubo",
  "rejected"
])

/** Returns the names in a tree of requirements, which nests lists below `all_of` and `any_of`. */
const namesIn = (missing: unknown): ReadonlyArray<string> => {
  if (typeof missing === "string") return /^[\w-]{1,64}$/u.test(missing) ? [missing] : []
  if (Array.isArray(missing)) return missing.flatMap(namesIn)
  return Predicate.isObject(missing) ? Object.values(missing).flatMap(namesIn) : []
}

const outcomeOf = ({
  endorsements,
  rejection_reasons,
  requirements_due,
  status
}: CustomerBody): RegistrationOutcome => {
  switch (status) {
    case "active":
      return { status: "ACTIVE" }
    case "rejected": {
      const reasons = (rejection_reasons ?? []).flatMap(({ reason }) => reason ?? []).join(", ")
      return { status: "REJECTED", reason: reasons === "" ? "Bridge gave no reason" : operatorText(reasons) }
    }
    case "paused":
    case "offboarded":
      return { status: "REJECTED", reason: `Bridge ${status} the customer` }
    case "under_review":
      return { status: "PENDING" }
    default: {
      const missingNames = (endorsements ?? []).flatMap(({ requirements }) => namesIn(requirements?.missing))
      // Ignores this requirement, because bank accounts are added only with orders.
      const dueRequirements = (requirements_due ?? []).filter((name) => name !== "external_account")
      const fields = [...new Set([...dueRequirements, ...missingNames])]
      return { status: "ACTION_REQUIRED", fields: fields.length === 0 ? [status] : fields }
    }
  }
}

/**
 * Creates the service that registers people and businesses with Bridge.
 * https://apidocs.bridge.xyz/api-reference/customers/create-a-customer
 */
export const bridgeCustomers = (
  settings: BridgeSettings,
  links: ProviderCustomers["Service"],
  read: ReadDocument,
  name: string
): CustomerRegistration => {
  const { requestDecoded, ask: api } = bridgeApi(settings)
  const submissions = Semaphore.makeUnsafe(SUBMISSIONS)

  const linkedOutcome = (request: RegistrationRequest, customer: CustomerBody) =>
    Effect.map(linkIdentity(links, request, customer.id), (refusal) => refusal ?? outcomeOf(customer))

  /** Returns a function that reads the documents of one request. It fails if their total size is too large. */
  const filesOf = (request: RegistrationRequest) => {
    let bytes = 0
    return Effect.fnUntraced(function* (type: DocumentType, ownerId: string | null) {
      const content = yield* sessionDocument(read, request, type, ownerId)
      if (content === null) return null
      bytes += content.length
      if (bytes > MAX_DOCUMENTS_MEBIBYTES * MEBIBYTE) {
        const reason = `the documents have more than ${MAX_DOCUMENTS_MEBIBYTES} MiB in total, and Bridge requires all of them in one request. Verify the identity again with smaller documents`
        return yield* new FiatRefusal({ provider: TITLE, reason })
      }
      const media = contentTypeOf(content) ?? "application/octet-stream"
      return `data:${media};base64,${Buffer.from(content).toString("base64")}`
    })
  }

  const personBody = Effect.fnUntraced(function* (
    request: RegistrationRequest,
    fileOf: ReturnType<typeof filesOf>,
    person: Owner,
    ownerId: string | null
  ) {
    const [front, back] = [yield* fileOf("front", ownerId), yield* fileOf("back", ownerId)]
    const address = yield* fileOf("proofOfAddress", ownerId)
    const country = alpha3Of(person.documentCountry)
    const taxId = ownerId === null ? request.submission?.details?.taxId : undefined
    const [taxIdType = country === "USA" ? "ssn" : "other"] = [
      ownerId === null ? request.submission?.details?.taxIdType : undefined
    ]
    return {
      first_name: person.firstName,
      last_name: person.lastName,
      birth_date: person.birthDate,
      residential_address: {
        street_line_1: person.address,
        city: person.city,
        subdivision: person.state,
        postal_code: person.postalCode,
        country: ownerId === null ? alpha3Of(request.session.country) : country
      },
      identifying_information: [
        {
          type: documentTypes[person.documentCategory],
          issuing_country: country,
          number: person.documentId,
          ...(front === null ? {} : { image_front: front }),
          ...(back === null || person.documentCategory === "PASSPORT" ? {} : { image_back: back })
        },
        ...(taxId === undefined ? [] : [{ type: taxIdType, issuing_country: country, number: taxId }])
      ],
      ...(address === null ? {} : { documents: [{ purposes: ["proof_of_address"], file: address }] })
    }
  })

  const customerBody = Effect.fnUntraced(function* (
    request: RegistrationRequest,
    personal: PersonalData,
    agreement: string | null
  ) {
    const sharedFields = {
      ...contactOf(request, personal),
      ...(agreement === null ? {} : { signed_agreement_id: agreement }),
      endorsements: Object.values(endorsementOf)
    }
    const fileOf = filesOf(request)
    if (personal._tag === "individual") {
      return { ...sharedFields, type: "individual", ...(yield* personBody(request, fileOf, personal, null)) }
    }
    const details = request.submission?.details ?? {}
    const [articles, proof] = [yield* fileOf("socialContract", null), yield* fileOf("proofOfAddress", null)]
    const address = {
      street_line_1: personal.streetLine1,
      ...(personal.streetLine2 === undefined ? {} : { street_line_2: personal.streetLine2 }),
      city: personal.city,
      subdivision: personal.state,
      postal_code: personal.postalCode,
      country: alpha3Of(personal.country)
    }
    const owners = yield* Effect.forEach(personal.owners, (owner, index) =>
      Effect.map(personBody(request, fileOf, owner, request.session.ownerIds[index]!), (body) => ({
        ...body,
        has_ownership: true,
        // Bridge requires one person in each role. The first listed owner is the most important one.
        has_control: index === 0,
        is_signer: index === 0
      }))
    )
    const website = details.website ?? personal.website
    return {
      ...sharedFields,
      type: "business",
      business_legal_name: personal.legalName,
      ...(details.businessType === undefined ? {} : { business_type: details.businessType }),
      ...(details.businessDescription === undefined ? {} : { business_description: details.businessDescription }),
      ...(website === undefined ? {} : { primary_website: website }),
      registered_address: address,
      physical_address: address,
      identifying_information: [
        {
          type: details.taxIdType ?? "other",
          issuing_country: address.country,
          number: details.taxId ?? personal.documentId
        }
      ],
      documents: [
        ...(articles === null ? [] : [{ purposes: ["business_formation", "ownership_information"], file: articles }]),
        ...(proof === null ? [] : [{ purposes: ["proof_of_address"], file: proof }])
      ],
      associated_persons: owners
    }
  })

  /** Creates the customer, or submits more data for an existing one. */
  const submit = Effect.fnUntraced(
    function* (request: RegistrationRequest, customer: string | null) {
      const personalData = yield* request.personalData
      if (personalData === null) return { status: "PENDING" } satisfies RegistrationOutcome
      const agreementId = agreementOf(request, personalData)
      if (agreementId === null && settings.hasTerms)
        return { status: "ACTION_REQUIRED", fields: ["agreementId"] } satisfies RegistrationOutcome
      const body = yield* customerBody(request, personalData, agreementId)
      const { attempt, identityId, projectId, sessionId, updatedAt } = request.registration
      const createdCustomer = yield* requestDecoded(CustomerBody, {
        ...(customer === null
          ? {
              method: "POST",
              path: "/customers",
              key: keyOf("customer", projectId, identityId, sessionId, String(attempt))
            }
          : { method: "PUT", path: `/customers/${encodeURIComponent(customer)}` }),
        hasDocuments: true,
        body
      })
      if (createdCustomer._tag === "Done") return yield* linkedOutcome(request, createdCustomer.value)
      const fields = refusalFields(createdCustomer.body)
      if (fields.length > 0) return { status: "ACTION_REQUIRED", fields } satisfies RegistrationOutcome
      // If Bridge rejects the idempotency key, its response names no field.
      const isKeyExpired =
        customer === null &&
        createdCustomer.status === 422 &&
        DateTime.isGreaterThan(yield* DateTime.now, DateTime.add(updatedAt, { hours: KEY_HOURS }))
      if (isKeyExpired) {
        const reason = `a request more than ${KEY_HOURS} hours ago may have created the customer. The operator must link the customer (countersign identity link)`
        return yield* new UpstreamUnavailable({ upstream: TITLE, reason })
      }
      if (!isAboutData(createdCustomer))
        return yield* new UpstreamUnavailable({ upstream: TITLE, reason: createdCustomer.reason })
      return { status: "REJECTED", reason: createdCustomer.reason } satisfies RegistrationOutcome
    },
    Effect.catchTag("FIAT_REFUSAL", ({ reason }) =>
      Effect.succeed<RegistrationOutcome>({ status: "REJECTED", reason })
    ),
    Semaphore.withPermit(submissions)
  )

  /**
   * Finds a customer by its id; null if Bridge does not return it. An operator may have created a customer with the
   * individual's id without linking it.
   */
  const find = Effect.fnUntraced(function* (customer: string) {
    const foundCustomer = yield* requestDecoded(CustomerBody, {
      method: "GET",
      path: `/customers/${encodeURIComponent(customer)}`
    })
    return foundCustomer._tag === "Done" ? foundCustomer.value : null
  })

  return {
    // Bridge publishes no list of countries. Customers from unsupported countries can't accept its terms, and Bridge
    // returns the status.
    serves: () => true,
    termsLink: settings.hasTerms
      ? Effect.fn("Bridge.termsLink")(function* (redirectUrl: string | null) {
          const key = crypto.randomUUID()
          const { url } = yield* api(UrlBody, { method: "POST", path: "/customers/tos_links", key, body: {} })
          return linkWithReturn(url, "redirect_uri", redirectUrl)
        })
      : null,
    register: Effect.fn("Bridge.register")(function* (request) {
      const { attempt, identityId, projectId, status } = request.registration
      const linkedCustomer = yield* links.find(projectId, IndividualId.make(identityId), name)
      const customer = yield* find(linkedCustomer ?? identityId)
      if (customer === null && linkedCustomer !== null) {
        return yield* new UpstreamUnavailable({ upstream: TITLE, reason: "it does not have the customer" })
      }
      if (customer === null) return yield* submit(request, null)
      const isResubmission = attempt > 0 && status === "PENDING" && openStatuses.has(customer.status)
      return isResubmission ? yield* submit(request, customer.id) : yield* linkedOutcome(request, customer)
    })
  }
}
