import {
  aVerifyingSession,
  identityProviderContract,
  personalDataFor
} from "@countersign/core/contracts/identity/provider/IdentityProvider"
import { countryCode, type VerificationSession } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import {
  type SumsubEmulator,
  type SumsubFault,
  startSumsubEmulator,
  sumsubLevels,
  sumsubSecrets
} from "../../../test/identity/SumsubEmulator.ts"
import { makeSumsub } from "./SumsubProvider.ts"
import { alpha3Of, sessionFromExternalId, subjectsOf } from "./sumsubApplicants.ts"

const PDF = Buffer.from("%PDF-1.7 a document")

let sumsub: SumsubEmulator
beforeAll(async () => {
  sumsub = await startSumsubEmulator()
})
afterAll(() => sumsub.stop())

const providerWith = (changes: { readonly secretKey?: string; readonly webhookSecret?: null } = {}) =>
  makeSumsub(
    {
      url: sumsub.url,
      appToken: Redacted.make(sumsubSecrets.appToken),
      secretKey: Redacted.make(changes.secretKey ?? sumsubSecrets.secretKey),
      webhookSecret: changes.webhookSecret === null ? null : Redacted.make(sumsubSecrets.webhookSecret),
      levels: sumsubLevels
    },
    { read: () => Effect.succeed(PDF) }
  )

const externalOf = ({ id, projectId }: VerificationSession, ownerId: string | null) =>
  [projectId, id, ...(ownerId === null ? [] : [ownerId])].join(".")

const imagesOf = (session: VerificationSession) =>
  subjectsOf(session).flatMap(({ externalUserId }) => sumsub.applicants.get(externalUserId)?.images ?? [])

identityProviderContract("Sumsub", () => ({
  provider: providerWith(),
  decide: (session, ownerId, refusal) =>
    sumsub.review(externalOf(session, ownerId), refusal === null ? "GREEN" : "RED", refusal ?? undefined),
  countDocuments: (session) => imagesOf(session).length,
  loseResponse: (after) => (after === null ? sumsub.heal() : sumsub.failAll({ _tag: "AnswerLost" }, after)),
  callbackOf: (session) => sumsub.message(externalOf(session, session.ownerIds[0] ?? null))
}))

const verificationOf = (session: VerificationSession) => ({
  session,
  personalData: Effect.succeed(personalDataFor(session.kind))
})
const check = (session: VerificationSession, provider = providerWith()) =>
  Effect.runPromise(provider.check(verificationOf(session)))
const refusal = (session: VerificationSession, provider = providerWith()) =>
  Effect.runPromise(Effect.flip(provider.check(verificationOf(session))))

describe("a request to Sumsub", () => {
  it("contains a company with its registration, and each owner as a separate person", async () => {
    const session = aVerifyingSession("business")
    await check(session)
    const company = sumsub.applicants.get(externalOf(session, null))!
    assert.strictEqual(company.level, sumsubLevels.business)
    assert.deepInclude(company.body, { type: "company", email: "contato@padaria.example", phone: "5541999990000" })
    assert.deepStrictEqual(company.body.info, {
      companyInfo: {
        companyName: "Padaria Souza Ltda",
        registrationNumber: "33000167000101",
        country: "BRA",
        legalAddress: "Rua das Flores 12, 80010-000, Curitiba, PR",
        type: "LTDA",
        email: "contato@padaria.example",
        phone: "5541999990000"
      }
    })
    const owner = sumsub.applicants.get(externalOf(session, "own_2"))!
    assert.strictEqual(owner.level, sumsubLevels.individual)
    assert.deepInclude(owner.body, {
      type: "individual",
      fixedInfo: {
        firstName: "Bruno",
        lastName: "Souza",
        dob: "1990-12-31",
        country: "BRA",
        addresses: [{ street: "Rua das Flores 12", town: "Curitiba", state: "PR", postCode: "80010-000" }]
      }
    })
    const sides = ({ idDocSubType, idDocType }: { readonly idDocType: string; readonly idDocSubType?: string }) =>
      [idDocType, idDocSubType ?? null] as const
    assert.deepStrictEqual(company.images.map(sides), [
      ["COMPANY_DOC", "PROOF_OF_ADDRESS"],
      ["COMPANY_DOC", "INCORPORATION_ARTICLES"]
    ])
    assert.deepStrictEqual(owner.images.map(sides), [
      ["DRIVERS", "FRONT_SIDE"],
      ["DRIVERS", "BACK_SIDE"],
      ["UTILITY_BILL", null]
    ])
    assert.deepStrictEqual(owner.images[0]!.content, PDF)
    assert.strictEqual(owner.images[0]!.type, "application/pdf")
  })

  it("contains only the photo page of a passport", async () => {
    const session = aVerifyingSession("individual")
    const personalData = { ...personalDataFor("individual"), documentCategory: "PASSPORT" as const }
    await Effect.runPromise(providerWith().check({ session, personalData: Effect.succeed(personalData as never) }))
    assert.deepStrictEqual(
      imagesOf(session).map(({ idDocType }) => idDocType),
      ["PASSPORT", "UTILITY_BILL"]
    )
  })

  it("uses a three-letter code for every country of the API", () => {
    assert.strictEqual(alpha3Of("BRAZIL"), "BRA")
    for (const country of ["UNITED_STATES", "WESTERN_SAHARA", "TAIWAN", "BONAIRE_SINT_EUSTATIUS_AND_SABA"] as const) {
      assert.match(alpha3Of(country), /^[A-Z]{3}$/u, countryCode(country))
    }
  })
})

