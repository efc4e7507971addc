import { SessionDocument } from "@countersign/core/identity"
import { Effect, Option, Schema, Stream } from "effect"
import { Db } from "./Db.ts"

const PAGE = 500

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(SessionDocument)))

/** The storage keys of the documents of all verification sessions, including documents that are not uploaded yet. */
export const documentKeys: Stream.Stream<string, never, Db> = Stream.unwrap(
  Effect.map(Db, (db) =>
    Stream.paginate("", (after) =>
      Effect.map(
        db.all(
          db.query
            .selectFrom("verification_sessions")
            .select(["id", "documents"])
            .where("id", ">", after)
            .orderBy("id")
            .limit(PAGE)
        ),
        (rows) =>
          [
            rows.flatMap(({ documents }) => decode(documents).map(({ key }) => key)),
            rows.length < PAGE ? Option.none<string>() : Option.some(rows.at(-1)!.id)
          ] as const
      )
    )
  )
)
