import { createHash } from "node:crypto"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Clock, Duration, Effect, Redacted, Schema } from "effect"
import { sql } from "kysely"
import { OPERATOR_STAGES, projectLeases } from "../claims.ts"
import { Db } from "../Db.ts"
import { subjectKeys } from "../KyselySubjectKeys.ts"
import { migrations } from "../migrations/index.ts"
import { renewFingerprints } from "../renewFingerprints.ts"
import { SubjectKeys } from "../SubjectKeys.ts"
import { sealingKeyId } from "../secrets/index.ts"
import { acquireAdvisoryLock } from "../transactions.ts"
import { copyRows, digestsOf, subjectKeysOf, type TableDigest } from "./movedRows.ts"

/** A project can't be moved, or can't be moved now. */
export class MoveRefused extends Schema.TaggedError<MoveRefused>("adapters/kysely/MoveRefused")("MOVE_REFUSED", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/** Work of a paused project that must end in the source database. */
export interface RemainingWork {
  /** Number of operations whose bundle is not final. */
  readonly operations: number
  /** Number of claims of workers and of requests in progress. */
  readonly claims: number
}

export type MoveStep =
  | { readonly _tag: "Paused" }
  | ({ readonly _tag: "Waiting" } & RemainingWork)
  | { readonly _tag: "Copied" }
  | { readonly _tag: "Closed" }

export interface MoveRequest {
  readonly source: Db["Service"]
  readonly target: Db["Service"]
  readonly projectId: ProjectId
  /** Host and name of the target database, without credentials. */
  readonly targetName: string
  /** Maximum time that the project stays paused before its operations are final, in milliseconds. */
  readonly timeoutMs: number
  /** Maximum duration of a request in milliseconds. After this time all requests from before the pause have ended. */
  readonly requestTimeoutMs: number
  /** Called after each step. If it fails, the completed steps are not undone. */
  readonly report: (step: MoveStep) => Effect.Effect<void>
}

export interface MoveResult {
  /** Digests of the copied tables; null if an earlier run had already copied the rows. */
  readonly tables: ReadonlyArray<TableDigest> | null
}

const POLL_MS = 1_000
/**
 * Maximum number of copies. The service changes some rows without a claim, such as rows after their retention time, and
 * a changed copy must be made again.
 */
const COPIES_MAX = 3

const FINGERPRINTS = "fingerprints"

/** Reads the state of a move: null for an active project, undefined if there is no such project. */
const stateOf = (db: Db["Service"], projectId: ProjectId) =>
  Effect.map(
    db.all<{ readonly state: string | null; readonly target: string | null }>(
      sql`select state, target from projects left join project_moves on project_id = id
        where id = ${projectId} and deleted_at is null`
    ),
    ([row]) => (row === undefined ? undefined : row.state === null ? null : row)
  )

const namesOf = (db: Db["Service"]) =>
  Effect.map(db.all<{ readonly name: string }>(sql`select name from schema_migrations order by name`), (rows) =>
    rows.map(({ name }) => name)
  )

const requireSameSchema = Effect.fnUntraced(function* ({ source, target }: MoveRequest) {
  const expected = migrations.map(({ name }) => name).join()
  for (const [databaseLabel, db] of [
    ["This", source],
    ["The target", target]
  ] as const) {
    const names = yield* Effect.catchDefect(namesOf(db), () => Effect.succeed([]))
    if (names.join() !== expected) {
      return yield* new MoveRefused({
        reason: `${databaseLabel} database was not migrated by this version. Run \`countersign db migrate\` of this version on both databases.`
      })
    }
  }
})

/** Returns the ids of the operator's keys with which the project's secrets are encrypted. */
const sealingKeysOf = Effect.fnUntraced(function* (db: Db["Service"], projectId: ProjectId) {
  const endpoints = yield* db.all<{ readonly secrets: string }>(
    sql`select secrets from webhook_endpoints where project_id = ${projectId}`
  )
  return new Set([...endpoints, ...(yield* subjectKeysOf(db, projectId))].map(({ secrets }) => sealingKeyId(secrets)))
})

const sealedRowsQuery = sql<{ readonly secrets: string }>`
  select secrets from webhook_endpoints union all select secrets from subject_keys
  union all select secrets from moved_subject_keys`

/**
 * Fails if the project's secrets are encrypted with a key that the target has not used, because the target's service
 * could not decrypt them. If the target has no secrets at all, its keys are unknown, and the check passes.
 */
const requireSameKeys = Effect.fnUntraced(function* ({ projectId, source, target }: MoveRequest) {
  const ids = yield* sealingKeysOf(source, projectId)
  const targetIds = new Set((yield* target.all(sealedRowsQuery)).map(({ secrets }) => sealingKeyId(secrets)))
  const unknownKeyIds = targetIds.size === 0 ? [] : [...ids].filter((id) => !targetIds.has(id))
  if (unknownKeyIds.length === 0) return
  return yield* new MoveRefused({
    reason: `The target database has no secrets under the key ${unknownKeyIds.join(", ")}, with which secrets of this project are encrypted. Use the same SECRETS_KEY for both services and restart the target's service, which then encrypts its secrets with that key.`
  })
})

/** Rejects a name that another project of the target has. Otherwise the copy would fail after the project is paused. */
const requireUnusedName = Effect.fnUntraced(function* ({ projectId, source, target }: MoveRequest) {
  const [project] = yield* source.all<{ readonly name: string }>(
    sql`select name from projects where id = ${projectId} and deleted_at is null`
  )
  if (project === undefined) return
  const [other] = yield* target.all(
    sql`select id from projects where name = ${project.name} and id <> ${projectId} and deleted_at is null`
  )
  if (other === undefined) return
  return yield* new MoveRefused({
    reason: `The target database has another project with the name "${project.name}". Rename one of the two, and run the command again.`
  })
})

/** Leases of workers and of requests in progress. */
const LEASES = [...projectLeases, ["idempotent_requests", "locked_until"]] as const

const countOf = (db: Db["Service"], query: ReturnType<typeof sql<{ readonly count: number }>>) =>
  Effect.map(db.all(query), ([row]) => Number(row!.count))

const remainingWork = Effect.fnUntraced(function* (db: Db["Service"], projectId: ProjectId, now: number) {
  const operations = yield* countOf(
    db,
    sql`select count(*) as count from executions
      where project_id = ${projectId} and due_at is not null and stage in (${sql.join(OPERATOR_STAGES)})`
  )
  const claims = yield* Effect.forEach(LEASES, ([table, lease]) =>
    countOf(
      db,
      sql`select count(*) as count from ${sql.table(table)} where project_id = ${projectId} and ${sql.ref(lease)} > ${now}`
    )
  )
  return { operations, claims: claims.reduce((sum, count) => sum + count, 0) }
})

/** Pauses the project for a move to the target. An earlier run may have paused it already. */
const pauseProject = ({ projectId, source, targetName }: MoveRequest) =>
  Effect.map(
    source.run(sql`insert into project_moves (project_id, state, target) values (${projectId}, 'MOVING', ${targetName})
      on conflict (project_id) do update set target = excluded.target where project_moves.state = 'MOVING'`),
    (changedCount) => changedCount === 1
  )

const resume = (db: Db["Service"], projectId: ProjectId, state: "ARRIVING" | "MOVING") =>
  Effect.map(
    db.run(sql`delete from project_moves where project_id = ${projectId} and state = ${state}`),
    (changedCount) => changedCount === 1
  )

const waitForWork = Effect.fnUntraced(function* ({
  projectId,
  report,
  requestTimeoutMs,
  source,
  timeoutMs
}: MoveRequest) {
  const startedAt = yield* Clock.currentTimeMillis
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const pendingWork = yield* remainingWork(source, projectId, now)
    if (pendingWork.operations + pendingWork.claims === 0 && now - startedAt >= requestTimeoutMs) return
    yield* report({ _tag: "Waiting", ...pendingWork })
    if (now - startedAt >= timeoutMs) {
      yield* resume(source, projectId, "MOVING")
      return yield* new MoveRefused({
        reason: `The project was not moved and is active again: after ${Duration.format(Duration.millis(timeoutMs))}, ${pendingWork.operations} operations were not final, and ${pendingWork.claims} requests or claims of workers were in progress. Try again later or with a longer --timeout.`
      })
    }
    yield* Effect.sleep(POLL_MS)
  }
})

