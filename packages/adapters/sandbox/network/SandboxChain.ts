import { setTimeout as sleep } from "node:timers/promises"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type AnvilProcess, reapOrphan, startAnvil } from "../anvil/AnvilProcess.ts"
import type { AnvilRpc, HttpResponse } from "../anvil/AnvilRpc.ts"
import type { Artifacts } from "../contracts/index.ts"
import { DEPLOYMENT_VERSION, deployChain } from "../deployment/deployChain.ts"
import { gasPriceOf } from "../gasPrices.ts"
import type { SandboxKeys } from "../keys.ts"
import { SandboxError } from "../SandboxError.ts"
import { deploymentMarkOrNone, hasState, wipe, writeDeploymentMark } from "./chainData.ts"
import { withPrices, withSuggestions } from "./feeDefaults.ts"
import type { SandboxClock } from "./SandboxClock.ts"
import { lossMessage, SentTransactions, sentHashes } from "./SentTransactions.ts"

const SENDING_METHODS = /"(?:eth_send|personal_send|wallet_send)/u
const REWINDING_METHODS =
  /"(?:evm_revert|anvil_re(?:vert|set|org)|anvil_rollback|anvil_loadState|anvil_dropTransaction|hardhat_reset)/u
const MINING_METHODS = /"(?:evm_mine|anvil_mine|hardhat_mine)/u
const STATE_CHANGING_METHODS = /"(?:evm_|anvil_|hardhat_)/u
const MINING_ATTEMPTS = 50
const MINING_POLL_MS = 5
const TRACING_METHODS = /"(?:debug_|trace_)/u

/**
 * One chain of the sandbox. It starts when it is first used, deploys its contracts if it is new, and stores its data in
 * `folder`.
 */
export class SandboxChain {
  readonly chainId: EvmChainId
  readonly #folder: string
  readonly #clock: SandboxClock
  readonly #artifacts: Artifacts
  readonly #keys: SandboxKeys
  readonly #sent: SentTransactions
  /** Called after the chain has started, and after it has received transactions. */
  readonly #onChange: () => void
  /** Called after a rewind has removed transactions. */
  readonly #onRewind: () => void
  #running: AnvilProcess | undefined
  #starting: Promise<AnvilProcess> | undefined
  #isClosed = false
  #wiped: Promise<void> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()
  #trace: Promise<unknown> = Promise.resolve()

  constructor(
    chainId: EvmChainId,
    folder: string,
    clock: SandboxClock,
    artifacts: Artifacts,
    keys: SandboxKeys,
    onChange: () => void,
    onRewind: () => void
  ) {
    this.chainId = chainId
    this.#folder = folder
    this.#clock = clock
    this.#artifacts = artifacts
    this.#keys = keys
    this.#sent = new SentTransactions(folder)
    this.#onChange = onChange
    this.#onRewind = onRewind
  }

  get running(): AnvilProcess | undefined {
    return this.#running
  }

