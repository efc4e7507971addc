import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import { ProviderRegistration } from "./ProviderRegistration.ts"
import type { RegistrationStatus } from "./registrationStates.ts"

/** The events of registrations with fiat providers. They contain ids, states and field names, and no personal data. */
export const registrationEvents = eventKind(
  "kyc.provider",
  ["kyc.provider.pending", "kyc.provider.active", "kyc.provider.action_required", "kyc.provider.rejected"],
  ProviderRegistration
)

export const registrationEventOf = (
  registration: ProviderRegistration,
  previousStatus: RegistrationStatus | null
): NewEvent => {
  const { identityId, projectId, provider, status, updatedAt } = registration
  return registrationEvents.eventOf({
    projectId,
    type: `kyc.provider.${status.toLowerCase() as Lowercase<RegistrationStatus>}`,
    id: `${identityId}:${provider}`,
    at: updatedAt,
    previousStatus,
    resource: registration
  })
}
