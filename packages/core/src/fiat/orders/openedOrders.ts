import { DateTime, Effect, Option } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { FiatProviders } from "../provider/FiatProvider.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"
import { orderChanges } from "./OrderChanges.ts"
import { transitionOrder } from "./orderMove.ts"

/**
 * Opens deposits at their provider, and stores the payment instructions. Repeated requests create only one order at the
 * provider, so both the creating request and the execution worker may call this function.
 */
export const openedOrders = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const providers = yield* FiatProviders
  const unitOfWork = yield* UnitOfWork
  const change = yield* orderChanges

  const find = (projectId: ProjectId, id: string) =>
    Effect.map(
      store.find(projectId, id),
      Option.getOrThrowWith(() => new Error(`There is no order ${id}`))
    )

  return Effect.fnUntraced(function* (
    projectId: ProjectId,
    id: string
  ): Effect.fn.Return<FiatOrder, UpstreamUnavailable> {
    const storedOrder = yield* find(projectId, id)
    const { order } = storedOrder
    if (order.providerOrder !== null || order.state !== "AWAITING_FUNDS") return order
    const provider = providers.find(({ name }) => name === order.quote.provider)
    const now = yield* DateTime.now
    const openedOrder = yield* provider === undefined
      ? Effect.succeed(transitionOrder(order, "FAILED", now, `${order.quote.provider} is no longer configured`))
      : provider.openDeposit(order).pipe(
          Effect.map((openedDeposit) => ({ ...order, ...openedDeposit })),
          Effect.catchTag("FIAT_REFUSAL", (refusal) =>
            Effect.succeed(transitionOrder(order, "FAILED", now, refusal.reason))
          )
        )
    yield* unitOfWork.run(change(storedOrder, openedOrder))
    return (yield* find(projectId, id)).order
  })
})
