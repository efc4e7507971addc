import type { FiatRefusal } from "@countersign/core/fiat"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect } from "effect"
import type { ProviderApi } from "../providerApi.ts"
import { CustomerPage } from "./blindPayBodies.ts"

/** A page size that BlindPay accepts. A customer with all its owners has a few thousand bytes. */
const PAGE = "100"

/** The id of BlindPay's customer with an external id, or null. BlindPay does not filter by it, so all pages are read. */
export const customerByExternalId = Effect.fnUntraced(function* (
  { ask }: Pick<ProviderApi, "ask">,
  externalId: string
): Effect.fn.Return<string | null, FiatRefusal | UpstreamUnavailable> {
  for (let after: string | null = null; ; ) {
    const query = new URLSearchParams({ limit: PAGE, ...(after === null ? {} : { starting_after: after }) })
    const page: typeof CustomerPage.Type = yield* ask(CustomerPage, { method: "GET", path: `/customers?${query}` })
    const customer = page.data.find(({ external_id }) => external_id === externalId)
    if (customer !== undefined) return customer.id
    const { has_more, next_page } = page.pagination
    if (!has_more || next_page == null || next_page === "" || next_page === after) return null
    after = next_page
  }
})
