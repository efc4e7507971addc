import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderApi } from "../providerApi.ts"
import { customerByExternalId } from "./customerByExternalId.ts"

describe("customerByExternalId", () => {
  it.effect("stops reading an endless list, and does not report that the customer does not exist", () =>
    Effect.gen(function* () {
      let pages = 0
      const ask = () =>
        Effect.sync(() => {
          pages += 1
          return { data: [], pagination: { has_more: true, next_page: `cursor-${pages}` } }
        })
      const failure = yield* Effect.flip(customerByExternalId({ ask: ask as ProviderApi["ask"] }, "someone"))
      assert.strictEqual(failure._tag, "UPSTREAM_UNAVAILABLE")
      assert.strictEqual(pages, 1_000)
    })
  )
})
