import {
  type OperatorAccount,
  type OperatorTransaction,
  OperatorTransactionStore
} from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { isFree, NO_CLAIM } from "./claims.ts"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import {
  bundleTransactionFromRow,
  operatorAccountFromRow,
  toTransactionRow,
  transactionColumns,
  transactionFromRow
} from "./operatorRows.ts"

/**
 * A literal, because the condition must equal that of the partial indexes. Neither engine uses them with a parameter.
 */
const WATCHED = sql.lit(1)
const SETTLED = sql.lit(0)

interface OperatorAccountKey extends Record<string, unknown> {
  readonly chainId: number
  readonly operator: string
}

const keyOf = ({ chainId, operator }: OperatorAccount): OperatorAccountKey => ({ chainId, operator })

export const layer = Layer.effect(
  OperatorTransactionStore,
  Effect.gen(function* () {
    const db = yield* Db

    const claim = db.prepare(
      (query, claimValues: OperatorAccountKey & { role: string; holder: string; now: number; until: number }) =>
        query
          .insertInto("operator_lanes")
          .values({
            chain_id: claimValues.chainId,
            operator: claimValues.operator,
            role: claimValues.role,
            claimed_by: claimValues.holder,
            claimed_until: claimValues.until
          })
          .onConflict((conflict) =>
            conflict
              .columns(["chain_id", "operator", "role"])
              .doUpdateSet({ claimed_by: claimValues.holder, claimed_until: claimValues.until })
              .where(({ eb, or }) =>
                or([
                  eb("operator_lanes.claimed_by", "=", claimValues.holder),
                  isFree("operator_lanes", claimValues.now)
                ])
              )
          )
          .returning("claimed_by")
    )

    const release = db.prepare(
      (query, { chainId, holder, operator, role }: OperatorAccountKey & { role: string; holder: string }) =>
        query
          .updateTable("operator_lanes")
          .set(NO_CLAIM)
          .where(({ and }) => and({ chain_id: chainId, operator, role, claimed_by: holder }))
          .returning("role")
    )

    /**
     * Returns a row while the holder may send. The write locks the row against other claims until the transaction ends.
     */
    const confirm = db.prepare(
      (query, { chainId, holder, now, operator }: OperatorAccountKey & { holder: string; now: number }) =>
        query
          .updateTable("operator_lanes")
          .set({ claimed_by: holder })
          .where(({ and }) => and({ chain_id: chainId, operator, role: "SEND", claimed_by: holder }))
          .where("claimed_until", ">", now)
          .returning("role")
    )

    const selectWatched = db.prepare((query, { chainId, operator }: OperatorAccountKey) =>
      query
        .selectFrom("operator_transactions")
        .select(transactionColumns)
        .where(({ and }) => and({ chain_id: chainId, operator, watched: WATCHED }))
        .orderBy("nonce")
    )

    const usage = db.prepare((query, { chainId, operator }: OperatorAccountKey) =>
      query
        .selectFrom("operator_transactions")
        .select(({ fn }) => [
          fn.max("nonce").as("highest"),
          sql<number>`count(case when state = 'SENT' then 1 end)`.as("waiting")
        ])
        .where(({ and }) => and({ chain_id: chainId, operator, watched: WATCHED }))
        .where("state", "in", [sql.lit("SENT"), sql.lit("MINED"), sql.lit("REVERTED")])
    )

    /** Uses subqueries instead of a join, which Postgres may run as a scan of the chain's rows. */
    const bundleTransactions = db.prepare((query, { chainId, operation }: { chainId: number; operation: string }) =>
      query
        .selectFrom("operator_transaction_operations as carried")
        .select((row) => {
          const carrierColumn = <C extends "hash" | "replaced" | "operations" | "state" | "watched">(column: C) =>
            row
              .selectFrom("operator_transactions as carrier")
              .select(column)
              .whereRef("carrier.chain_id", "=", "carried.chain_id")
              .whereRef("carrier.operator", "=", "carried.operator")
              .whereRef("carrier.nonce", "=", "carried.nonce")
              .$asScalar()
              .$notNull()
          return [
            "carried.nonce",
            carrierColumn("hash").as("hash"),
            carrierColumn("replaced").as("replaced"),
            carrierColumn("operations").as("operations"),
            carrierColumn("state").as("state"),
            carrierColumn("watched").as("watched")
          ]
        })
        .where(({ and }) => and({ "carried.chain_id": chainId, "carried.operation_hash": operation }))
        .orderBy("carried.operator")
        .orderBy("carried.nonce")
    )

    const storeTransaction = Effect.fnUntraced(function* (transaction: OperatorTransaction) {
      const { chainId, nonce, operations, operator } = transaction
      const row = toTransactionRow(transaction)
      yield* db.run(
        db.query
          .insertInto("operator_transactions")
          .values(row)
          .onConflict((conflict) => conflict.columns(["chain_id", "operator", "nonce"]).doUpdateSet(row))
      )
      yield* db.run(
        db.query
          .deleteFrom("operator_transaction_operations")
          .where(({ and }) => and({ chain_id: chainId, operator, nonce }))
      )
      if (operations.length === 0) return
      const rows = operations.map((hash) => ({ chain_id: chainId, operator, nonce, operation_hash: hash }))
      yield* db.run(db.query.insertInto("operator_transaction_operations").values(rows))
    })

    return OperatorTransactionStore.of({
      claim: (operatorAccount, role, { holder, now, until }) =>
        Effect.map(
          claim({ ...keyOf(operatorAccount), role, holder, now: millisOf(now), until: millisOf(until) }),
          (rows) => rows.length > 0
        ),
      release: (operatorAccount, role, holder) => Effect.asVoid(release({ ...keyOf(operatorAccount), role, holder })),
      record: (operatorAccount, { holder, now }, transactions) =>
        db.transaction(
          Effect.gen(function* () {
            const confirmedClaims = yield* confirm({ ...keyOf(operatorAccount), holder, now: millisOf(now) })
            if (confirmedClaims.length === 0) return false
            yield* Effect.forEach(transactions, storeTransaction, { discard: true })
            yield* db.announce("OPERATOR_TRANSACTIONS", millisOf(now))
            return true
          })
        ),
      remove: ({ chainId, hash, nonce, operator }) =>
        Effect.asVoid(
          db.run(
            db.query
              .deleteFrom("operator_transactions")
              .where(({ and }) => and({ chain_id: chainId, operator, nonce, hash, state: "SENT" }))
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("operator_transactions as later")
                      .select("later.nonce")
                      .where(({ and }) => and({ "later.chain_id": chainId, "later.operator": operator }))
                      .where("later.nonce", ">", nonce)
                  )
                )
              )
          )
        ),
      listWatchedAccounts: Effect.map(
        db.all(
          db.query
            .selectFrom("operator_transactions")
            .select(["chain_id", "operator", sql<number>`count(case when state = 'SENT' then 1 end)`.as("waiting")])
            .where("watched", "=", WATCHED)
            .groupBy(["chain_id", "operator"])
        ),
        (rows) => rows.map((row) => ({ operatorAccount: operatorAccountFromRow(row), waiting: row.waiting }))
      ),
      listTracked: (operatorAccount) =>
        Effect.map(selectWatched(keyOf(operatorAccount)), (rows) => rows.map(transactionFromRow)),
      stopTracking: (transactions) =>
        Effect.forEach(
          transactions,
          ({ chainId, hash, nonce, operator, state }) =>
            db.run(
              db.query
                .updateTable("operator_transactions")
                .set({ watched: 0 })
                .where(({ and }) => and({ chain_id: chainId, operator, nonce, hash, state }))
            ),
          { discard: true }
        ),
      readUsage: (operatorAccount) =>
        Effect.map(usage(keyOf(operatorAccount)), ([row]) => ({
          highestNonce: row?.highest ?? null,
          waiting: row?.waiting ?? 0
        })),
      listBundles: (chainId, operation) =>
        Effect.map(bundleTransactions({ chainId, operation }), (rows) => rows.map(bundleTransactionFromRow)),
      removeBefore: ({ chainId, operator }, before) =>
        Effect.asVoid(
          db.run(
            db.query
              .deleteFrom("operator_transactions")
              .where(({ and }) => and({ chain_id: chainId, operator, watched: SETTLED }))
              .where("sent_at", "<", millisOf(before))
          )
        )
    })
  })
)