/** Marks the project as moved and returns true if the copy has the same rows. Otherwise returns false. */
const closeProject = ({ projectId, source, targetName }: MoveRequest, copiedDigests: ReadonlyArray<TableDigest>) =>
  source.transaction(
    Effect.gen(function* () {
      if (source.dialect === "postgres") yield* source.run(sql`set transaction isolation level repeatable read`)
      const digests = yield* digestsOf(source, projectId)
      const isEqual = digests.every(
        ({ rows, sha256 }, i) => copiedDigests[i]!.rows === rows && copiedDigests[i]!.sha256 === sha256
      )
      if (!isEqual) return false
      const closedCount = yield* source.run(
        sql`update project_moves set state = 'MOVED'
          where project_id = ${projectId} and state = 'MOVING' and target = ${targetName}`
      )
      if (closedCount === 1) return true
      return yield* new MoveRefused({
        reason: "Another run has changed the move of this project. Run the command again."
      })
    })
  )

/**
 * Computes the fingerprints of document numbers again, unless both databases have the same key for them. Must run
 * before the project is resumed, so that a document number still belongs to only one identity.
 */
const renewIfNeeded = Effect.fnUntraced(function* ({ projectId, source, target }: MoveRequest) {
  const fingerprints = yield* countOf(
    target,
    sql`select count(*) as count from verification_identities where project_id = ${projectId}`
  )
  if (fingerprints === 0) return
  const fingerprintKeyOf = (db: Db["Service"]) =>
    Effect.flatMap(Effect.provideService(subjectKeys, Db, db), (keys) => keys.find(FINGERPRINTS))
  const hashOf = (key: Redacted.Redacted<Uint8Array>) => createHash("sha256").update(Redacted.value(key)).digest("hex")
  const [sourceKey, targetKey] = [yield* fingerprintKeyOf(source), yield* fingerprintKeyOf(target)]
  if (sourceKey !== null && targetKey !== null && hashOf(sourceKey) === hashOf(targetKey)) return
  yield* target.run(sql`update verification_identities set number_form = 1 where project_id = ${projectId}`)
  yield* renewFingerprints.pipe(
    Effect.provideServiceEffect(SubjectKeys, subjectKeys),
    Effect.provideService(Db, target)
  )
})

