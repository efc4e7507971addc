import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Exit, Request, RequestResolver } from "effect"
import { type OrderForm, OrdersByUidsForm } from "./bookForms.ts"
import type { CowApi } from "./CowApi.ts"

/** An order of the order book. Null if the order book does not return it; UNAVAILABLE if the request failed. */
export type OrderResponse = OrderForm | "UNAVAILABLE" | null

class LookUpOrder extends Request.TaggedClass("LookUpOrder")<
  { readonly chainId: EvmChainId; readonly uid: HexBytes },
  OrderResponse
> {}

/** Maximum number of orders in one request. */
const MAX_CONCURRENT = 128
/**
 * Time in which the requests of concurrent checks are collected into one, because the order book has rate limits and
 * orders stay open for weeks.
 */
const BATCH_WINDOW = "25 millis"

/** Reads orders by uid, many in one request. */
export const bookedOrders = ({ sendRequest }: CowApi) => {
  const resolver = RequestResolver.makeGrouped<LookUpOrder, EvmChainId>({
    key: ({ request }) => request.chainId,
    resolver: Effect.fnUntraced(function* (entries, chainId) {
      const body = entries.map(({ request }) => request.uid)
      const ordersResponse = yield* sendRequest(
        chainId,
        { method: "POST", path: "/api/v1/orders/by_uids", body, isReadOnly: true },
        OrdersByUidsForm
      ).pipe(Effect.catch(() => Effect.succeed(null)))
      const orderByUid = new Map(
        ordersResponse?.flatMap(({ order }) => (order === undefined ? [] : [[order.uid.toLowerCase(), order]]))
      )
      for (const entry of entries) {
        const order = orderByUid.get(entry.request.uid) ?? null
        entry.completeUnsafe(Exit.succeed(ordersResponse === null ? "UNAVAILABLE" : order))
      }
    })
  }).pipe(RequestResolver.setDelayEffect(Effect.sleep(BATCH_WINDOW)), RequestResolver.batchN(MAX_CONCURRENT))

  return (chainId: EvmChainId, uid: HexBytes): Effect.Effect<OrderResponse> =>
    Effect.request(new LookUpOrder({ chainId, uid }), resolver)
}
