import { ApiKey, Project, type ProjectChanges } from "@countersign/core/projects"
import { checkType, instantOf, instantOrNull, millisOf, millisOrNull } from "./codec.ts"
import type { Tables } from "./tables.ts"

/** Named one by one: a plan that Postgres keeps for `*` fails once a migration has added a column. */
export const projectColumns = [
  "id",
  "organization_id",
  "name",
  "treasury",
  "compute_units",
  "created_at"
] as const satisfies ReadonlyArray<keyof Tables["projects"]>

const checkedProject = checkType(Project)
const checkedKey = checkType(ApiKey)

export const rowOfProject = (project: Project): Tables["projects"] => ({
  id: project.id,
  organization_id: project.organizationId,
  name: project.name,
  treasury: project.treasury,
  compute_units: project.computeUnits,
  created_at: millisOf(project.createdAt),
  deleted_at: null
})

export const columnsOfChanges = ({ computeUnits, treasury }: ProjectChanges): Partial<Tables["projects"]> => ({
  ...(treasury === undefined ? {} : { treasury }),
  ...(computeUnits === undefined ? {} : { compute_units: computeUnits })
})

export const projectOfRow = (row: Omit<Tables["projects"], "deleted_at">): Project =>
  checkedProject({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    treasury: row.treasury,
    computeUnits: row.compute_units,
    createdAt: instantOf(row.created_at)
  })

export const rowOfKey = (key: ApiKey): Tables["api_keys"] => ({
  id: key.id,
  project_id: key.projectId,
  name: key.name,
  environment: key.environment,
  hash: key.hash,
  scopes: JSON.stringify(key.scopes),
  created_at: millisOf(key.createdAt),
  expires_at: millisOrNull(key.expiresAt),
  revoked_at: millisOrNull(key.revokedAt),
  last_used_at: millisOrNull(key.lastUsedAt)
})

export const keyOfRow = (row: Tables["api_keys"]): ApiKey =>
  checkedKey({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    environment: row.environment,
    hash: row.hash,
    scopes: JSON.parse(row.scopes),
    createdAt: instantOf(row.created_at),
    expiresAt: instantOrNull(row.expires_at),
    revokedAt: instantOrNull(row.revoked_at),
    lastUsedAt: instantOrNull(row.last_used_at)
  })

/** A key's row beside the columns of its project whose names both have. */
type KeyRow = Tables["api_keys"]

export interface KeyWithProjectRow
  extends KeyRow,
    Pick<Tables["projects"], "organization_id" | "treasury" | "compute_units"> {
  project_name: string
  project_created_at: number
}

export const keyAndProjectOfRow = (row: KeyWithProjectRow): { readonly key: ApiKey; readonly project: Project } => ({
  key: keyOfRow(row),
  project: projectOfRow({ ...row, id: row.project_id, name: row.project_name, created_at: row.project_created_at })
})
