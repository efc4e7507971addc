import { SessionDocument } from "@countersign/core/identity"
import { Effect, Option, Schema, Stream } from "effect"
import { Db } from "./Db.ts"

const PAGE = 500

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(SessionDocument)))

/**
 * Streams the storage keys of the documents of all verification sessions, including documents that are not uploaded
 * yet.
 */
export const documentKeys: Stream.Stream<string, never, Db> = Stream.unwrap(
  Effect.map(Db, (db) =>
    Stream.paginate<readonly [string, string], string>(["", ""], (after) =>
      Effect.map(
        db.all(
          db.query
            .selectFrom("verification_sessions")
            .select(["project_id", "id", "documents"])
            .where((row) => row(row.refTuple("project_id", "id"), ">", row.tuple(...after)))
            .orderBy("project_id")
            .orderBy("id")
            .limit(PAGE)
        ),
        (rows) =>
          [
            rows.flatMap(({ documents }) => decode(documents).map(({ key }) => key)),
            Option.map(Option.fromUndefinedOr(rows[PAGE - 1]), (last) => [last.project_id, last.id] as const)
          ] as const
      )
    )
  )
)
