import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { ActivityStore, ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SandboxBitcoin } from "../../../adapters/sandbox/bitcoin/SandboxBitcoin.ts"
import { SandboxClock } from "../../../adapters/sandbox/network/SandboxClock.ts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { SeededRandom } from "../kill/SeededRandom.ts"
import { registerOneOfEachKind, type TestWallet, USDC, WETH } from "../support/accounts.ts"
import { askChain } from "../support/askChain.ts"
import { type BitcoinOwner, registerOwner, signAndFinalize } from "../support/bitcoinOwner.ts"
import { fiatClient } from "../support/fiatClient.ts"
import { startTestService, type TestResponse, type TestService } from "../support/testService.ts"

export type Body = TestResponse["body"]

const NEVER_MS = 2_000_000_000
const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
const QUOTE_SECONDS = 1_800
const POLL_MS = 250

/** A wallet with its loans, and its liquidity position or null. */
export interface Actor {
  readonly wallet: TestWallet
  readonly individualId: string
  readonly loans: Map<string, string>
  position: string | null
}

/**
 * Returns whether a client retries after this error. On a slow machine a node or an Esplora server may respond too
 * late. Also, anvil can read the state of a new block at the time of the previous block, where Aave balances revert.
 */
const isRetryable = ({ body, status }: TestResponse): boolean =>
  [409, 429, 503].includes(status) || ["SWAP_QUOTE", "UPSTREAM_UNAVAILABLE"].includes(body?.id)

/**
 * The service rejected the request for a temporary reason, for example because another operation moved the pool or
 * changed the wallet.
 */
export class RefusedOperation extends Error {}

/** Manages a service with wallets of all types, which execute random operations. */
export class Month {
  readonly service: TestService
  readonly bitcoin: SandboxBitcoin
  readonly random: SeededRandom
  readonly actors: ReadonlyArray<Actor>
  readonly payers: ReadonlyArray<BitcoinOwner>
  /** Ids of transactions that end later without further requests. */
  readonly later: Array<string> = []
  readonly #home: string
  #gate: Promise<void> = Promise.resolve()
  #inFlight = 0

  private constructor(
    service: TestService,
    bitcoin: SandboxBitcoin,
    home: string,
    actors: ReadonlyArray<Actor>,
    payers: ReadonlyArray<BitcoinOwner>,
    seed: number
  ) {
    this.service = service
    this.bitcoin = bitcoin
    this.#home = home
    this.actors = actors
    this.payers = payers
    this.random = new SeededRandom(seed)
  }

  static async start(seed: number): Promise<Month> {
    const home = mkdtempSync(join(tmpdir(), "countersign-month-"))
    const bitcoin = new SandboxBitcoin(home, new SandboxClock(home), NEVER_MS)
    const service = await startTestService({
      bitcoin: { esploraUrls: [await bitcoin.ownUrl()] },
      quoteSeconds: QUOTE_SECONDS
    })
    const wallets = await registerOneOfEachKind(service)
    const actors: Array<Actor> = []
    for (const [i, wallet] of wallets.entries()) {
      await service.fund(wallet.address, "native", 10n ** 21n)
      await service.fund(wallet.address, WETH, 10n ** 21n)
      await service.fund(wallet.address, WBTC, 10n ** 10n)
      const individualId = `ind_month_${i}`
      const { bank, verify } = fiatClient(service, wallet, individualId)
      await verify()
      await bank("customer", { individualId })
      actors.push({ wallet, individualId, loans: new Map(), position: null })
    }
    const payers: Array<BitcoinOwner> = []
    for (const walletIndex of [2, 3]) {
      const { privateKey } = bitcoin.wallets[walletIndex]!
      payers.push(await registerOwner(service, new Uint8Array(Buffer.from(privateKey.slice(2), "hex")), walletIndex))
    }
    const month = new Month(service, bitcoin, home, actors, payers, seed)
    // The watcher starts at the head of each chain, because the month does not include earlier transfers.
    await month.readChains()
    return month
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await this.bitcoin.close()
    rmSync(this.#home, { recursive: true, force: true })
  }

  /** Sends a request. Waits during a restart of the service and during a reorg. */
  ask(method: string, path: string, body?: unknown): Promise<TestResponse> {
    return this.undisturbed(() => this.service.request(method, path, body))
  }

  /** Runs work during which the service is not restarted and no reorg occurs. */
  async undisturbed<A>(work: () => Promise<A>): Promise<A> {
    await this.#gate
    this.#inFlight += 1
    try {
      return await work()
    } finally {
      this.#inFlight -= 1
    }
  }

  /** Returns the response of a successful request. Throws `RefusedOperation` if the client may retry. */
  async request(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.ask(method, path, body)
    if (response.status >= 200 && response.status < 300) return response.body
    const requestText = `${method} ${path}: ${JSON.stringify(response.body)}`
    if (isRetryable(response)) throw new RefusedOperation(requestText)
    return assert.fail(requestText)
  }

  async #whileStill(work: () => Promise<void>): Promise<void> {
    let openGate = () => {}
    this.#gate = new Promise((resolve) => (openGate = resolve))
    try {
      await waitUntil(
        async () => this.#inFlight,
        (count) => count === 0
      )
      await work()
    } finally {
      openGate()
    }
  }

