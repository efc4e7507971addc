import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Address, BitcoinAddress } from "../../foundation/primitives/index.ts"
import { Entropy, hexDigits } from "../../foundation/primitives/index.ts"
import { API_KEY_ENTROPY_BYTES, type ApiKey, apiKeyIdOrNone, apiKeyText, type Scope } from "./ApiKey.ts"
import {
  ApiKeyNotFound,
  InvalidApiKey,
  ProjectIsMoving,
  ProjectNameTaken,
  ProjectNotFound,
  ScopeMissing
} from "./errors.ts"
import { type Project, type ProjectChanges, ProjectId } from "./Project.ts"
import type { ProjectMove } from "./ProjectMove.ts"
import { ProjectStore } from "./ProjectStore.ts"

/** The caller of a request: the project and the scopes of the API key. */
export interface Caller {
  readonly project: Project
  readonly keyId: string
  readonly scopes: ReadonlyArray<Scope>
  /** The time when the key expires. Null if it does not expire. */
  readonly expiresAt: DateTime.Utc | null
}

/**
 * Expiry of the request's key. Null for a key that does not expire, and for the library and the command line, which use
 * no key.
 */
export const CallerExpiry = Context.Reference<DateTime.Utc | null>("@countersign/core/tenancy/projects/CallerExpiry", {
  defaultValue: () => null
})

export interface NewKey {
  readonly name: string
  readonly environment: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: DateTime.Utc | null
}

/** Minimum interval between two writes of a key's last use, so that requests rarely wait for each other's writes. */
const LAST_USE_GRANULARITY_MS = 60_000

const encoder = new TextEncoder()

/** Compares texts of equal length in constant time, so that the response time does not reveal digits of a hash. */
const equalsInConstantTime = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ (b.charCodeAt(i) || 0)
  return difference === 0
}

/**
 * Returns whether the caller has a scope. `admin` implies every scope of its project. No scope implies `operator`,
 * which covers all projects.
 */
export const hasScope = ({ scopes }: Pick<Caller, "scopes">, scope: Scope): boolean =>
  scopes.includes(scope) || (scope !== "operator" && scopes.includes("admin"))

const isUsable = (key: ApiKey, now: DateTime.Utc): boolean =>
  key.revokedAt === null && (key.expiresAt === null || DateTime.isGreaterThan(key.expiresAt, now))