/** Runs a change of the copy. Other runs of the same move wait until it is committed. */
const withMoveLock = <A, E>({ projectId, target }: MoveRequest, change: Effect.Effect<A, E>) =>
  target.transaction(Effect.andThen(acquireAdvisoryLock(target, `move ${projectId}`), change))

/** Copies the project. Fails if another run has activated the copy, because its rows may have changed. */
const copy = (request: MoveRequest, now: number) => {
  const { projectId, source, target } = request
  const copyUnlessActive = Effect.gen(function* () {
    if ((yield* stateOf(target, projectId)) === null) {
      return yield* new MoveRefused({ reason: "Another run has already moved the project." })
    }
    yield* copyRows(source, target, projectId, now)
  })
  return withMoveLock(request, copyUnlessActive)
}

/** Resumes the project in the target database. Idempotent. */
const activate = Effect.fnUntraced(function* (request: MoveRequest) {
  yield* renewIfNeeded(request)
  yield* withMoveLock(request, resume(request.target, request.projectId, "ARRIVING"))
})

const copyAndClose = Effect.fnUntraced(function* (request: MoveRequest) {
  const { projectId, report, target } = request
  for (let copies = 0; copies < COPIES_MAX; copies++) {
    yield* copy(request, yield* Clock.currentTimeMillis)
    yield* report({ _tag: "Copied" })
    const copiedDigests = yield* digestsOf(target, projectId)
    if (yield* closeProject(request, copiedDigests)) return copiedDigests
  }
  return yield* new MoveRefused({
    reason: `The project's rows changed during all ${COPIES_MAX} copies. The project is still paused. Run the command again, or use --cancel to resume the project in this database.`
  })
})

/**
 * Moves a project to another database. Pauses it, waits until its bundles are final, copies its rows, compares them,
 * closes the project in the source and resumes it in the target. Each step is one transaction, and after a crash a
 * second run continues. The project is never active in both databases.
 */
export const moveProject = Effect.fnUntraced(function* (request: MoveRequest) {
  const { projectId, report, source, target, targetName } = request
  yield* requireSameSchema(request)
  const [sourceState, targetState] = [yield* stateOf(source, projectId), yield* stateOf(target, projectId)]
  if (sourceState?.state === "ARRIVING") {
    return yield* new MoveRefused({
      reason: "The project is being moved to this database. First run the command again in the other database."
    })
  }
  if (sourceState?.state === "MOVED") {
    if (sourceState.target !== targetName || targetState === undefined || targetState?.state === "MOVED") {
      return yield* new MoveRefused({ reason: `The project was moved to ${sourceState.target}.` })
    }
    if (targetState !== null) yield* activate(request)
    return { tables: null } satisfies MoveResult
  }
  if (targetState === null || targetState?.state === "MOVING") {
    return yield* new MoveRefused({
      reason: "The target database has an active project with this id. Is it the same database?"
    })
  }
  yield* requireSameKeys(request)
  yield* requireUnusedName(request)
  if (sourceState === undefined || !(yield* pauseProject(request))) {
    return yield* new MoveRefused({ reason: "The project was changed in the meantime. Run the command again." })
  }
  yield* report({ _tag: "Paused" })
  yield* waitForWork(request)
  const tables = yield* copyAndClose(request)
  yield* report({ _tag: "Closed" })
  yield* activate(request)
  return { tables } satisfies MoveResult
})

/** Resumes a project whose move is not completed. Returns false if no move of the project is in progress. */
export const cancelMove = (db: Db["Service"], projectId: ProjectId): Effect.Effect<boolean> =>
  resume(db, projectId, "MOVING")
