import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { ProviderRegistration } from "./ProviderRegistration.ts"

export const aRegistration = (fields: Partial<ProviderRegistration> = {}): ProviderRegistration => ({
  projectId: aProjectId(),
  identityId: `ind_${aUuid()}`,
  provider: "bridge",
  sessionId: `kyc_${aUuid()}`,
  status: "PENDING",
  reason: null,
  fields: [],
  attempt: 0,
  createdAt: at(0),
  updatedAt: at(0),
  ...fields
})
