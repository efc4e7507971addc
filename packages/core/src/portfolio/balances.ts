import { Effect, Result } from "effect"
import { answerInTime, type EvmChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"
import { type Holding, holdingsOn } from "./holdings.ts"

/** A chain that could not be read, in full or in part. */
export interface UnreadChain {
  readonly chainId: EvmChainId
  readonly reason: string
}

export interface Balances {
  readonly holdings: ReadonlyArray<Holding>
  readonly unread: ReadonlyArray<UnreadChain>
}

/** What an account has on each chain. */
export const balancesOf = Effect.fnUntraced(function* (address: Address, chainIds: ReadonlyArray<EvmChainId>) {
  const answers = yield* Effect.forEach(chainIds, (id) => Effect.result(answerInTime(id, holdingsOn(address, id))), {
    concurrency: "unbounded"
  })
  const balances: Balances = {
    holdings: answers.flatMap((answer) => (Result.isSuccess(answer) ? answer.success : [])),
    unread: answers.flatMap((answer, i) =>
      Result.isFailure(answer) ? [{ chainId: chainIds[i]!, reason: answer.failure.message }] : []
    )
  }
  return balances
})
