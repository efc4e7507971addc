import { type Dialect, withoutEscapes } from "../Migration.ts"

/** Table of the movements of transactions, one row each, for sums of an account's inflows and outflows. */
export const movements = {
  tables: {
    movements: {
      project_id: "text not null",
      transaction_id: "text not null",
      /** Position of the movement in its transaction. */
      position: "integer not null",
      account: "text not null",
      /** Unix milliseconds of the transaction's end, or of its last change while it is pending. */
      moved_at: "integer not null",
      type: "text not null",
      direction: "text not null",
      role: "text not null",
      /** Null for a currency. */
      chain_id: "integer",
      /** Address of a token, or code of a currency. */
      asset: "text not null",
      /** Up to 256 bits, as decimal digits. */
      amount: "text not null",
      usd: "text",
      counterparty: "text",
      leg: "integer",
      "primary key": "(project_id, transaction_id, position)",
      "foreign key (project_id, transaction_id)": "references transactions (project_id, id) on delete cascade"
    }
  },
  indices: ["create index movements_account on movements (project_id, account, moved_at, transaction_id, position)"]
} as const

const columns = `project_id, transaction_id, position, account, moved_at, type, direction, role, chain_id, asset, amount, usd,
  counterparty, leg`

const movedAt = `coalesce(json_extract(t.record, '$.executedAt'), json_extract(t.record, '$.updatedAt'))`

/** Inserts the movements of records that were stored before this table existed. */
export const movementsOfRecords: Record<Dialect, string> = {
  sqlite: `insert into movements (${columns})
    select t.project_id, t.id, m.key, m.value ->> 'account',
      cast(round(unixepoch(${movedAt}, 'subsec') * 1000) as integer),
      t.type, m.value ->> 'direction', m.value ->> 'role', m.value -> 'asset' ->> 'chainId',
      coalesce(m.value -> 'asset' ->> 'token', m.value -> 'asset' ->> 'currency'),
      m.value ->> 'amount', m.value ->> 'usd', m.value ->> 'counterparty', m.value ->> 'leg'
    from transactions t, json_each(t.record, '$.movements') m`,
  postgres: `insert into movements (${columns})
    select t.project_id, t.id, m.position - 1, m.value ->> 'account',
      round(extract(epoch from coalesce(t.record ->> 'executedAt', t.record ->> 'updatedAt')::timestamptz) * 1000),
      t.type, m.value ->> 'direction', m.value ->> 'role', (m.value -> 'asset' ->> 'chainId')::bigint,
      coalesce(m.value -> 'asset' ->> 'token', m.value -> 'asset' ->> 'currency'),
      m.value ->> 'amount', m.value ->> 'usd', m.value ->> 'counterparty', (m.value ->> 'leg')::bigint
    from (select project_id, id, type, ${withoutEscapes("record")}::json as record from transactions) t,
      json_array_elements(t.record -> 'movements') with ordinality as m (value, position)`
}