  /**
   * Returns the running chain, and starts it if necessary. Concurrent callers wait for the same start. A chain that has
   * died is started again.
   */
  ensure(): Promise<AnvilProcess> {
    if (this.#isClosed) return Promise.reject(new SandboxError({ message: "The sandbox is stopping." }))
    if (this.#starting === undefined) {
      const start = this.#wiped.then(() => this.#start())
      const clearStart = () => {
        if (this.#starting !== start) return
        if (this.#running !== undefined && !this.#isClosed) {
          process.stderr.write(
            `anvil of chain ${this.chainId} has ended. The next use of the chain restarts it from its last stored state.\n`
          )
        }
        this.#starting = undefined
        this.#running = undefined
      }
      this.#starting = start
      start
        .then((anvil) => {
          if (this.#starting === start) {
            this.#running = anvil
            this.#onChange()
          }
          return anvil.exited
        })
        .then(clearStart, clearStart)
    }
    return this.#starting
  }

  /**
   * Forwards a JSON-RPC body. Requests that send transactions run one after another, each with the chain's fixed base
   * fee.
   */
  async forward(body: string): Promise<HttpResponse> {
    const { rpc } = await this.ensure()
    if (SENDING_METHODS.test(body)) {
      const sentBody = withPrices(this.chainId, body)
      // anvil responds before it mines, so this waits for the block. Otherwise several sends would share one pinned
      // base fee.
      const minedResponse = async () => {
        const response = await this.#recorded(() => rpc.forward(sentBody))
        await this.#mined(rpc)
        return response
      }
      return this.#inTurn(() => this.#atBaseFee(minedResponse))
    }
    // anvil deadlocks if its state changes while it traces a block.
    if (TRACING_METHODS.test(body)) {
      const response = this.#inTurn(() => this.#mined(rpc).then(() => rpc.forward(body)))
      this.#trace = response.catch(() => undefined)
      return response
    }
    if (STATE_CHANGING_METHODS.test(body)) await this.#trace
    // Runs immediately and not after the pending sends, because with manual mining a send waits for this call.
    if (MINING_METHODS.test(body)) return this.#atBaseFee(() => rpc.forward(body))
    // The caller removes these transactions deliberately, so they do not count as lost.
    if (REWINDING_METHODS.test(body)) this.#sent.clear()
    const nodeResponse = await rpc.forward(body)
    if (REWINDING_METHODS.test(body)) this.#onRewind()
    return { ...nodeResponse, body: withSuggestions(this.chainId, body, nodeResponse.body) }
  }

  async call(method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> {
    const { body } = await this.forward(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
    const response = JSON.parse(body.toString()) as {
      readonly result?: unknown
      readonly error?: { readonly message: string }
    }
    if (response.error !== undefined) throw new Error(`${method}: ${response.error.message}`)
    return response.result
  }

  /** Sets a running chain to the sandbox's time and mines a block. */
  async followClock(): Promise<void> {
    if (this.#starting === undefined) return
    const anvil = await this.ensure()
    await this.#trace
    await this.#setTime(anvil)
    await this.call("evm_mine")
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const anvil = await this.#starting?.catch(() => undefined)
    await anvil?.stop()
  }

  /** Stops the chain and deletes its data. The next use deploys it again. */
  reset(): Promise<void> {
    const previousStart = this.#starting
    const wipeChain = async () => {
      const anvil = await previousStart?.catch(() => undefined)
      await anvil?.stop("SIGKILL")
      await wipe(this.#folder)
    }
    this.#wiped = this.#wiped.then(wipeChain)
    this.#starting = undefined
    this.#running = undefined
    return this.#wiped
  }

  reap(): Promise<void> {
    return reapOrphan(this.#folder)
  }

  async #start(): Promise<AnvilProcess> {
    const { baseFeePerGas } = gasPriceOf[this.chainId]
    const mark = await deploymentMarkOrNone(this.#folder)
    // Read before the chain data is deleted, which includes this file.
    const storedHashes = this.#sent.read()
    const isDeployed = mark?.version === DEPLOYMENT_VERSION && (await hasState(this.#folder))
    if (!isDeployed) await wipe(this.#folder)
    let anvil = await startAnvil(this.chainId, this.#folder, baseFeePerGas)
    try {
      let isNew = !isDeployed
      if (isDeployed && Number(await anvil.rpc.call("eth_blockNumber")) < mark.blockNumber) {
        // SIGKILL suffices, because the chain data is deleted next.
        await anvil.stop("SIGKILL")
        await wipe(this.#folder)
        anvil = await startAnvil(this.chainId, this.#folder, baseFeePerGas)
        isNew = true
      }
      await this.#reportLostTransactions(anvil, storedHashes)
      await this.#setTime(anvil)
      if (isNew) {
        await deployChain(anvil.rpc, this.chainId, this.#artifacts, this.#keys)
        const blockNumber = Number(await anvil.rpc.call("eth_blockNumber"))
        await writeDeploymentMark(this.#folder, { version: DEPLOYMENT_VERSION, blockNumber })
      }
      await this.#pinBaseFee(anvil)
    } catch (cause) {
      await anvil.stop("SIGKILL")
      throw cause
    }
    return anvil
  }

  /**
   * Sets the chain's time. An anvil that has loaded its state starts at the system time, which may be before its last
   * block.
   */
  async #setTime({ rpc }: AnvilProcess): Promise<void> {
    const latestBlock = (await rpc.call("eth_getBlockByNumber", "latest", false)) as { readonly timestamp: string }
    await rpc.call("anvil_setTime", Math.max(this.#clock.nowSeconds(), Number(latestBlock.timestamp)))
  }

  /**
   * Records the transaction hashes before the response is sent, so that transactions that a killed anvil loses are
   * known.
   */
  async #recorded(forwardBody: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const response = await forwardBody()
    this.#sent.add(sentHashes(response.body))
    this.#onChange()
    return response
  }

  async #reportLostTransactions({ rpc }: AnvilProcess, sentTransactionHashes: ReadonlyArray<string>): Promise<void> {
    const receipts = await rpc.batch(
      sentTransactionHashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }))
    )
    const lostTransactions = sentTransactionHashes.filter((_, i) => receipts[i] === null)
    this.#sent.clear()
    if (lostTransactions.length > 0) process.stderr.write(lossMessage(this.chainId, lostTransactions))
  }

  /**
   * Waits until the sent transactions are included, for a limited time. With manual mining it does not wait, because
   * the mining call would wait for this one.
   */
  async #mined(rpc: AnvilRpc): Promise<void> {
    if (!(await rpc.call("anvil_getAutomine"))) return
    for (let attempt = 0; attempt < MINING_ATTEMPTS; attempt++) {
      const { pending } = (await rpc.call("txpool_status")) as { readonly pending: string }
      if (BigInt(pending) === 0n) return
      await sleep(MINING_POLL_MS)
    }
  }

  #pinBaseFee({ rpc }: AnvilProcess): Promise<unknown> {
    return rpc.call("anvil_setNextBlockBaseFeePerGas", `0x${gasPriceOf[this.chainId].baseFeePerGas.toString(16)}`)
  }

  /** Pins the base fee of the next block before the call, and again after the call for later price requests. */
  async #atBaseFee<A>(forwardBody: () => Promise<A>): Promise<A> {
    const anvil = await this.ensure()
    await this.#pinBaseFee(anvil)
    const response = await forwardBody()
    await this.#pinBaseFee(anvil)
    return response
  }

  #inTurn<A>(action: () => Promise<A>): Promise<A> {
    const result = this.#turn.then(action)
    this.#turn = result.catch(() => undefined)
    return result
  }
}
