import { jsonText } from "@countersign/core/foundation/primitives"
import { isUserOperation } from "@countersign/core/operations/intents"
import { Quote, QuoteExists, QuoteStore } from "@countersign/core/operations/quotes"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { recordOf, type StoredOrArchived, withArchived } from "./archivedRows.ts"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

export const quoteText = jsonText(Quote)

const toQuoteRow = (quote: Quote): Tables["quotes"] => ({
  project_id: quote.projectId,
  id: quote.id,
  wallet_address: quote.walletAddress,
  kind: quote.kind,
  record: quoteText.encode(quote),
  created_at: millisOf(quote.createdAt),
  expires_at: millisOf(quote.expiresAt),
  accepted_at: null
})

const toOperationRows = ({ id, intents, projectId }: Quote): ReadonlyArray<Tables["quote_operations"]> =>
  intents.filter(isUserOperation).map(({ hash }) => ({ project_id: projectId, hash, quote_id: id }))

export const layer = Layer.effect(
  QuoteStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((_, { projectId, id }: { projectId: string; id: string }) =>
      withArchived(
        sql`select record from quotes where project_id = ${projectId} and id = ${id}`,
        sql`project_id = ${projectId} and lookup_key = ${id}`
      )
    )

    const quotesOfOperations = sql`
      select quote.record from quote_operations as operation
      join quotes as quote on quote.project_id = operation.project_id and quote.id = operation.quote_id`

    const findByOperation = db.prepare((_, { projectId, hash }: { projectId: string; hash: string }) =>
      withArchived(
        sql`${quotesOfOperations} where operation.project_id = ${projectId} and operation.hash = ${hash}`,
        sql`project_id = ${projectId} and lookup_key = ${hash}`
      )
    )
    const findByOperationOfAny = db.prepare((_, { hash }: { hash: string }) =>
      withArchived(sql`${quotesOfOperations} where operation.hash = ${hash}`, sql`lookup_key = ${hash}`)
    )

    const quoteOf = Effect.fnUntraced(function* (rows: ReadonlyArray<StoredOrArchived>) {
      const record = yield* recordOf(db, "quote", rows)
      return record === null ? Option.none() : Option.some(quoteText.decode(record))
    })

    const unsignedQuotesQuery = db.prepare((query, { address, now }: { address: string; now: number }) =>
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
        const operations = quotes.flatMap(toOperationRows)
        const insertQuotes = db.query
          .insertInto("quotes")
          .values(quotes.map(toQuoteRow))
          .onConflict((conflict) => conflict.columns(["project_id", "id"]).doNothing())
        yield* db.transaction(
          Effect.gen(function* () {
            if ((yield* db.run(insertQuotes)) < quotes.length) return yield* new QuoteExists()
            if (operations.length > 0) yield* db.run(db.query.insertInto("quote_operations").values(operations))
          })
        )
      }),
      find: (projectId, id) => Effect.flatMap(find({ projectId, id }), quoteOf),
      findByOperation: (projectId, hash) => Effect.flatMap(findByOperation({ projectId, hash }), quoteOf),
      findByOperationInAnyProject: (hash) => Effect.flatMap(findByOperationOfAny({ hash }), quoteOf),
      listUnsigned: (address, now) =>
        Effect.map(unsignedQuotesQuery({ address, now: millisOf(now) }), (rows) =>
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
