import { type Address, createPublicClient, http, parseAbiItem } from "viem"

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)")
/** Base units of the stablecoin per cent. */
const UNITS_PER_CENT = 10_000n

/**
 * Reads the stablecoin transfers of whole cents from and to the bank in the chain's logs. They are read while the chain
 * grows, because a sandbox drops its oldest blocks.
 */
export class BankTransfers {
  readonly givenUnits = new Map<string, bigint>()
  readonly takenUnits = new Map<string, bigint>()
  readonly #client: ReturnType<typeof createPublicClient>
  readonly #token: Address
  readonly #bank: Address
  #nextBlock: bigint | null = null

  constructor(rpcUrl: string, token: string, bank: string) {
    this.#client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
    this.#token = token as Address
    this.#bank = bank as Address
  }

  /** Reads the logs since the previous call. The first call only records the head. */
  async read(): Promise<void> {
    const head = await this.#client.getBlockNumber()
    const fromBlock = this.#nextBlock ?? head + 1n
    this.#nextBlock = head + 1n
    if (fromBlock > head) return
    const logs = await this.#client.getLogs({ address: this.#token, event: transferEvent, fromBlock, toBlock: head })
    for (const { args } of logs) {
      const { from = "", to = "", value = 0n } = args
      if (value % UNITS_PER_CENT !== 0n) continue
      if (from.toLowerCase() === this.#bank) this.#add(this.givenUnits, to, value)
      if (to.toLowerCase() === this.#bank) this.#add(this.takenUnits, from, value)
    }
  }

  #add(sums: Map<string, bigint>, wallet: string, units: bigint): void {
    const key = wallet.toLowerCase()
    sums.set(key, (sums.get(key) ?? 0n) + units / UNITS_PER_CENT)
  }
}
