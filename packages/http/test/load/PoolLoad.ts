import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { waitUntil } from "../../../core/test/support/until.ts"
import type { SeededRandom } from "../kill/SeededRandom.ts"
import type { ApiResponse } from "../kill/ServiceClient.ts"
import { NATIVE, swapOf, USDC, WETH } from "../support/accounts.ts"
import { signOperations } from "../support/sign.ts"

export interface LoadService {
  /** Sends a POST if there is a body, otherwise a GET. */
  readonly ask: (path: string, body?: object) => Promise<ApiResponse>
  /** `amount` is in base units. */
  readonly fund: (address: string, token: string, amount: bigint) => Promise<void>
  /** Milliseconds between two requests for the state of an operation. Default: that of `until`. */
  readonly pollMs?: number
}

interface Trader {
  readonly address: string
  readonly privateKey: `0x${string}`
}

const ETHER = 10n ** 18n
const DOLLAR = 10n ** 6n

/**
 * Simulates wallets that trade in one pool of USDC and WETH concurrently, in both directions. The tokens have no
 * transfer fee or other peculiarity, so a quote may be rejected only because other trades moved the pool.
 */
export class PoolLoad {
  readonly #service: LoadService
  readonly #random: SeededRandom
  #quotes = 0
  #moved = 0
  #completed = 0
  /** Unexpected responses and outcomes. */
  readonly problems: Array<string> = []

  constructor(service: LoadService, random: SeededRandom) {
    this.#service = service
    this.#random = random
  }

  get counts() {
    return { quotes: this.#quotes, moved: this.#moved, completed: this.#completed, problems: this.problems.length }
  }

  async wallets(count: number): Promise<ReadonlyArray<Trader>> {
    const { body } = await this.#service.ask("/api/v1/wallets/factories")
    // EIP-7702 wallets are not used, because each would need a key of its own with native tokens.
    const { factory } = body.factories.find(({ eip7702 }: { readonly eip7702: boolean }) => !eip7702)
    return Promise.all(Array.from({ length: count }, () => this.#newWallet(factory)))
  }

  async #newWallet(factory: string): Promise<Trader> {
    const privateKey = generatePrivateKey()
    const { body, status } = await this.#service.ask("/api/v1/wallets/register", {
      externallyOwnedAccount: privateKeyToAddress(privateKey),
      factory
    })
    if (status !== 201) throw new Error(`No wallet was registered: ${JSON.stringify(body)}`)
    const address: string = body.wallet.walletAddress
    await this.#service.fund(address, USDC, 1_000_000n * DOLLAR)
    await this.#service.fund(address, WETH, 100n * ETHER)
    await this.#service.fund(address, "native", ETHER)
    return { address, privateKey }
  }

  /** Requests a quote for a random amount. Null if it was rejected. */
  async quote({ address }: Trader) {
    const isSale = this.#random.fraction() < 0.5
    const { body, status } = await this.#service.ask(
      "/api/v1/crypto/swap",
      swapOf(
        { address },
        {
          tokenIn: isSale ? WETH : USDC,
          tokenOut: isSale ? USDC : WETH,
          amountIn: isSale ? `0.0${1 + this.#random.below(9)}` : String(10 + this.#random.below(200)),
          slippage: 5,
          payGasFeeToken: this.#random.fraction() < 0.5 ? NATIVE : USDC
        }
      )
    )
    this.#quotes += 1
    if (status === 200) return body.quotes[0]
    if (/Request the quote again/u.test(body.message)) this.#moved += 1
    else this.problems.push(`A quote was refused: ${JSON.stringify(body)}`)
    return null
  }

  /**
   * Runs trades of a wallet one after another, until `isOver` returns true for the number of completed trades, or until
   * there is a problem.
   */
  async trade(trader: Trader, isOver: (trades: number) => boolean): Promise<void> {
    const { address, privateKey } = trader
    for (let tradeCount = 0; !isOver(tradeCount) && this.problems.length === 0; ) {
      const quote = await this.quote(trader)
      if (quote === null) continue
      const { signData, userOperationHash } = quote
      const execution = await this.#service.ask("/api/v1/crypto/execute-user-op", {
        userOperationHash,
        ...(await signOperations(privateKey, signData))
      })
      if (execution.status !== 200) {
        this.problems.push(`An operation was refused: ${JSON.stringify(execution.body)}`)
        continue
      }
      const path = `/api/v1/wallets/${address}/history?userOperationHash=${userOperationHash}`
      const endedTransaction = await waitUntil(
        async () => (await this.#service.ask(path)).body.transactions[0],
        (transaction) => transaction !== undefined && transaction.status !== "PROCESSING",
        this.#service.pollMs === undefined ? {} : { pollMs: this.#service.pollMs }
      )
      if (endedTransaction.status !== "COMPLETED")
        this.problems.push(`A swap failed: ${JSON.stringify(endedTransaction.failure)}`)
      this.#completed += 1
      tradeCount += 1
    }
  }
}
