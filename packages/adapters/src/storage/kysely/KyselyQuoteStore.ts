import { jsonText } from "@countersign/core/foundation/primitives"
import { isUserOperation } from "@countersign/core/operations/intents"
import { Quote, QuoteExists, QuoteStore } from "@countersign/core/operations/quotes"
import { Effect, Layer, Option } from "effect"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

export const quoteText = jsonText(Quote)

const rowOfQuote = (quote: Quote): Tables["quotes"] => ({
  project_id: quote.projectId,
  id: quote.id,
  wallet_address: quote.walletAddress,
  kind: quote.kind,
  record: quoteText.encode(quote),
  created_at: millisOf(quote.createdAt),
  expires_at: millisOf(quote.expiresAt),
  accepted_at: null
})

const rowsOfOperations = ({ id, intents, projectId }: Quote): ReadonlyArray<Tables["quote_operations"]> =>
  intents.filter(isUserOperation).map(({ hash }) => ({ project_id: projectId, hash, quote_id: id }))

const quoteOfRows = ([row]: ReadonlyArray<Pick<Tables["quotes"], "record">>): Option.Option<Quote> =>
  Option.map(Option.fromUndefinedOr(row), ({ record }) => quoteText.decode(record))

export const layer = Layer.effect(
  QuoteStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query.selectFrom("quotes").select("record").where("project_id", "=", projectId).where("id", "=", id)
    )

    const ofOperation = (query: typeof db.query, hash: string) =>
      query
        .selectFrom("quote_operations as operation")
        .innerJoin("quotes as quote", (join) =>
          join.onRef("quote.project_id", "=", "operation.project_id").onRef("quote.id", "=", "operation.quote_id")
        )
        .select("quote.record")
        .where("operation.hash", "=", hash)

    const findByOperation = db.prepare((query, { projectId, hash }: { projectId: string; hash: string }) =>
      ofOperation(query, hash).where("operation.project_id", "=", projectId)
    )
    const findByOperationOfAny = db.prepare((query, { hash }: { hash: string }) => ofOperation(query, hash))

    const unsignedOf = db.prepare((query, { address, now }: { address: string; now: number }) =>
      query
        .selectFrom("quotes")
        .select("record")
        .where("accepted_at", "is", null)
        .where("expires_at", ">=", now)
        .where("wallet_address", "=", address)
    )

    return QuoteStore.of({
      insert: Effect.fnUntraced(function* (quotes) {
        if (quotes.length === 0) return
        const operations = quotes.flatMap(rowsOfOperations)
        const insertQuotes = db.query
          .insertInto("quotes")
          .values(quotes.map(rowOfQuote))
          .onConflict((conflict) => conflict.columns(["project_id", "id"]).doNothing())
        yield* db.transaction(
          Effect.gen(function* () {
            if ((yield* db.run(insertQuotes)) < quotes.length) return yield* new QuoteExists()
            if (operations.length > 0) yield* db.run(db.query.insertInto("quote_operations").values(operations))
          })
        )
      }),
      find: (projectId, id) => Effect.map(find({ projectId, id }), quoteOfRows),
      findByOperation: (projectId, hash) => Effect.map(findByOperation({ projectId, hash }), quoteOfRows),
      findByOperationOfAny: (hash) => Effect.map(findByOperationOfAny({ hash }), quoteOfRows),
      unsignedOf: (address, now) =>
        Effect.map(unsignedOf({ address, now: millisOf(now) }), (rows) =>
          rows.map(({ record }) => quoteText.decode(record))
        ),
      accept: (projectId, id, at) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("quotes")
              .set({ accepted_at: millisOf(at) })
              .where(({ and }) => and({ project_id: projectId, id }))
              .where("accepted_at", "is", null)
          ),
          (changes) => changes > 0
        )
    })
  })
)
