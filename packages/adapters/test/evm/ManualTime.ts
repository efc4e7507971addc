import type { RpcTime } from "../../src/chains/evm/rpc/RpcTime.ts"

/** A clock that only `advance` changes. Sleepers wake when their time has passed. There is no jitter. */
export class ManualTime implements RpcTime {
  #now = 0
  #sleepers: Array<{ readonly until: number; readonly wake: () => void }> = []

  readonly now = (): number => this.#now

  readonly random = (): number => 0.5

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => this.#sleepers.push({ until: this.#now + milliseconds, wake }))

  /** The number of sleepers. */
  get sleeperCount(): number {
    return this.#sleepers.length
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    const dueSleepers = this.#sleepers.filter(({ until }) => until <= this.#now)
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now)
    for (const { wake } of dueSleepers) wake()
  }
}