/** Manages projects and their API keys. */
export class Projects extends Context.Service<
  Projects,
  {
    readonly create: (
      name: string,
      treasury: Address | null,
      bitcoinTreasury?: BitcoinAddress | null
    ) => Effect.Effect<Project, ProjectNameTaken>
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /** Moves to and from other databases. */
    readonly listMoves: Effect.Effect<ReadonlyArray<ProjectMove>>
    readonly get: (id: ProjectId) => Effect.Effect<Project, ProjectNotFound>
    /** Creates an API key. Only this call returns the key itself; the database has its hash. */
    readonly createKey: (
      id: ProjectId,
      request: NewKey
    ) => Effect.Effect<{ readonly key: ApiKey; readonly text: string }, ProjectNotFound>
    readonly listKeys: (id: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>, ProjectNotFound>
    /** Revokes a key. Returns false if it does not exist, or if it was already revoked. */
    readonly revokeKey: (keyId: string) => Effect.Effect<boolean>
    /** Revokes a key of this project. Fails if it does not exist, or if it was already revoked. */
    readonly revokeKeyOf: (id: ProjectId, keyId: string) => Effect.Effect<void, ApiKeyNotFound>
    readonly authenticate: (keyText: string) => Effect.Effect<Caller, InvalidApiKey | ProjectIsMoving | ProjectNotFound>
    readonly requireScope: (caller: Caller, scope: Scope) => Effect.Effect<void, ScopeMissing>
    /**
     * Creates a key with the name, scopes, environment and expiry of an old key. The old key stays valid until the
     * overlap ends or until it expires. Null if the old key does not exist or is no longer valid.
     */
    readonly rotateKey: (
      keyId: string,
      overlapMs: number
    ) => Effect.Effect<{ readonly key: ApiKey; readonly text: string } | null>
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<Project, ProjectNotFound | ProjectNameTaken>
    /**
     * Invalidates the project's keys and deletes its webhooks. Its pending operations are still tracked until they end,
     * and its history stays in the database.
     */
    readonly remove: (id: ProjectId) => Effect.Effect<void, ProjectNotFound>
    /**
     * Sets the treasuries and the budget of compute units. Null means none. Units that processes have leased at this
     * time belong to the old budget. They are spent or returned in addition to the new budget: fewer than 50 per
     * process, plus the cost of one request.
     */
    readonly update: (id: ProjectId, changes: ProjectChanges) => Effect.Effect<Project, ProjectNotFound>
  }
>()("@countersign/core/projects/Projects") {
  static readonly layer = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const store = yield* ProjectStore
      const entropy = yield* Entropy
      const hashOf = (text: string) => Effect.map(entropy.sha256(encoder.encode(text)), hexDigits)

      const requireExisting = (id: ProjectId, project: Option.Option<Project>) =>
        Option.match(project, {
          onNone: () => Effect.fail(new ProjectNotFound({ projectId: id })),
          onSome: Effect.succeed
        })

      const get = Effect.fn("Projects.get")(function* (id: ProjectId) {
        return yield* requireExisting(id, yield* store.find(id))
      })

      const revokeKey = (keyId: string) => Effect.flatMap(DateTime.now, (now) => store.revokeKey(keyId, now))

      const createKeyText = (environment: string): Effect.Effect<{ readonly id: string; readonly text: string }> =>
        Effect.flatMap(entropy.bytes(API_KEY_ENTROPY_BYTES), (bytes) =>
          Option.match(apiKeyText(environment, bytes), {
            onNone: () => createKeyText(environment),
            onSome: Effect.succeed
          })
        )

      const makeKey = Effect.fnUntraced(function* (projectId: ProjectId, request: NewKey) {
        const { id, text } = yield* createKeyText(request.environment)
        const key: ApiKey = {
          id,
          projectId,
          name: request.name,
          environment: request.environment,
          hash: yield* hashOf(text),
          scopes: request.scopes,
          createdAt: yield* DateTime.now,
          expiresAt: request.expiresAt,
          revokedAt: null,
          lastUsedAt: null
        }
        yield* store.insertKey(key)
        return { key, text }
      })

      return Projects.of({
        create: Effect.fn("Projects.create")(function* (name, treasury, bitcoinTreasury = null) {
          const project: Project = {
            id: ProjectId.make(yield* entropy.uuid),
            organizationId: yield* entropy.uuid,
            name,
            treasury,
            bitcoinTreasury,
            computeUnits: null,
            createdAt: yield* DateTime.now
          }
          return (yield* store.insert(project)) ? project : yield* new ProjectNameTaken({ name })
        }),
        list: store.list,
        listMoves: store.listMoves,
        get,
        createKey: Effect.fn("Projects.createKey")(function* (id, request) {
          const project = yield* get(id)
          return yield* makeKey(project.id, request)
        }),
        listKeys: Effect.fn("Projects.listKeys")(function* (id) {
          yield* get(id)
          return yield* store.listKeys(id)
        }),
        revokeKey,
        revokeKeyOf: Effect.fn("Projects.revokeKeyOf")(function* (id, keyId) {
          const isOfProject = Option.exists(yield* store.findKey(keyId), ({ key }) => key.projectId === id)
          if (!isOfProject || !(yield* revokeKey(keyId))) return yield* new ApiKeyNotFound({ keyId })
        }),
        authenticate: Effect.fnUntraced(function* (text) {
          const keyId = apiKeyIdOrNone(text)
          if (Option.isNone(keyId)) return yield* new InvalidApiKey()
          const record = yield* store.findKey(keyId.value)
          const hash = yield* hashOf(text)
          const now = yield* DateTime.now
          if (Option.isNone(record)) return yield* new InvalidApiKey()
          const { deletedAt, isMoving, key, project } = record.value
          if (!equalsInConstantTime(hash, key.hash) || !isUsable(key, now)) return yield* new InvalidApiKey()
          if (deletedAt !== null) return yield* new ProjectNotFound({ projectId: project.id })
          if (isMoving) return yield* new ProjectIsMoving()
          if (
            key.lastUsedAt === null ||
            DateTime.toEpochMillis(now) - DateTime.toEpochMillis(key.lastUsedAt) >= LAST_USE_GRANULARITY_MS
          ) {
            yield* store.touchKey(key.id, now)
          }
          return { project, keyId: key.id, scopes: key.scopes, expiresAt: key.expiresAt }
        }),
        requireScope: (caller, scope) =>
          hasScope(caller, scope) ? Effect.void : Effect.fail(new ScopeMissing({ scope })),
        update: Effect.fn("Projects.update")(function* (id, changes) {
          return yield* requireExisting(id, yield* store.update(id, changes))
        }),
        rename: Effect.fn("Projects.rename")(function* (id, name) {
          const project = yield* get(id)
          return (yield* store.rename(id, name)) ? { ...project, name } : yield* new ProjectNameTaken({ name })
        }),
        remove: Effect.fn("Projects.remove")(function* (id) {
          if (!(yield* store.remove(id, yield* DateTime.now))) return yield* new ProjectNotFound({ projectId: id })
        }),
        rotateKey: Effect.fn("Projects.rotateKey")(function* (keyId, overlapMs) {
          const record = yield* store.findKey(keyId)
          const now = yield* DateTime.now
          if (Option.isNone(record) || record.value.deletedAt !== null || !isUsable(record.value.key, now)) return null
          const { key: oldKey } = record.value
          const newKey = yield* makeKey(oldKey.projectId, oldKey)
          yield* store.expireKey(keyId, DateTime.add(now, { milliseconds: overlapMs }))
          return newKey
        })
      })
    })
  )
}
