import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import type { Project, ProjectChanges, ProjectId } from "./Project.ts"

export interface KeyOfProject {
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
    /** Returns false and stores nothing if another project has the name. */
    readonly insert: (project: Project) => Effect.Effect<boolean>
    readonly find: (id: ProjectId) => Effect.Effect<Option.Option<Project>>
    /** Oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /**
     * Sets the given fields and returns the changed project; none if there is no such project. It is one statement that
     * touches no other field, so that it does not undo concurrent changes.
     */
    readonly update: (id: ProjectId, changes: ProjectChanges) => Effect.Effect<Option.Option<Project>>
    /** Renames a project. Returns false and changes nothing if another project has the name. */
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<boolean>
    /**
     * Deletes a project, so that its keys are no longer valid, and its webhooks with their deliveries. Its operations
     * stay stored for the operator's accounting. Its name becomes available. Returns whether there was such a project.
     */
    readonly remove: (id: ProjectId, at: DateTime.Utc) => Effect.Effect<boolean>
    readonly insertKey: (key: ApiKey) => Effect.Effect<void>
    /** The key and its project in one query. Includes revoked and expired keys, and keys of deleted projects. */
    readonly findKey: (keyId: string) => Effect.Effect<Option.Option<KeyOfProject>>
    /** Oldest first. */
    readonly listKeys: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Returns whether there was such a key that was not yet revoked. */
    readonly revokeKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
    /** Moves `lastUsedAt` forward, never back. */
    readonly touchKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<void>
    /** Sets the expiry of a key, unless it expires sooner already. Returns whether there is such a key. */
    readonly expireKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/projects/ProjectStore") {}
