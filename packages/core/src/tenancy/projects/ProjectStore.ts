import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import type { Project, ProjectChanges, ProjectId } from "./Project.ts"
import type { ProjectMove } from "./ProjectMove.ts"

export interface ProjectKey {
  readonly key: ApiKey
  readonly project: Project
  /** Null while the project exists. */
  readonly deletedAt: DateTime.Utc | null
  /** Whether the project is being moved to another database, or was moved. */
  readonly isMoving: boolean
}

/** Stores projects and their API keys. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    /** Stores a project. Returns false and stores nothing if another project has the name. */
    readonly insert: (project: Project) => Effect.Effect<boolean>
    readonly find: (id: ProjectId) => Effect.Effect<Option.Option<Project>>
    /** All projects, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /**
     * Moves to and from other databases, sorted by the project's name. Includes moves that have ended in this database.
     */
    readonly listMoves: Effect.Effect<ReadonlyArray<ProjectMove>>
    /**
     * Sets the given fields, and returns the changed project. `None` if the project does not exist. A single statement
     * writes only these fields, so that it does not overwrite concurrent changes.
     */
    readonly update: (id: ProjectId, changes: ProjectChanges) => Effect.Effect<Option.Option<Project>>
    /** Renames a project. Returns false and changes nothing if another project has the name. */
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<boolean>
    /**
     * Deletes a project. Its keys become invalid. Its webhooks with their deliveries, and its schedules of tax exports
     * are deleted. Its operations stay stored for the operator's accounting. Its name becomes available. Returns false
     * if the project does not exist.
     */
    readonly remove: (id: ProjectId, at: DateTime.Utc) => Effect.Effect<boolean>
    readonly insertKey: (key: ApiKey) => Effect.Effect<void>
    /** Finds a key and its project in one query. Includes revoked and expired keys, and keys of deleted projects. */
    readonly findKey: (keyId: string) => Effect.Effect<Option.Option<ProjectKey>>
    /** Returns the keys of a project, oldest first. */
    readonly listKeys: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Revokes a key. Returns false if it does not exist, or if it was already revoked. */
    readonly revokeKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
    /** Sets `lastUsedAt`, unless the stored time is later. */
    readonly touchKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<void>
    /** Sets the expiry of a key, unless it expires earlier. Returns false if the key does not exist. */
    readonly expireKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/projects/ProjectStore") {}
