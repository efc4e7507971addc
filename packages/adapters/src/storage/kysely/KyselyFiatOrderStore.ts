import {
  countedStates,
  FiatDirection,
  type FiatOrder,
  FiatOrder as FiatOrderSchema,
  FiatOrderState,
  FiatOrderStore,
  FiatQuote,
  isOver,
  type LimitSubject,
  limitPeriods,
  type UsedAmounts
} from "@countersign/core/fiat"
import { jsonText } from "@countersign/core/foundation/primitives"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { acquireAdvisoryLock } from "./transactions.ts"

const quoteText = jsonText(FiatQuote)
const orderText = jsonText(FiatOrderSchema)

const pendingStates = FiatOrderState.literals.filter((state) => !isOver(state))

/** How long an unknown order is reported after the last webhook about it. */
const UNKNOWN_MS = 30 * 24 * 60 * 60_000

const columns = ["record", "version"] as const

const storedOrderOf = ({ record, version }: { readonly record: string; readonly version: number }) => ({
  order: orderText.decode(record),
  version
})

const subjectColumns = ({ direction, individualId, method, projectId }: LimitSubject) => ({
  project_id: projectId,
  individual_id: individualId,
  direction,
  method
})

/** Returns the columns that change with an order. */
const changingColumns = (order: FiatOrder) => ({
  state: order.state,
  // A deposit counts with the received amount, which may differ from the quoted one. A withdrawal counts with the
  // quoted amount.
  amount: (order.quote.direction === "DEPOSIT" ? order.fiatAmount : order.quote.fiatAmount).toString(),
  provider_order: order.providerOrder,
  record: orderText.encode(order),
  expires_at: millisOf(order.expiresAt)
})

