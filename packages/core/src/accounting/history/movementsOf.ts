import { DateTime, Effect, Order } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { HistoryStore, type RecordedMovement } from "./HistoryStore.ts"

const PAGE = 1_000

/**
 * Sorts movements by time. Movements with the same time are sorted by the chain and block of the transaction's first
 * included movement, and then by creation time, so that a purchase in an earlier block precedes the sale.
 */
const sortMovements = (movements: ReadonlyArray<RecordedMovement>): ReadonlyArray<RecordedMovement> => {
  const firstMovements = new Map<string, RecordedMovement>()
  for (const movement of movements) {
    const first = firstMovements.get(movement.transactionId)
    const isFirst = first === undefined || (movement.position < first.position && movement.blockNumber !== null)
    if (isFirst || first.blockNumber === null) firstMovements.set(movement.transactionId, movement)
  }
  const chainIdOf = ({ movement: { asset } }: RecordedMovement): number => (isToken(asset) ? asset.chainId : -1)
  const firstOf = ({ transactionId }: RecordedMovement): RecordedMovement => firstMovements.get(transactionId)!
  const order = Order.combineAll<RecordedMovement>([
    Order.mapInput(DateTime.Order, ({ at }) => at),
    Order.mapInput(Order.Number, (movement) => chainIdOf(firstOf(movement))),
    Order.mapInput(Order.BigInt, (movement) => firstOf(movement).blockNumber ?? -1n),
    Order.mapInput(DateTime.Order, ({ createdAt }) => createdAt),
    Order.mapInput(Order.String, ({ transactionId }) => transactionId),
    Order.mapInput(Order.Number, ({ position }) => position)
  ])
  return movements.toSorted(order)
}

/**
 * Reads the movements of an account in a project, oldest first, without those of unlisted tokens. If `before` is given,
 * only those before this time.
 */
export const movementsOf = Effect.fnUntraced(function* (
  projectId: ProjectId,
  account: WalletAddress,
  before: DateTime.Utc | null = null
) {
  const store = yield* HistoryStore
  const isTooLate = ({ at }: RecordedMovement) => before !== null && DateTime.isGreaterThanOrEqualTo(at, before)
  const all: Array<RecordedMovement> = []
  for (;;) {
    const page: ReadonlyArray<RecordedMovement> = yield* store.listMovements({
      projectId,
      account,
      after: all.at(-1) ?? null,
      take: PAGE
    })
    const includedMovements = page.filter((movement) => !isTooLate(movement))
    all.push(...includedMovements)
    if (includedMovements.length < PAGE) return sortMovements(all)
  }
})
