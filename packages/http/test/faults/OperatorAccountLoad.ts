import { randomBytes } from "node:crypto"
import { numberToHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { type TestWallet, USDC } from "../support/accounts.ts"
import type { TestService } from "../support/testService.ts"
import { UnreliableChain } from "../support/UnreliableChain.ts"

const CLIENTS = 8
const TIMEOUT_MS = 150_000
/** Number of operations of a sufficient load: more than one per client. */
const MIN_OPERATIONS = 12

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export interface AcceptedOperation {
  readonly wallet: TestWallet
  readonly hash: string
}

export interface LoadReport {
  readonly acceptedCount: number
  readonly completed: number
  /** Milliseconds from the last acceptance until all operations have ended. */
  readonly settlingMs: number
}

/** Simulates clients that send transfers without a pause, on a chain that mines four blocks per second. */
export class OperatorAccountLoad {
  readonly chain: UnreliableChain
  readonly #service: TestService
  readonly #wallets: ReadonlyArray<TestWallet>
  readonly #accepted: Array<AcceptedOperation> = []
  #isLoading = true

  constructor(service: TestService, wallets: ReadonlyArray<TestWallet>) {
    this.#service = service
    this.#wallets = wallets
    const operators = Object.values(service.chains.keys.operators).map(({ address }) => address)
    this.chain = new UnreliableChain(service.chains.rpcUrl(1), operators)
  }

  /** Sends one transaction with each operator key from outside of the service. */
  async sendForeign(): Promise<void> {
    for (const { address, privateKey } of Object.values(this.#service.chains.keys.operators)) {
      const nonce = Number(await this.chain.rpc("eth_getTransactionCount", address, "pending"))
      const rawTransaction = await privateKeyToAccount(privateKey).signTransaction({
        type: "eip1559",
        chainId: 1,
        nonce,
        to: privateKeyToAccount(privateKey).address,
        gas: 21_000n,
        maxFeePerGas: 10n ** 12n,
        maxPriorityFeePerGas: 10n ** 9n
      })
      // Fails if a transaction of the service already uses the nonce.
      await this.chain.rpc("eth_sendRawTransaction", rawTransaction).catch(() => undefined)
    }
  }

  /** Multiplies the base fee of the next block. */
  async spike(factor: bigint): Promise<void> {
    const { baseFeePerGas } = await this.chain.rpc("eth_getBlockByNumber", "latest", false)
    await this.chain.rpc("anvil_setNextBlockBaseFeePerGas", numberToHex(BigInt(baseFeePerGas) * factor))
  }

  /** Executes one transfer per wallet, on a chain with automatic mining, so that the accounts are deployed. */
  async deploy(): Promise<void> {
    await Promise.all(this.#wallets.map((wallet) => this.#transfer(wallet)))
    await Promise.all(this.#accepted.map(({ hash, wallet }) => this.#service.settled(wallet.address, hash)))
  }

  /** Runs the load for `loadMs`, with the events one after another. Then waits until all operations have ended. */
  async run(loadMs: number, events: ReadonlyArray<() => Promise<unknown>>): Promise<LoadReport> {
    await this.chain.start()
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      this.#client(this.#wallets[index % this.#wallets.length]!)
    )
    for (const event of events) {
      await sleep(loadMs / (events.length + 1))
      await event()
    }
    await sleep(loadMs / (events.length + 1))
    await this.#accepts(MIN_OPERATIONS)
    this.#isLoading = false
    await Promise.all(clients)
    const startedAt = performance.now()
    const statuses = await Promise.all(this.#accepted.map((each) => this.#ended(each, startedAt)))
    const settlingMs = Math.round(performance.now() - startedAt)
    await this.chain.stop()
    return {
      acceptedCount: this.#accepted.length,
      completed: statuses.filter((status) => status === "COMPLETED").length,
      settlingMs
    }
  }

  /** Waits until the service has accepted this many operations, however long that takes on a busy machine. */
  async #accepts(count: number): Promise<void> {
    await waitUntilTrue(() => this.#accepted.length >= count, { pollMs: 50 })
  }

  async #client(wallet: TestWallet): Promise<void> {
    while (this.#isLoading) {
      try {
        await this.#transfer(wallet)
      } catch (thrown) {
        // The connection fails while the service restarts.
        if (!(thrown instanceof TypeError)) throw thrown
        await sleep(50)
      }
    }
  }

  async #transfer(wallet: TestWallet): Promise<void> {
    const quoteResponse = await this.#service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: wallet.address,
      chainId: 1,
      token: USDC,
      amount: "1",
      toAddress: `0x${randomBytes(20).toString("hex")}`,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: USDC
    })
    if (quoteResponse.status !== 200) return void (await sleep(50))
    const { signData, userOperationHash } = quoteResponse.body.transfer
    const { status } = await this.#service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash,
      ...(await this.#service.signatures(wallet.privateKey, signData))
    })
    if (status === 200) this.#accepted.push({ wallet, hash: userOperationHash })
  }

  /**
   * Returns the status of an operation once it has failed or its transaction is in a block. After a timeout, returns
   * its current status.
   */
  async #ended({ hash, wallet }: AcceptedOperation, startedAt: number): Promise<string> {
    for (;;) {
      const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${hash}`
      const transaction = (await this.#service.request("GET", path)).body.transactions?.[0]
      const isOver = performance.now() - startedAt > TIMEOUT_MS
      if (transaction?.status !== "PROCESSING" || isOver) {
        const minedHash = transaction?.transactionHash?.hash
        const isMined = minedHash != null && (await this.chain.rpc("eth_getTransactionReceipt", minedHash)) !== null
        if (isMined || transaction?.status === "FAILED" || isOver) return transaction?.status
      }
      await sleep(100)
    }
  }
}
