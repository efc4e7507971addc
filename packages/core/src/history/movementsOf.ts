import { DateTime, Effect } from "effect"
import type { WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { HistoryStore, type RecordedMovement } from "./HistoryStore.ts"

const PAGE = 1_000

/** Every movement of an account in a project, oldest first; those before an instant, where one is given. */
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
    if (wanted.length < PAGE) return all
  }
})
