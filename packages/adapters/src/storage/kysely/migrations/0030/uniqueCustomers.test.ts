import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { providerCustomers } from "../0019/providerCustomers.ts"
import { columnTypes, statementsOf } from "../Migration.ts"
import { uniqueCustomers } from "./uniqueCustomers.ts"

describe("uniqueCustomers", () => {
  it("finds the earlier link of a customer by an index", () => {
    const database = new Database(":memory:")
    for (const statement of statementsOf(providerCustomers, columnTypes.sqlite)) database.exec(statement)
    const plans = uniqueCustomers.flatMap((statement) => {
      const plan = database.prepare<[], { readonly detail: string }>(`explain query plan ${statement}`).all()
      database.exec(statement)
      return statement.startsWith("delete") ? plan.map(({ detail }) => detail) : []
    })
    database.close()
    const lookup = plans.find((detail) => detail.includes(" earlier "))
    assert.match(lookup ?? "", /^SEARCH earlier USING .*\(provider=\? AND customer=\?\)$/u)
  })
})
