import type { HistoryFilter } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { builderFor } from "./dialect.ts"
import { historyQuery } from "./historyQuery.ts"

const day = (number: number) => DateTime.makeUnsafe(Date.UTC(2026, 0, number))
const cursor = aTransaction({ createdAt: day(10) })
const { projectId, walletAddress } = cursor

const BY_TIME = /created_at"? <= /u
const BY_CURSOR = /created_at"?, [\w".]+\) < \(/u

describe("a page of history that has a cursor and a latest time", () => {
  for (const dialect of ["sqlite", "postgres"] as const) {
    for (const [name, filter] of [
      ["the newest", {}],
      ["metadata", { metadata: { key: "a", value: "b" } }],
      ["kinds", { types: ["SWAP"] }]
    ] as const satisfies ReadonlyArray<readonly [string, HistoryFilter]>) {
      const textOf = (createdAtLatest: DateTime.Utc) => {
        const page = { projectId, walletAddress, filter: { ...filter, createdAtLatest }, after: cursor, take: 10 }
        const query = historyQuery({ dialect, query: builderFor(dialect) }, page, [["SWAP", "COMPLETED", 1, 1]])
        return query!.compile().sql
      }

      it(`starts only at the older of the two, on ${dialect} by ${name}`, () => {
        for (const [latest, expected] of [
          [day(9), { byTime: true, byCursor: false }],
          [day(10), { byTime: false, byCursor: true }],
          [day(11), { byTime: false, byCursor: true }]
        ] as const) {
          const text = textOf(latest)
          assert.deepEqual({ byTime: BY_TIME.test(text), byCursor: BY_CURSOR.test(text) }, expected, text)
        }
      })
    }
  }
})
