import { Effect } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { type ActivityRequest, ChainActivity } from "./ChainActivity.ts"

/** Number of consecutive refusals of a single block after which only the logs of listed tokens are read. */
const MAX_REFUSALS = 3

/**
 * Reads blocks. Anyone can fill a block with so many transfers of a worthless token that nodes refuse to return its
 * logs. If nodes refuse single blocks repeatedly, the transfers of unlisted tokens in such a block are skipped, so that
 * the watcher continues.
 */
export const blockReads = Effect.map(ChainActivity, (chain) => {
  /** Number of refused single blocks since all logs of a block were read. */
  const refusals = new Map<EvmChainId, number>()

  const readListed = Effect.fnUntraced(function* (chainId: EvmChainId, request: Omit<ActivityRequest, "logs">) {
    const blocks = yield* chain.readRange(chainId, { ...request, logs: "LISTED" }).pipe(
      // The number of logs is probably not the reason.
      Effect.tapErrorTag("RANGE_REFUSED", () => Effect.sync(() => refusals.delete(chainId)))
    )
    yield* Effect.logWarning(
      `block ${request.range.from} of ${chainOf(chainId).name} has too many logs: transfers of unlisted tokens in it are not recorded`
    )
    return blocks
  })

  return (chainId: EvmChainId, request: Omit<ActivityRequest, "logs">) =>
    chain.readRange(chainId, { ...request, logs: "ALL" }).pipe(
      Effect.tap(() => Effect.sync(() => refusals.delete(chainId))),
      Effect.catchTag("RANGE_REFUSED", (refusal) => {
        if (request.range.from !== request.range.to) return Effect.fail(refusal)
        const count = (refusals.get(chainId) ?? 0) + 1
        refusals.set(chainId, count)
        return count < MAX_REFUSALS ? Effect.fail(refusal) : readListed(chainId, request)
      })
    )
})
