import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import type { ApiKey } from "./ApiKey.ts"
import { type Project, ProjectId } from "./Project.ts"

export const aProjectId = (): ProjectId => ProjectId.make(aUuid())

export const aProject = (fields: Partial<Project> = {}): Project => ({
  id: aProjectId(),
  organizationId: aUuid(),
  name: `project ${aUuid()}`,
  treasury: null,
  bitcoinTreasury: null,
  computeUnits: null,
  createdAt: at(0),
  ...fields
})

export const aKey = (fields: Partial<ApiKey> = {}): ApiKey => ({
  id: aUuid().replaceAll("-", "").slice(-16),
  projectId: aProjectId(),
  name: "A key",
  environment: "test",
  hash: "ab".repeat(32),
  scopes: ["read", "quote"],
  createdAt: at(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...fields
})
