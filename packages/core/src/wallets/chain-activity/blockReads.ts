import { Effect } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { type ActivityRequest, ChainActivity } from "./ChainActivity.ts"

/** Number of refused requests for all logs of single blocks, after which only the logs of listed tokens are read. */
const MAX_REFUSALS = 3

/**
 * Reads blocks. Anyone can fill a block with so many transfers of a worthless token that nodes refuse to return its
 * logs. If nodes refuse single blocks repeatedly, the transfers of unlisted tokens in such a block are skipped, so that
 * the watcher continues.
 */
export const blockReads = Effect.map(ChainActivity, (chain) => {
  const refusals = new Map<EvmChainId, number>()

  return Effect.fnUntraced(function* (chainId: EvmChainId, request: Omit<ActivityRequest, "logs">) {
    const { from, to } = request.range
    const refusalCount = refusals.get(chainId) ?? 0
    const logs = from === to && refusalCount >= MAX_REFUSALS ? "LISTED" : "ALL"
    const blocks = yield* chain.between(chainId, { ...request, logs }).pipe(
      Effect.tapErrorTag("RANGE_REFUSED", () =>
        Effect.sync(() => {
          // If even the logs of listed tokens are refused, the number of logs is probably not the reason.
          if (from === to) refusals.set(chainId, logs === "LISTED" ? 0 : refusalCount + 1)
        })
      )
    )
    if (logs === "ALL") refusals.delete(chainId)
    else {
      yield* Effect.logWarning(
        `block ${from} of ${chainOf(chainId).name} has too many logs: transfers of unlisted tokens in it are not recorded`
      )
    }
    return blocks
  })
})
