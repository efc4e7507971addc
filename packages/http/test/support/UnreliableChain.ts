import { askChain } from "./askChain.ts"

const BLOCK_MS = 250

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Controls a sandbox chain that mines four blocks per second, has reorgs, and drops transactions. */
export class UnreliableChain {
  readonly #rpcUrl: string
  readonly #operators: ReadonlyArray<string>
  #isMining = false
  #mining: Promise<void> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()

  /** @param operators Addresses whose transactions are dropped. */
  constructor(rpcUrl: string, operators: ReadonlyArray<string>) {
    this.#rpcUrl = rpcUrl
    this.#operators = operators.map((address) => address.toLowerCase())
  }

  rpc(method: string, ...params: ReadonlyArray<unknown>) {
    return askChain(this.#rpcUrl, method, ...params)
  }

  async start(): Promise<void> {
    await this.rpc("evm_setAutomine", false)
    this.#isMining = true
    this.#mining = this.#mine()
  }

  /** Stops the mining interval. Each transaction is then mined immediately. */
  async stop(): Promise<void> {
    this.#isMining = false
    await this.#mining
    await this.rpc("evm_setAutomine", true)
  }

  /** Removes the last blocks and their transactions. */
  reorg(depth: number): Promise<void> {
    return this.#inTurn(() => this.rpc("anvil_reorg", depth, []))
  }

  /** Makes a change that no later reorg removes, because `depth` blocks follow it immediately. */
  lasting(depth: number, change: () => Promise<unknown>): Promise<void> {
    return this.#inTurn(async () => {
      await this.rpc("evm_setAutomine", true)
      await change()
      await this.rpc("evm_setAutomine", false)
      await this.rpc("anvil_mine", `0x${depth.toString(16)}`)
    })
  }

  /** Drops one pending transaction of each operator from the mempool, if there is one. */
  async dropOne(): Promise<void> {
    const { pending } = await this.rpc("txpool_content")
    for (const [sender, byNonce] of Object.entries<Record<string, { readonly hash: string }>>(pending)) {
      const [firstTransaction] = Object.values(byNonce)
      if (this.#operators.includes(sender.toLowerCase()) && firstTransaction !== undefined) {
        await this.rpc("anvil_dropTransaction", firstTransaction.hash)
      }
    }
  }

  /**
   * Runs these calls one after another, because a block that is mined during a reorg of anvil may lose its receipts.
   */
  #inTurn(work: () => Promise<unknown>): Promise<void> {
    const workPromise = this.#turn.then(async () => void (await work()))
    this.#turn = workPromise.catch(() => undefined)
    return workPromise
  }

  async #mine(): Promise<void> {
    while (this.#isMining) {
      await sleep(BLOCK_MS)
      await this.#inTurn(() => this.rpc("evm_mine"))
    }
  }
}