describe("a response from Sumsub", () => {
  const temporaryFaults: ReadonlyArray<readonly [string, SumsubFault]> = [
    ["a rate limit", { _tag: "Status", status: 429 }],
    ["a server error", { _tag: "Status", status: 503 }],
    ["a conflict with a pending change", { _tag: "Status", status: 409 }],
    ["a body that is not JSON", { _tag: "Body", text: "<html>" }],
    ["another form", { _tag: "Body", text: '{"id":7}' }],
    ["nothing", { _tag: "HangUp" }]
  ]
  it.each(temporaryFaults)("is requested again after %s", async (_, fault) => {
    const session = aVerifyingSession("individual")
    sumsub.failAll(fault)
    assert.strictEqual((await refusal(session))._tag, "UPSTREAM_UNAVAILABLE")
    sumsub.heal()
    assert.deepStrictEqual(await check(session), { _tag: "Waiting" })
  })

  it("passes the session to the operator, without the person's data in the message, if it is a rejection", async () => {
    const session = aVerifyingSession("individual")
    sumsub.fail({ _tag: "Status", status: 400, body: { description: "Invalid name Ana Souza", errorCode: 4003 } }, 1)
    assert.deepStrictEqual(await check(session), { _tag: "ForReview" })
  })

  it("is a failure and not a verdict if the credentials are rejected", async () => {
    const wrongKeyRefusal = await refusal(aVerifyingSession("individual"), providerWith({ secretKey: "another" }))
    assert.match(wrongKeyRefusal.message, /Sumsub.*status 401/u)
  })

  it("has the labels of a rejection if its reviewers wrote no reason", async () => {
    const session = aVerifyingSession("individual")
    await check(session)
    sumsub.review(externalOf(session, null), "RED")
    assert.deepStrictEqual(await check(session), { _tag: "Rejected", reason: "LOW_QUALITY, SCREENSHOTS" })
  })

  it("is awaited if it requests documents again after a withdrawn rejection", async () => {
    const session = aVerifyingSession("individual")
    await check(session)
    sumsub.applicants.get(externalOf(session, null))!.review = { reviewStatus: "onHold" }
    assert.deepStrictEqual(await check(session), { _tag: "Waiting" })
  })
})

describe("a webhook from Sumsub", () => {
  const session = aVerifyingSession("individual")
  const external = externalOf(session, null)

  it("is accepted with SHA-256 and SHA-512, and not with SHA-1 or without a secret", () => {
    const callbackTag = (algorithm: "sha1" | "sha256" | "sha512", provider = providerWith()) =>
      provider.readCallback(sumsub.message(external, algorithm))._tag
    assert.deepStrictEqual(
      [
        callbackTag("sha256"),
        callbackTag("sha512"),
        callbackTag("sha1"),
        callbackTag("sha256", providerWith({ webhookSecret: null }))
      ],
      ["Genuine", "Genuine", "Refused", "Refused"]
    )
  })

  it("may concern applicants of other services", () => {
    for (const otherExternalId of ["somebody", "a.b", `${external}.more`, `x y.${session.id}`]) {
      assert.isNull(sessionFromExternalId(otherExternalId), otherExternalId)
      assert.deepStrictEqual(providerWith().readCallback(sumsub.message(otherExternalId)), {
        _tag: "Genuine",
        session: null
      })
    }
  })
})
