import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AggregatorHost } from "../aggregators/index.ts"
import { thorNodeApi } from "./ThorNodeApi.ts"

const DEPOSIT = `0x${"d".repeat(64)}`
const idOf = (index: number) => index.toString(16).padStart(64, "0")

const statusFrom = (json: unknown) => {
  const host: AggregatorHost = {
    title: "THORNode",
    ask: () => Effect.succeed({ status: 200, json, text: JSON.stringify(json) })
  }
  return thorNodeApi(host, host).status(DEPOSIT)
}

describe("the outbound transactions of a deposit", () => {
  it.effect("have ids, and a flag for announced transactions", () =>
    Effect.gen(function* () {
      const outbounds = [{ chain: "ETH", id: idOf(1) }, { chain: "BTC", id: "none" }, { chain: "BTC" }]
      const plannedOutbounds = outbounds.map(({ chain }) => ({ chain }))
      assert.deepStrictEqual(yield* statusFrom({ out_txs: outbounds, planned_out_txs: plannedOutbounds }), {
        outbounds: [{ chain: "ETH", id: idOf(1) }],
        isMorePlanned: false
      })
      const { isMorePlanned } = yield* statusFrom({ out_txs: [], planned_out_txs: plannedOutbounds })
      assert.isTrue(isMorePlanned)
    })
  )

  it.effect("are limited to the maximum number, and later ones are ignored", () =>
    Effect.gen(function* () {
      const manyOutbounds = Array.from({ length: 10_000 }, (_, index) => ({ chain: "ETH", id: idOf(index) }))
      const { outbounds } = yield* statusFrom({ out_txs: manyOutbounds, planned_out_txs: manyOutbounds })
      assert.deepStrictEqual(outbounds, manyOutbounds.slice(0, 16))
    })
  )
})
