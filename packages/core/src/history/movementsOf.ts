import { DateTime, Effect } from "effect"
import type { WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { isToken } from "../tokens/index.ts"
import { HistoryStore, type RecordedMovement } from "./HistoryStore.ts"

const PAGE = 1_000

const compare = <A>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

const chainIdOf = ({ movement: { asset } }: RecordedMovement): number => (isToken(asset) ? asset.chainId : -1)

/**
 * The order in which movements happened. Blocks of one second are told apart by their numbers, and transactions of one block by
 * when they were created here, so that nothing is sold before it was bought.
 */
const inOrder = (a: RecordedMovement, b: RecordedMovement): number =>
  compare(DateTime.toEpochMillis(a.at), DateTime.toEpochMillis(b.at)) ||
  compare(chainIdOf(a), chainIdOf(b)) ||
  compare(a.blockNumber ?? -1n, b.blockNumber ?? -1n) ||
  compare(DateTime.toEpochMillis(a.createdAt), DateTime.toEpochMillis(b.createdAt)) ||
  compare(a.transactionId, b.transactionId) ||
  a.position - b.position

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
    if (wanted.length < PAGE) return all.toSorted(inOrder)
  }
})
