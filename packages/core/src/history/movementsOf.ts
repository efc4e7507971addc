import { DateTime, Effect } from "effect"
import type { WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { isToken } from "../tokens/index.ts"
import { HistoryStore, type RecordedMovement } from "./HistoryStore.ts"

const PAGE = 1_000

const compare = <A>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The order in which movements happened, transaction by transaction. Those of one second are ordered by the block of their first
 * movement, and those of one block by when they were created here, so that nothing is sold before it was bought.
 */
const inOrder = (movements: ReadonlyArray<RecordedMovement>): ReadonlyArray<RecordedMovement> => {
  const firsts = new Map<string, RecordedMovement>()
  for (const movement of movements) {
    const first = firsts.get(movement.transactionId)
    const isFirst = first === undefined || (movement.position < first.position && movement.blockNumber !== null)
    if (isFirst || first.blockNumber === null) firsts.set(movement.transactionId, movement)
  }
  const chainIdOf = ({ movement: { asset } }: RecordedMovement): number => (isToken(asset) ? asset.chainId : -1)
  return movements.toSorted((a, b) => {
    const [one, other] = [firsts.get(a.transactionId)!, firsts.get(b.transactionId)!]
    return (
      compare(DateTime.toEpochMillis(a.at), DateTime.toEpochMillis(b.at)) ||
      compare(chainIdOf(one), chainIdOf(other)) ||
      compare(one.blockNumber ?? -1n, other.blockNumber ?? -1n) ||
      compare(DateTime.toEpochMillis(a.createdAt), DateTime.toEpochMillis(b.createdAt)) ||
      compare(a.transactionId, b.transactionId) ||
      a.position - b.position
    )
  })
}

/** Every movement of an account in a project, in the order in which they happened; those before an instant, where one is given. */
export const movementsOf = Effect.fnUntraced(function* (
  projectId: ProjectId,
  account: WalletAddress,
  before: DateTime.Utc | null = null
) {
  const store = yield* HistoryStore
  const isTooLate = ({ at }: RecordedMovement) => before !== null && DateTime.isGreaterThanOrEqualTo(at, before)
  const all: Array<RecordedMovement> = []
  for (;;) {
    const page: ReadonlyArray<RecordedMovement> = yield* store.movements({
      projectId,
      account,
      after: all.at(-1) ?? null,
      take: PAGE
    })
    const wanted = page.filter((movement) => !isTooLate(movement))
    all.push(...wanted)
    if (wanted.length < PAGE) return inOrder(all)
  }
})
