import { type EvmChainId, nextBlockDueMs } from "../../foundation/chains/index.ts"
import { BoundedMap } from "../../foundation/primitives/index.ts"
import type { AccountState, AccountStateRequest } from "./ChainReader.ts"

/** Accounts that quote again and again within a block; the longest unused are forgotten. */
const CAPACITY = 1_000

interface Seen {
  readonly state: AccountState
  readonly atMs: number
}

/** A name for what is asked about an account. */
export const stateKey = (chainId: EvmChainId, { address, allowances, tokens }: AccountStateRequest): string =>
  [
    `account ${chainId} ${address}`,
    ...tokens,
    ...allowances.map(({ owner, spender, token }) => `${token}:${spender}:${owner}`)
  ].join(" ")

/** Account states at the last look. They change with a block alone. */
export class RecentStates {
  readonly #seen = new BoundedMap<string, Seen>(CAPACITY)

  /** Null where the chain should have another block by now. */
  find(key: string, chainId: EvmChainId, nowMs: number): AccountState | null {
    const seen = this.#seen.get(key)
    if (seen === undefined) return null
    const due = nextBlockDueMs(chainId, { timestamp: seen.state.blockTimestamp, seenAtMs: seen.atMs })
    return nowMs < due ? seen.state : null
  }

  remember(key: string, state: AccountState, atMs: number): void {
    this.#seen.set(key, { state, atMs })
  }
}
