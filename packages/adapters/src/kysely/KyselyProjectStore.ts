import { type ProjectId, ProjectStore } from "@countersign/core/projects"
import { Effect, Layer, Option } from "effect"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import {
  columnsOfChanges,
  keyAndProjectOfRow,
  keyOfRow,
  projectColumns,
  projectOfRow,
  rowOfKey,
  rowOfProject
} from "./projectRows.ts"

export const layer = Layer.effect(
  ProjectStore,
  Effect.gen(function* () {
    const db = yield* Db

    const findProject = db.prepare((query, { id }: { id: string }) =>
      query.selectFrom("projects").select(projectColumns).where("id", "=", id)
    )

    const find = (id: ProjectId) =>
      Effect.map(findProject({ id }), ([row]) => Option.map(Option.fromUndefinedOr(row), projectOfRow))

    const findKeyWithProject = db.prepare((query, { id }: { id: string }) =>
      query
        .selectFrom("api_keys as key")
        .innerJoin("projects as project", "project.id", "key.project_id")
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
          "project.compute_units",
          "project.created_at as project_created_at"
        ])
        .where("key.id", "=", id)
    )

    return ProjectStore.of({
      insert: (project) => Effect.asVoid(db.run(db.query.insertInto("projects").values(rowOfProject(project)))),
      find,
      list: Effect.map(
        db.all(db.query.selectFrom("projects").selectAll().orderBy("created_at").orderBy("id")),
        (rows) => rows.map(projectOfRow)
      ),
      update: (id, changes) => {
        const columns = columnsOfChanges(changes)
        if (Object.keys(columns).length === 0) return find(id)
        return Effect.map(
          db.first(db.query.updateTable("projects").set(columns).where("id", "=", id).returning(projectColumns)),
          Option.map(projectOfRow)
        )
      },
      insertKey: (key) => Effect.asVoid(db.run(db.query.insertInto("api_keys").values(rowOfKey(key)))),
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
          (rows) => rows.map(keyOfRow)
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
            const sooner = db.query
              .updateTable("api_keys")
              .set({ expires_at: millisOf(at) })
              .where("id", "=", keyId)
              .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", millisOf(at))]))
            yield* db.run(sooner)
            return Option.isSome(yield* db.first(key))
          })
        )
    })
  })
)
