import { type EvmChainId, nextBlockDueMs } from "../../foundation/chains/index.ts"
import { BoundedMap } from "../../foundation/primitives/index.ts"
import type { AccountState, AccountStateRequest } from "./ChainReader.ts"

/** Maximum number of cached account states. If it is exceeded, the oldest entry is removed. */
const CAPACITY = 1_000

interface CachedState {
  readonly state: AccountState
  readonly atMs: number
}

/** Returns the cache key of an account query. */
export const stateKey = (chainId: EvmChainId, { address, allowances, tokens }: AccountStateRequest): string =>
  [
    `account ${chainId} ${address}`,
    ...tokens,
    ...allowances.map(({ owner, spender, token }) => `${token}:${spender}:${owner}`)
  ].join(" ")

/** Caches account states until the next block, because they change only with a new block. */
export class RecentStates {
  readonly #seen = new BoundedMap<string, CachedState>(CAPACITY)

  /** Returns a cached state. Null if there is none, or if a newer block of the chain is due. */
  find(key: string, chainId: EvmChainId, nowMs: number): AccountState | null {
    const cachedState = this.#seen.get(key)
    if (cachedState === undefined) return null
    const nextBlockMs = nextBlockDueMs(chainId, {
      timestamp: cachedState.state.blockTimestamp,
      seenAtMs: cachedState.atMs
    })
    return nowMs < nextBlockMs ? cachedState.state : null
  }

  remember(key: string, state: AccountState, atMs: number): void {
    this.#seen.set(key, { state, atMs })
  }
}
