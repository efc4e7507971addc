import {
  ApiKey,
  Project,
  type ProjectChanges,
  type ProjectId,
  type ProjectKey,
  ProjectMove,
  ProjectStore
} from "@countersign/core/tenancy/projects"
import { Effect, Layer, Option, Schema } from "effect"
import { decodeChanged, Instant, InstantOrNull, instantOf, Json, millisOf, rowCodec } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"
import { taxEmails } from "./taxEmails.ts"

const projectRow = rowCodec(Project, { createdAt: Instant })

const keyRow = rowCodec(ApiKey, {
  scopes: Json(ApiKey.fields.scopes),
  createdAt: Instant,
  expiresAt: InstantOrNull,
  revokedAt: InstantOrNull,
  lastUsedAt: InstantOrNull
})

const columnsOfChanges = ({
  bitcoinTreasury,
  computeUnits,
  treasury
}: ProjectChanges): Partial<Tables["projects"]> => ({
  ...(treasury === undefined ? {} : { treasury }),
  ...(bitcoinTreasury === undefined ? {} : { bitcoin_treasury: bitcoinTreasury }),
  ...(computeUnits === undefined ? {} : { compute_units: computeUnits })
})

/** The row of a key, joined with columns of its project. */
type KeyRow = Tables["api_keys"]

interface KeyWithProjectRow
  extends KeyRow,
    Pick<Tables["projects"], "organization_id" | "treasury" | "bitcoin_treasury" | "compute_units"> {
  project_name: string
  project_created_at: number
  project_deleted_at: number | null
  move_state: string | null
}

const keyAndProjectOfRow = decodeChanged(
  (row: KeyWithProjectRow): ProjectKey => ({
    key: keyRow.fromRow(row),
    project: projectRow.fromRow({
      ...row,
      id: row.project_id,
      name: row.project_name,
      created_at: row.project_created_at
    }),
    deletedAt: row.project_deleted_at === null ? null : instantOf(row.project_deleted_at),
    isMoving: row.move_state !== null
  }),
  ({ id }) => id
)

const moveOf = Schema.decodeUnknownSync(ProjectMove)

export const layer = Layer.effect(
  ProjectStore,
  Effect.gen(function* () {
    const db = yield* Db
    const emails = yield* taxEmails

    const findProject = db.prepare((query, { id }: { id: string }) =>
      query.selectFrom("projects").select(projectRow.columns).where("id", "=", id).where("deleted_at", "is", null)
    )

    const find = (id: ProjectId) =>
      Effect.map(findProject({ id }), ([row]) => Option.map(Option.fromUndefinedOr(row), projectRow.fromRow))

    const findKeyWithProject = db.prepare((query, { id }: { id: string }) =>
      query
        .selectFrom("api_keys as key")
        .innerJoin("projects as project", "project.id", "key.project_id")
        .leftJoin("project_moves as move", "move.project_id", "key.project_id")
        .select([
          "key.id",
          "key.project_id",
          "key.name",
          "key.environment",
          "key.hash",
          "key.scopes",
          "key.created_at",
          "key.expires_at",
          "key.revoked_at",
          "key.last_used_at",
          "project.organization_id",
          "project.name as project_name",
          "project.treasury",
          "project.bitcoin_treasury",
          "project.compute_units",
          "project.created_at as project_created_at",
          "project.deleted_at as project_deleted_at",
          "move.state as move_state"
        ])
        .where("key.id", "=", id)
    )

    return ProjectStore.of({
      insert: (project) =>
        Effect.map(
          db.run(
            db.query
              .insertInto("projects")
              .values({ ...projectRow.rowOf(project), deleted_at: null })
              .onConflict((conflict) => conflict.doNothing())
          ),
          (changes) => changes > 0
        ),
      find,
      list: Effect.map(
        db.all(
          db.query
            .selectFrom("projects")
            .select(projectRow.columns)
            .where("deleted_at", "is", null)
            .orderBy("created_at")
            .orderBy("id")
        ),
        (rows) => rows.map(projectRow.fromRow)
      ),
      listMoves: Effect.map(
        db.all(
          db.query
            .selectFrom("project_moves as move")
            .innerJoin("projects as project", "project.id", "move.project_id")
            .select(["project.id", "project.name", "move.state", "move.target"])
            .where("project.deleted_at", "is", null)
            .orderBy("project.name")
        ),
        (rows) => rows.map(({ id, name, state, target }) => moveOf({ projectId: id, projectName: name, state, target }))
      ),
      update: (id, changes) => {
        const columns = columnsOfChanges(changes)
        if (Object.keys(columns).length === 0) return find(id)
        return Effect.map(
          db.first(
            db.query
              .updateTable("projects")
              .set(columns)
              .where("id", "=", id)
              .where("deleted_at", "is", null)
              .returning(projectRow.columns)
          ),
          Option.map(projectRow.fromRow)
        )
      },
      rename: (id, name) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("projects")
              .set({ name })
              .where("id", "=", id)
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("projects as other")
                      .select("other.id")
                      .where("other.name", "=", name)
                      .where("other.id", "!=", id)
                      .where("other.deleted_at", "is", null)
                  )
                )
              )
          ),
          (changes) => changes > 0
        ),
      remove: (id, at) =>
        db.transaction(
          Effect.gen(function* () {
            const deleteQuery = db.query
              .updateTable("projects")
              .set({ deleted_at: millisOf(at) })
              .where("id", "=", id)
              .where("deleted_at", "is", null)
            if ((yield* db.run(deleteQuery)) === 0) return false
            yield* db.run(db.query.deleteFrom("webhook_endpoints").where("project_id", "=", id))
            yield* emails.removeProject(id)
            return true
          })
        ),
      insertKey: (key) => Effect.asVoid(db.run(db.query.insertInto("api_keys").values(keyRow.rowOf(key)))),
      findKey: (keyId) =>
        Effect.map(findKeyWithProject({ id: keyId }), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), keyAndProjectOfRow)
        ),
      listKeys: (projectId) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("api_keys")
              .selectAll()
              .where("project_id", "=", projectId)
              .orderBy("created_at")
              .orderBy("id")
          ),
          (rows) => rows.map(keyRow.fromRow)
        ),
      revokeKey: (keyId, at) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("api_keys")
              .set({ revoked_at: millisOf(at) })
              .where("id", "=", keyId)
              .where("revoked_at", "is", null)
          ),
          (changes) => changes > 0
        ),
      touchKey: (keyId, at) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("api_keys")
              .set({ last_used_at: millisOf(at) })
              .where("id", "=", keyId)
              .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<", millisOf(at))]))
          )
        ),
      expireKey: (keyId, at) =>
        db.transaction(
          Effect.gen(function* () {
            const key = db.query.selectFrom("api_keys").select("id").where("id", "=", keyId)
            const expireQuery = db.query
              .updateTable("api_keys")
              .set({ expires_at: millisOf(at) })
              .where("id", "=", keyId)
              .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", millisOf(at))]))
            yield* db.run(expireQuery)
            return Option.isSome(yield* db.first(key))
          })
        )
    })
  })
)