  /** Stops the service, even during operations, and starts it again. */
  restart(): Promise<void> {
    return this.#whileStill(() => this.service.restart())
  }

  /** Removes the last `depth` blocks of Ethereum with a reorg. The bank then sends the removed transfers again. */
  async reorg(depth: number): Promise<void> {
    await this.#whileStill(() => this.chain("anvil_reorg", depth, []))
    await waitUntil(
      async () => (await this.control("bank/resend", {})).missing,
      (missing) => missing === 0
    )
  }

  chain(method: string, ...params: ReadonlyArray<unknown>) {
    return askChain(this.service.chains.rpcUrl(1), method, ...params)
  }

  control(path: string, mode: object): Promise<Body> {
    return this.undisturbed(async () => {
      const response = await fetch(`${this.service.chains.gatewayUrl}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(mode)
      })
      const text = await response.text()
      assert.strictEqual(response.status, 200, text)
      return JSON.parse(text)
    })
  }

  /** Signs and executes a quote. Returns the transaction id. */
  async execute(
    { privateKey }: TestWallet,
    { quoteId, revertReason, signData, userOperationHash }: Body
  ): Promise<string> {
    if (revertReason !== undefined) throw new RefusedOperation(JSON.stringify(revertReason))
    const signatures = await this.service.signaturesByHash(privateKey, signData)
    const body = { quoteId: quoteId ?? userOperationHash, signatures }
    return (await this.request("POST", "/api/v1/crypto/execute", body)).transactionId
  }

  async transaction(id: string): Promise<Body> {
    return (await this.request("GET", `/api/v1/crypto/transactions/${id}`)).transaction
  }

  once(id: string, isExpected: (transaction: Body) => boolean): Promise<Body> {
    return waitUntil(() => this.transaction(id), isExpected)
  }

  /** Waits for the final status of a transaction. */
  ended(id: string): Promise<Body> {
    return this.once(id, ({ status }) => !["PENDING_SIGNATURE", "PROCESSING", "ON_BRIDGE"].includes(status))
  }

  async done(wallet: TestWallet, path: string, request: object, quoteOf = (body: Body): Body => body): Promise<Body> {
    const quote = quoteOf(await this.request("POST", path, { walletAddress: wallet.address, ...request }))
    return this.ended(await this.execute(wallet, quote))
  }

  /** Signs a Bitcoin payment and submits it. */
  async publish(payer: BitcoinOwner, { quoteId, signData }: Body): Promise<string> {
    const signedTransactionHex = signAndFinalize(payer, signData[0].psbt)
    const path = "/api/v1/crypto/bitcoin/broadcast"
    return (await this.request("POST", path, { quoteId, signedTransactionHex })).transactionId
  }

  /** Triggers polls of the next blocks of each chain. */
  async lookAtChains(): Promise<void> {
    await this.service.run(ActivityWatch.use(({ watchDue }) => watchDue))
    await this.service.run(BitcoinWatch.use(({ watchDue }) => watchDue))
    await setTimeout(POLL_MS)
  }

  /** Reads the chains up to their heads, and records all detected transfers. */
  async readChains(): Promise<void> {
    await this.service.advanceClock(61)
    const { run } = this.service
    while (await run(BitcoinWatch.use(({ watchDue }) => watchDue)));
    for (const chainId of [1, 8453] as const) {
      const url = this.service.chains.rpcUrl(chainId)
      await waitUntil(
        async () => {
          const head = await askChain(url, "eth_getBlockByNumber", "latest", false)
          await run(ActivityWatch.use(({ watchDue }) => watchDue))
          return { head: head.hash, ...(await run(readActivity(chainId))) }
        },
        ({ backfills, head, last, waiting }) => last === head && backfills === 0 && waiting === null
      )
    }
  }
}

const readActivity = (chainId: EvmChainId) =>
  Effect.gen(function* () {
    const store = yield* ActivityStore
    const chain = (yield* store.listChains).find((one) => one.chainId === chainId)
    return {
      last: chain?.progress?.last?.hash ?? null,
      waiting: yield* store.nextDueAt(chainId),
      backfills: (yield* store.listBackfills(chainId, 1)).length
    }
  })

export const gasInUsdc = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
export { WBTC }
