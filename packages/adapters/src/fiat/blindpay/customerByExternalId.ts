import type { FiatRefusal } from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect } from "effect"
import type { ProviderApi } from "../providerApi.ts"
import { TITLE } from "./blindPayApi.ts"
import { CustomerPage } from "./blindPayBodies.ts"

/** Number of customers per page that BlindPay accepts. A customer with all of its owners has a few thousand bytes. */
const PAGE = "100"

/**
 * Maximum number of pages, which is more than an operator's customers need. It bounds the search if the provider's list
 * never ends.
 */
const PAGES_MAX = 1_000

/**
 * Finds BlindPay's customer with an external id; null if there is none. Reads all pages, because BlindPay has no filter
 * for external ids.
 */
export const customerByExternalId = Effect.fnUntraced(function* (
  { ask }: Pick<ProviderApi, "ask">,
  externalId: string
): Effect.fn.Return<string | null, FiatRefusal | UpstreamUnavailable> {
  let cursor: string | null = null
  for (let pageIndex = 0; pageIndex < PAGES_MAX; pageIndex++) {
    const query = new URLSearchParams({ limit: PAGE, ...(cursor === null ? {} : { starting_after: cursor }) })
    const page: typeof CustomerPage.Type = yield* ask(CustomerPage, { method: "GET", path: `/customers?${query}` })
    const customer = page.data.find(({ external_id }) => external_id === externalId)
    if (customer !== undefined) return customer.id
    const { has_more, next_page } = page.pagination
    if (!has_more || next_page == null || next_page === "" || next_page === cursor) return null
    cursor = next_page
  }
  // The search must fail here: if it returned null, the customer would be registered a second time.
  return yield* new UpstreamUnavailable({
    upstream: TITLE,
    reason: `its list of customers has no end after ${PAGES_MAX} pages`
  })
})
