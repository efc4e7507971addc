import { type Address, createPublicClient, erc20Abi, http } from "viem"
import { entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { userOperationEvent } from "../support/userOperationEvent.ts"

/** So many balances are asked for at once. */
const PARALLEL_READS = 16

/** How often each operation is on the chain, read as it grows: a sandbox forgets its oldest blocks. */
export class ChainEvents {
  readonly times = new Map<string, number>()
  readonly #client: ReturnType<typeof createPublicClient>
  #nextBlock: bigint | null = null

  constructor(rpcUrl: string) {
    this.#client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  }

  /** From the first call on. */
  async read(): Promise<void> {
    const head = await this.#client.getBlockNumber()
    const fromBlock = this.#nextBlock ?? head + 1n
    this.#nextBlock = head + 1n
    if (fromBlock > head) return
    const logs = await this.#client.getLogs({
      address: [entryPoint07Address, entryPoint08Address],
      event: userOperationEvent,
      fromBlock,
      toBlock: head
    })
    for (const { args } of logs) {
      const hash = args.userOpHash ?? ""
      this.times.set(hash, (this.times.get(hash) ?? 0) + 1)
    }
  }

  /** What each address holds of a token, in base units. */
  async balances(token: string, holders: ReadonlyArray<string>): Promise<ReadonlyMap<string, bigint>> {
    const balances = new Map<string, bigint>()
    for (let i = 0; i < holders.length; i += PARALLEL_READS) {
      const some = holders.slice(i, i + PARALLEL_READS)
      const held = await Promise.all(
        some.map((holder) =>
          this.#client.readContract({
            address: token as Address,
            abi: erc20Abi,
            functionName: "balanceOf",
            args: [holder as Address]
          })
        )
      )
      for (const [j, balance] of held.entries()) balances.set(some[j]!, balance)
    }
    return balances
  }
}
