import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, Exit, Request, RequestResolver } from "effect"
import { type OrderForm, OrdersByUidsForm } from "./bookForms.ts"
import type { CowApi } from "./CowApi.ts"

class LookUpOrder extends Request.TaggedClass("LookUpOrder")<
  { readonly chainId: EvmChainId; readonly uid: HexBytes },
  OrderForm | null
> {}

/** Orders that the book names in one answer. */
const MOST_AT_ONCE = 128
/** So that executions that are looked at together are asked for together: a book counts requests, and orders wait for weeks. */
const GATHERING = "25 millis"

/** Orders of a book by their uids, many in one request. Null for one that the book does not have, or does not say. */
export const bookedOrders = ({ ask }: CowApi) => {
  const resolver = RequestResolver.makeGrouped<LookUpOrder, EvmChainId>({
    key: ({ request }) => request.chainId,
    resolver: Effect.fnUntraced(function* (entries, chainId) {
      const body = entries.map(({ request }) => request.uid)
      const found = yield* ask(
        chainId,
        { method: "POST", path: "/api/v1/orders/by_uids", body },
        OrdersByUidsForm
      ).pipe(Effect.catch(() => Effect.succeed([])))
      const byUid = new Map(
        found.flatMap(({ order }) => (order === undefined ? [] : [[order.uid.toLowerCase(), order]]))
      )
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(byUid.get(entry.request.uid) ?? null))
    })
  }).pipe(RequestResolver.setDelayEffect(Effect.sleep(GATHERING)), RequestResolver.batchN(MOST_AT_ONCE))

  return (chainId: EvmChainId, uid: HexBytes): Effect.Effect<OrderForm | null> =>
    Effect.request(new LookUpOrder({ chainId, uid }), resolver)
}
