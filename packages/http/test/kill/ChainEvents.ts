import { type Address, createPublicClient, erc20Abi, http } from "viem"
import { entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { userOperationEvent } from "../support/userOperationEvent.ts"

/** Maximum number of concurrent balance requests. */
const PARALLEL_READS = 16

/** Number of blocks that is deeper than any reorg of the test. */
const LASTING_BLOCKS = 16n

/**
 * Counts how often the chain contains each operation. It is read while the chain grows, because a sandbox drops its
 * oldest blocks.
 */
export class ChainEvents {
  /** Operation hashes by block number. */
  readonly #blocks = new Map<bigint, Array<string>>()
  readonly #client: ReturnType<typeof createPublicClient>
  #firstBlock: bigint | null = null
  #head = 0n

  constructor(rpcUrl: string) {
    this.#client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  }

  /**
   * Reads the logs since the previous call, and again those of the last blocks before, which a reorg may have replaced.
   * The first call only records the head.
   */
  async read(): Promise<void> {
    const head = await this.#client.getBlockNumber()
    this.#firstBlock ??= head + 1n
    const rereadFrom = this.#head - LASTING_BLOCKS
    const fromBlock = rereadFrom > this.#firstBlock ? rereadFrom : this.#firstBlock
    this.#head = head
    for (const number of this.#blocks.keys()) if (number >= fromBlock) this.#blocks.delete(number)
    if (fromBlock > head) return
    const logs = await this.#client.getLogs({
      address: [entryPoint07Address, entryPoint08Address],
      event: userOperationEvent,
      fromBlock,
      toBlock: head
    })
    for (const { args, blockNumber } of logs) {
      this.#blocks.set(blockNumber, [...(this.#blocks.get(blockNumber) ?? []), args.userOpHash ?? ""])
    }
  }

  get executionCounts(): ReadonlyMap<string, number> {
    const times = new Map<string, number>()
    for (const hash of [...this.#blocks.values()].flat()) times.set(hash, (times.get(hash) ?? 0) + 1)
    return times
  }

  /** Returns the balance of a token at each address, in base units. */
  async balances(token: string, holders: ReadonlyArray<string>): Promise<ReadonlyMap<string, bigint>> {
    const balances = new Map<string, bigint>()
    for (let i = 0; i < holders.length; i += PARALLEL_READS) {
      const holderBatch = holders.slice(i, i + PARALLEL_READS)
      const heldAmounts = await Promise.all(
        holderBatch.map((holder) =>
          this.#client.readContract({
            address: token as Address,
            abi: erc20Abi,
            functionName: "balanceOf",
            args: [holder as Address]
          })
        )
      )
      for (const [j, balance] of heldAmounts.entries()) balances.set(holderBatch[j]!, balance)
    }
    return balances
  }
}
