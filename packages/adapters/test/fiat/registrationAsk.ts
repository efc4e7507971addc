import { aRegistration } from "@countersign/core/contracts/fiat/registrations/ProviderRegistrationStore"
import { aVerifyingSession } from "@countersign/core/contracts/identity/provider/IdentityProvider"
import type { ProviderRegistration, RegistrationRequest, Submission } from "@countersign/core/fiat"
import type { PersonalData } from "@countersign/core/identity"
import { Effect } from "effect"
import { anOwner } from "../../../core/src/identity/verification/verification.fixture.ts"

const person: Extract<PersonalData, { readonly _tag: "individual" }> = {
  _tag: "individual",
  ...anOwner({ documentCategory: "IDENTITY_CARD" })
}

/**
 * Returns a function that builds registration requests of an approved person. All its requests have the same session.
 */
export const registrationRequestsOf = (provider: string, changes: Partial<typeof person> = {}) => {
  const session = aVerifyingSession("individual")
  const registration = aRegistration({
    projectId: session.projectId,
    identityId: `${session.identityId}_${session.id}`,
    sessionId: session.id,
    provider
  })
  return (submission: Submission | null = null, fields: Partial<ProviderRegistration> = {}): RegistrationRequest => ({
    registration: { ...registration, ...fields },
    session,
    personalData: Effect.succeed({ ...person, ...changes }),
    submission
  })
}

/** Returns the same PDF for every document. */
export const readPdf = () => Effect.succeed(Buffer.from("%PDF-1.7 Ana"))
