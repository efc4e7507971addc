import { Effect } from "effect"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore, type StoredFiatOrder } from "./FiatOrderStore.ts"
import { fiatEvent } from "./fiatEvents.ts"

/**
 * Stores a changed order. If its state has changed, also stores its event. Returns false if another caller has changed
 * the order since it was read. Must run in a unit of work.
 */
export const orderChanges = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const outbox = yield* EventOutbox
  return Effect.fnUntraced(function* ({ order: before, version }: StoredFiatOrder, after: FiatOrder) {
    if (after === before) return true
    if (!(yield* store.update(after, version))) return false
    if (after.state !== before.state) yield* outbox.append(fiatEvent(after, before.state))
    return true
  })
})
