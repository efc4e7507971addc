import { type EvmChainId, nextBlockDueMs } from "../../foundation/chains/index.ts"
import { BoundedMap } from "../../foundation/primitives/index.ts"
import type { AccountState, AccountStateRequest } from "./ChainReader.ts"

/** Maximum number of accounts that are quoted repeatedly within a block; the least recently used are removed. */
const CAPACITY = 1_000

interface Seen {
  readonly state: AccountState
  readonly atMs: number
}

/** The cache key of an account query. */
export const stateKey = (chainId: EvmChainId, { address, allowances, tokens }: AccountStateRequest): string =>
  [
    `account ${chainId} ${address}`,
    ...tokens,
    ...allowances.map(({ owner, spender, token }) => `${token}:${spender}:${owner}`)
  ].join(" ")

/** Caches account states, which only change with a block. */
export class RecentStates {
  readonly #seen = new BoundedMap<string, Seen>(CAPACITY)

  /** Null if the chain should have another block by now. */
  find(key: string, chainId: EvmChainId, nowMs: number): AccountState | null {
    const cachedState = this.#seen.get(key)
    if (cachedState === undefined) return null
    const due = nextBlockDueMs(chainId, { timestamp: cachedState.state.blockTimestamp, seenAtMs: cachedState.atMs })
    return nowMs < due ? cachedState.state : null
  }

  remember(key: string, state: AccountState, atMs: number): void {
    this.#seen.set(key, { state, atMs })
  }
}
