import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import { FiatOrder } from "./FiatOrder.ts"
import type { FiatDirection, FiatOrderState } from "./orderStates.ts"

const typePrefixes = { DEPOSIT: "ramp.deposit", WITHDRAWAL: "ramp.withdrawal" } as const satisfies Record<
  FiatDirection,
  string
>

const suffixes = {
  AWAITING_FUNDS: "created",
  FUNDS_RECEIVED: "funds_received",
  PROCESSING: "processing",
  IN_REVIEW: "in_review",
  COMPLETED: "completed",
  EXPIRED: "expired",
  CANCELLED: "cancelled",
  FAILED: "failed",
  RETURNED: "returned",
  REFUNDED: "refunded"
} as const satisfies Record<FiatOrderState, string>

type RampType = `${(typeof typePrefixes)[FiatDirection]}.${(typeof suffixes)[FiatOrderState]}`

const typeOf = (direction: FiatDirection, state: FiatOrderState): RampType =>
  `${typePrefixes[direction]}.${suffixes[state]}`

/** The events of orders. Each state that an order reaches has its own event type. */
export const fiatEvents = eventKind(
  "fiat_order",
  (["DEPOSIT", "WITHDRAWAL"] as const).flatMap((direction) =>
    (Object.keys(suffixes) as ReadonlyArray<FiatOrderState>).map((state) => typeOf(direction, state))
  ),
  FiatOrder
)

export const fiatEvent = (order: FiatOrder, previous: FiatOrderState | null): NewEvent =>
  fiatEvents.eventOf({
    projectId: order.quote.projectId,
    type: typeOf(order.quote.direction, order.state),
    id: order.id,
    at: order.updatedAt,
    previousStatus: previous,
    resource: order
  })
