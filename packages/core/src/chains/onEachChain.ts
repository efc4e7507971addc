import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import { answerInTime } from "./answerInTime.ts"
import type { ChainId, EvmChainId } from "./Chain.ts"

/** A chain that could not be read, in full or in part. */
export interface UnreadChain {
  readonly chainId: ChainId
  readonly reason: string
}

/** What the chains have together; those that fail, or do not answer in time, are named. */
export const onEachChain = <A, R>(
  chainIds: ReadonlyArray<EvmChainId>,
  read: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<A>, UpstreamUnavailable, R>
) =>
  Effect.forEach(chainIds, (chainId) => Effect.result(answerInTime(chainId, read(chainId))), {
    concurrency: "unbounded"
  }).pipe(
    Effect.map((answers) => ({
      found: answers.flatMap((answer) => (Result.isSuccess(answer) ? answer.success : [])),
      unread: answers.flatMap(
        (answer, i): ReadonlyArray<UnreadChain> =>
          Result.isFailure(answer) ? [{ chainId: chainIds[i]!, reason: answer.failure.message }] : []
      )
    }))
  )
