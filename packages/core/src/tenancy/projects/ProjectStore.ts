import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import type { Project, ProjectChanges, ProjectId } from "./Project.ts"

export interface KeyOfProject {
  readonly key: ApiKey
  readonly project: Project
  /** Null while the project exists. */
  readonly deletedAt: DateTime.Utc | null
}

/** Where projects and their keys are kept. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    /** False, with nothing stored, where another project has the name. */
    readonly insert: (project: Project) => Effect.Effect<boolean>
    readonly find: (id: ProjectId) => Effect.Effect<Option.Option<Project>>
    /** Oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /**
     * Sets the named fields and answers the changed project; none where there is no such project. It is one statement
     * that touches no other fields, so that it does not undo what others change at the same time.
     */
    readonly update: (id: ProjectId, changes: ProjectChanges) => Effect.Effect<Option.Option<Project>>
    /** Gives a project another name. False, with nothing changed, where another project has it. */
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<boolean>
    /**
     * Deletes a project, so that its keys admit nobody, and its webhooks with their deliveries. What it did stays stored, for the
     * operator's books. Its name is free again. Answers whether there was such a project.
     */
    readonly remove: (id: ProjectId, at: DateTime.Utc) => Effect.Effect<boolean>
    readonly insertKey: (key: ApiKey) => Effect.Effect<void>
    /** The key and its project in one look-up. Revoked and expired keys are found too, and those of deleted projects. */
    readonly findKey: (keyId: string) => Effect.Effect<Option.Option<KeyOfProject>>
    /** Oldest first. */
    readonly listKeys: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Answers whether there was such a key that was not yet revoked. */
    readonly revokeKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
    /** Moves `lastUsedAt` forward, never back. */
    readonly touchKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<void>
    /** Sets an end to a key's validity, unless it ends sooner already. Answers whether there is such a key. */
    readonly expireKey: (keyId: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/projects/ProjectStore") {}
