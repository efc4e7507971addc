import type { HistoryTransaction } from "@countersign/core/history"
import type { TokenCatalog } from "@countersign/core/tokens"
import { Effect, Option } from "effect"
import type { FindToken } from "../wire/historyTranslation.ts"

/** A look-up among the tokens that these transactions sent or received. */
export const movedTokens = Effect.fnUntraced(function* (
  catalog: TokenCatalog["Service"],
  transactions: ReadonlyArray<HistoryTransaction>
): Effect.fn.Return<FindToken> {
  const moved = transactions.flatMap(({ received, sent }) => [received, sent]).filter((side) => side !== null)
  const tokens = new Map(
    yield* Effect.forEach(moved, ({ chainId, token }) =>
      Effect.map(catalog.find(chainId, token), (found) => [`${chainId}:${token}`, Option.getOrNull(found)] as const)
    )
  )
  return (chainId, address) => tokens.get(`${chainId}:${address}`) ?? null
})
