import { Effect } from "effect"
import { sql } from "kysely"
import { Db } from "../Db.ts"
import type { Migration } from "./Migration.ts"

/** Rows in memory at once. */
const BATCH_ROWS = 200
/** Of what is in no block yet. */
const NO_BLOCK = Number.MAX_SAFE_INTEGER

interface Row {
  readonly id: string
  readonly execution: string
  readonly quote: string
  readonly transaction_record: string
}

interface Execution {
  readonly stages: ReadonlyArray<{ readonly name: string }>
  readonly at: number
}

interface Quote {
  readonly walletAddress: string
  readonly intents: ReadonlyArray<{
    readonly type: string
    readonly operation: { readonly chainId: number; readonly nonce: string }
    readonly gas: { readonly token: string; readonly maxToken: string }
  }>
  readonly transaction: {
    readonly expected: ReadonlyArray<{
      readonly account: string
      readonly direction: string
      readonly asset: { readonly chainId?: number; readonly token?: string }
      readonly amount: string
    }>
  }
}

interface Transaction {
  readonly legs: ReadonlyArray<{ readonly chainId: number; readonly block: { readonly number: string } | null }>
}

/** All that the operations of a quote send out of its wallet and may pay for gas: no less than what it needs. */
const spendingOf = ({ intents, transaction, walletAddress }: Quote, chainId: number) => {
  const sums = new Map<string, { value: bigint; gas: bigint }>()
  const sumOf = (token: string) => {
    const sum = sums.get(token) ?? { value: 0n, gas: 0n }
    sums.set(token, sum)
    return sum
  }
  for (const { account, amount, asset, direction } of transaction.expected) {
    if (account !== walletAddress || direction !== "OUT" || asset.chainId !== chainId) continue
    sumOf(asset.token!).value += BigInt(amount)
  }
  for (const { gas, type } of intents) if (type === "USER_OPERATION") sumOf(gas.token).gas += BigInt(gas.maxToken)
  return [...sums].map(([token, { gas, value }]) => ({ token, value: String(value), gas: String(gas) }))
}

const blockOf = ({ at, stages }: Execution, { legs }: Transaction, chain: number): number => {
  if (stages.some(({ name }, place) => place >= at && name === "inclusion")) return NO_BLOCK
  return Math.max(0, ...legs.map(({ block, chainId }) => (chainId === chain ? Number(block?.number ?? 0) : 0)))
}

const reserve = Effect.fnUntraced(function* (db: Db["Service"], row: Row) {
  const execution = JSON.parse(row.execution) as Execution
  const quote = JSON.parse(row.quote) as Quote
  const operations = quote.intents.flatMap(({ operation, type }) => (type === "USER_OPERATION" ? [operation] : []))
  const [first] = operations
  if (first === undefined) return
  const { chainId } = first
  const block = blockOf(execution, JSON.parse(row.transaction_record) as Transaction, chainId)
  const reservation = {
    chainId,
    spending: spendingOf(quote, chainId),
    nonces: operations.map(({ nonce }) => nonce),
    block: block === NO_BLOCK ? null : String(block)
  }
  yield* db.run(
    db.query
      .updateTable("executions")
      .set({
        record: JSON.stringify({ ...execution, reservation }),
        wallet_address: quote.walletAddress,
        chain_id: chainId,
        reserved_until: block
      })
      .where("id", "=", row.id)
  )
})

/** What is under way reserves what it may take. */
const conversion = Effect.gen(function* () {
  const db = yield* Db
  let last = ""
  for (;;) {
    const rows: ReadonlyArray<Row> = yield* db.all(sql<Row>`
      select e.id, e.record as execution, q.record as quote, t.record as transaction_record
      from executions e
      join quotes q on q.project_id = e.project_id and q.id = e.quote_id
      join transactions t on t.project_id = e.project_id and t.id = e.id
      where e.due_at is not null and e.id > ${last} order by e.id limit ${sql.lit(BATCH_ROWS)}`)
    yield* Effect.forEach(rows, (row) => reserve(db, row), { discard: true })
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)!.id
  }
})

/** Executions reserve what they take of their wallet's balances. */
export const reservations: Migration = {
  name: "0012_reservations",
  statements: ({ integer, text }) => [
    `alter table executions add column wallet_address ${text}`,
    `alter table executions add column chain_id ${integer}`,
    `alter table executions add column reserved_until ${integer}`,
    `create index executions_reserved on executions (wallet_address, chain_id, reserved_until)
      where reserved_until is not null`
  ],
  convert: conversion
}
