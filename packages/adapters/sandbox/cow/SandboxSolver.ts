import { evmChainIds } from "@countersign/core/foundation/chains"
import type { SandboxChain } from "../network/SandboxChain.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { transact } from "../network/transact.ts"
import type { BookedOrder } from "./BookedOrders.ts"
import { stateOf } from "./orderState.ts"
import { bestRoute } from "./poolRoutes.ts"
import type { SandboxOrderBook } from "./SandboxOrderBook.ts"
import { type Fill, settleCall } from "./settleCall.ts"
import { allowanceOn, balanceOn } from "./settlementChain.ts"

const AUCTION_MS = 1_000
const GAS_LIMIT = "0x1e8480"
/** Number of amounts that the solver tries for a partially fillable order. Each is half of the previous one. */
const HALVES = 6
const BPS = 10_000n

export interface SolverMode {
  /** Whether the solver settles orders. */
  readonly isSolving: boolean
  /** Maximum percentage of an order that one settlement fills, if the order may be filled partially. */
  readonly largestPercent: number
}

const partnerBps = ({ fullAppData }: BookedOrder): bigint => {
  const { metadata } = JSON.parse(fullAppData) as { readonly metadata?: { readonly partnerFee?: unknown } }
  const fees = [metadata?.partnerFee ?? []].flat() as ReadonlyArray<{ readonly volumeBps?: number }>
  return BigInt(
    Math.min(
      100,
      fees.reduce((sum, { volumeBps = 0 }) => sum + volumeBps, 0)
    )
  )
}

/** Settles open orders with the pools of their chain, in one auction after another. */
export class SandboxSolver {
  mode: SolverMode = { isSolving: true, largestPercent: 100 }
  readonly #network: SandboxNetwork
  readonly #book: SandboxOrderBook
  readonly #address: string
  #timer: NodeJS.Timeout | undefined
  #auction: Promise<void> = Promise.resolve()

  constructor(network: SandboxNetwork, book: SandboxOrderBook, address: string) {
    this.#network = network
    this.#book = book
    this.#address = address
  }

  start(): void {
    const solveNext = () => {
      this.#timer = setTimeout(() => {
        this.#auction = this.settleAll().catch(() => undefined)
        void this.#auction.then(() => {
          if (this.#timer !== undefined) solveNext()
        })
      }, AUCTION_MS)
      this.#timer.unref()
    }
    solveNext()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#auction
  }

  /** Runs one auction on each running chain that has orders. */
  async settleAll(): Promise<void> {
    if (!this.mode.isSolving) return
    for (const chainId of evmChainIds) {
      const chain = this.#network.chain(chainId)
      const orders = this.#book.orders.all().filter((order) => order.chainId === chainId && !order.isDropped)
      if (chain.running !== undefined && orders.length > 0) await this.#settleOn(chain, orders)
    }
  }

  async #settleOn(chain: SandboxChain, orders: ReadonlyArray<BookedOrder>): Promise<void> {
    const view = await this.#book.viewOf(chain)
    for (const bookedOrder of orders) {
      if (bookedOrder.order.validTo < view.nowSeconds) continue
      const { soldAmount, status } = await stateOf(chain, bookedOrder, view)
      if (status !== "open") continue
      const fill = await this.#fillOf(chain, bookedOrder, soldAmount)
      if (fill !== null && this.mode.isSolving) await this.#settle(chain, fill)
    }
  }

  /**
   * Returns a fill that the pools can execute at the limit price; null if there is none. An order that is not partially
   * fillable is filled completely. For a partially fillable order, tries the amount that the wallet can pay, at most
   * the solver's largest share, and halves of it.
   */
  async #fillOf(chain: SandboxChain, bookedOrder: BookedOrder, soldAmount: bigint): Promise<Fill | null> {
    const { order, owner } = bookedOrder
    const sellAmount = BigInt(order.sellAmount)
    const remainingAmount = sellAmount - soldAmount
    const [allowance, balance] = await Promise.all([
      allowanceOn(chain, order.sellToken, owner),
      balanceOn(chain, order.sellToken, owner)
    ])
    const share = (sellAmount * BigInt(this.mode.largestPercent)) / 100n
    const fillAmount = [remainingAmount, allowance, balance, ...(order.partiallyFillable ? [share] : [])].reduce(
      (a, b) => (a < b ? a : b)
    )
    if (!order.partiallyFillable && fillAmount < remainingAmount) return null
    const candidateAmounts = order.partiallyFillable
      ? Array.from({ length: HALVES }, (_, i) => fillAmount >> BigInt(i))
      : [fillAmount]
    for (const amountIn of candidateAmounts.filter((candidate) => candidate > 0n)) {
      const route = await bestRoute(chain, order.sellToken, order.buyToken, amountIn)
      if (route === null) continue
      const amountOut = (route.amountOut * (BPS - partnerBps(bookedOrder))) / BPS
      if (amountOut * sellAmount >= BigInt(order.buyAmount) * amountIn)
        return { booked: bookedOrder, amountIn, route, amountOut }
    }
    return null
  }

  async #settle(chain: SandboxChain, fill: Fill): Promise<void> {
    // If the state has changed since the computation, the settlement reverts, or a reorg removes it. The next auction
    // computes the fill again.
    await transact(chain, { ...settleCall(fill), from: this.#address, gas: GAS_LIMIT })
  }
}