export const layer = Layer.effect(
  FiatOrderStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    const orders = () => query.selectFrom("fiat_orders").select(columns)
    const findOrder = (orderQuery: ReturnType<typeof orders>) =>
      Effect.map(db.first(orderQuery), Option.map(storedOrderOf))

    return FiatOrderStore.of({
      insertQuote: (quote) =>
        Effect.asVoid(
          db.run(
            query.insertInto("fiat_quotes").values({
              id: quote.id,
              project_id: quote.projectId,
              record: quoteText.encode(quote),
              expires_at: millisOf(quote.expiresAt)
            })
          )
        ),
      findQuote: (projectId, id) =>
        Effect.map(
          db.first(
            query.selectFrom("fiat_quotes").select("record").where("project_id", "=", projectId).where("id", "=", id)
          ),
          Option.map(({ record }) => quoteText.decode(record))
        ),
      insert: (order) =>
        Effect.map(
          db.run(
            query
              .insertInto("fiat_orders")
              .values({
                id: order.id,
                project_id: order.quote.projectId,
                quote_id: order.quote.id,
                executed_quote: order.executedQuote,
                individual_id: order.quote.individualId,
                wallet_address: order.quote.walletAddress,
                direction: order.quote.direction,
                method: order.quote.method,
                provider: order.quote.provider,
                created_at: millisOf(order.createdAt),
                version: 0,
                ...changingColumns(order)
              })
              .onConflict((conflict) => conflict.columns(["project_id", "quote_id"]).doNothing())
          ),
          (insertedCount) => insertedCount === 1
        ),
      find: (projectId, id) => findOrder(orders().where("project_id", "=", projectId).where("id", "=", id)),
      findByQuote: (projectId, quoteId) =>
        findOrder(orders().where("project_id", "=", projectId).where("quote_id", "=", quoteId)),
      findByExecutedQuote: (projectId, quoteId) =>
        findOrder(orders().where("project_id", "=", projectId).where("executed_quote", "=", quoteId)),
      findByProviderOrder: (provider, id) =>
        findOrder(orders().where("provider", "=", provider).where("provider_order", "=", id)),
      list: ({ individualId, limit, projectId, walletAddress }) => {
        const projectOrders = orders().where("project_id", "=", projectId)
        const walletOrders =
          walletAddress === undefined ? projectOrders : projectOrders.where("wallet_address", "=", walletAddress)
        const individualOrders =
          individualId === undefined ? walletOrders : walletOrders.where("individual_id", "=", individualId)
        return Effect.map(db.all(individualOrders.orderBy("created_at", "desc").orderBy("id").limit(limit)), (rows) =>
          rows.map((row) => storedOrderOf(row).order)
        )
      },
      update: (order, version) =>
        Effect.map(
          db.run(
            query
              .updateTable("fiat_orders")
              .set({ ...changingColumns(order), version: version + 1 })
              .where("project_id", "=", order.quote.projectId)
              .where("id", "=", order.id)
              .where("version", "=", version)
          ),
          (updatedCount) => updatedCount === 1
        ),
      listUnsigned: (expiredBefore, limit) =>
        Effect.map(
          db.all(
            orders()
              .where("direction", "=", "WITHDRAWAL")
              .where("state", "=", "AWAITING_FUNDS")
              .where("expires_at", "<", millisOf(expiredBefore))
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("executions")
                      .select("executions.id")
                      .whereRef("executions.project_id", "=", "fiat_orders.project_id")
                      .whereRef("executions.quote_id", "=", "fiat_orders.executed_quote")
                      .where("executions.due_at", "is not", null)
                  )
                )
              )
              .orderBy("expires_at")
              .limit(limit)
          ),
          (rows) => rows.map(storedOrderOf)
        ),
      // One query for each direction and state, because each state has its own index.
      countPending: Effect.map(
        Effect.forEach(
          FiatDirection.literals.flatMap((direction) => pendingStates.map((state) => ({ direction, state }))),
          (wait) =>
            Effect.map(
              db.all(
                query
                  .selectFrom("fiat_orders")
                  .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("created_at").as("oldest")])
                  .where(({ and }) => and(wait))
              ),
              (rows) =>
                rows.flatMap(({ count, oldest }) =>
                  Number(count) === 0 ? [] : [{ ...wait, count: Number(count), oldestAt: instantOf(Number(oldest)) }]
                )
            )
        ),
        (waits) => waits.flat()
      ),
      recordUnknown: Effect.fnUntraced(function* (provider, providerOrder, now) {
        const nowMs = millisOf(now)
        const unknownOrderRow = { provider, provider_order: providerOrder, times: 1, first_at: nowMs, last_at: nowMs }
        yield* db.run(query.deleteFrom("fiat_unknown_orders").where("last_at", "<", nowMs - UNKNOWN_MS))
        yield* db.run(
          query
            .insertInto("fiat_unknown_orders")
            .values(unknownOrderRow)
            .onConflict((conflict) =>
              conflict
                .columns(["provider", "provider_order"])
                .doUpdateSet({ times: sql`fiat_unknown_orders.times + 1`, last_at: nowMs })
            )
        )
      }),
      listUnknown: (limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("fiat_unknown_orders as named")
              .selectAll("named")
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("fiat_orders")
                      .select("fiat_orders.id")
                      .whereRef("fiat_orders.provider", "=", "named.provider")
                      .whereRef("fiat_orders.provider_order", "=", "named.provider_order")
                  )
                )
              )
              .orderBy("named.last_at", "desc")
              .orderBy("named.provider_order")
              .limit(limit)
          ),
          (rows) =>
            rows.map(({ first_at, last_at, provider, provider_order, times }) => ({
              provider,
              providerOrder: provider_order,
              times,
              firstAt: instantOf(first_at),
              lastAt: instantOf(last_at)
            }))
        ),
      findLimitOverride: (subject) =>
        Effect.map(
          db.first(
            query
              .selectFrom("fiat_limit_overrides")
              .selectAll()
              .where(({ and }) => and(subjectColumns(subject)))
          ),
          Option.match({
            onNone: () => null,
            onSome: ({ daily, monthly, per_transaction, quarterly }) => ({
              perTransaction: BigInt(per_transaction),
              daily: BigInt(daily),
              monthly: BigInt(monthly),
              quarterly: BigInt(quarterly)
            })
          })
        ),
      setLimitOverride: (subject, amounts) => {
        const subjectKey = subjectColumns(subject)
        if (amounts === null) {
          return Effect.asVoid(db.run(query.deleteFrom("fiat_limit_overrides").where(({ and }) => and(subjectKey))))
        }
        const set = {
          per_transaction: amounts.perTransaction.toString(),
          daily: amounts.daily.toString(),
          monthly: amounts.monthly.toString(),
          quarterly: amounts.quarterly.toString()
        }
        return Effect.asVoid(
          db.run(
            query
              .insertInto("fiat_limit_overrides")
              .values({ ...subjectKey, ...set })
              .onConflict((conflict) =>
                conflict.columns(["project_id", "individual_id", "direction", "method"]).doUpdateSet(set)
              )
          )
        )
      },
      readUsed: Effect.fnUntraced(function* ({ direction, individualId, method, projectId }, since) {
        yield* acquireAdvisoryLock(db, `fiat limits:${projectId}:${individualId}:${direction}:${method}`)
        const rows = yield* db.all(
          query
            .selectFrom("fiat_orders")
            .select(["amount", "created_at"])
            .where(({ and }) => and({ project_id: projectId, individual_id: individualId, direction, method }))
            .where("state", "in", [...countedStates])
            .where("created_at", ">=", Math.min(...limitPeriods.map((period) => millisOf(since[period]))))
        )
        const sum = (period: (typeof limitPeriods)[number]) =>
          rows.reduce(
            (total, row) => (row.created_at >= millisOf(since[period]) ? total + BigInt(row.amount) : total),
            0n
          )
        return { daily: sum("daily"), monthly: sum("monthly"), quarterly: sum("quarterly") } satisfies UsedAmounts
      })
    })
  })
)
