import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Result } from "effect"
import { cowContracts, orderBookPaths } from "../../src/chains/deployments/index.ts"
import type { SandboxChain } from "../network/SandboxChain.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { BookError } from "./BookError.ts"
import type { BookedOrder, BookedOrders } from "./BookedOrders.ts"
import { cancellationSigner, checkOrder, decodeCancellations, isOnChainOrder } from "./orderChecks.ts"
import { type ChainView, stateOf, viewOf } from "./orderState.ts"
import { bestRoute } from "./poolRoutes.ts"

/** Number of trades in a response without `limit`, newest first (cowprotocol/services, `get_trades_v2.rs`). */
const DEFAULT_TRADES = 10

/** `max-limit-orders-per-user` in CoW's services. */
const ORDERS_PER_OWNER = 10
const MAX_CANCELLED_UIDS = 128
const MAX_REQUESTED_UIDS = 128
const MAX_BODY_BYTES = 16 * 1_024
const ORDERS_PER_PAGE = 1_000

export interface BookResponse {
  readonly status: number
  readonly body: unknown
}

const okResponse = (body: unknown, status = 200): BookResponse => ({ status, body })

const jsonOf = (text: string, status: number): unknown => {
  const parseResult = Result.try(() => JSON.parse(text) as unknown)
  if (Result.isFailure(parseResult)) throw new BookError("", "the body is not JSON", status)
  return parseResult.success
}

/**
 * Emulates CoW Protocol's order book API for the sandbox's chains, with the paths, errors and statuses of CoW's
 * services.
 */
export class SandboxOrderBook {
  readonly orders: BookedOrders
  readonly #network: SandboxNetwork

  constructor(network: SandboxNetwork, orders: BookedOrders) {
    this.#network = network
    this.orders = orders
  }

  /** Handles a request to a path below the API's base path. Null for an unknown path. */
  async respond(method: string, target: string, text: string): Promise<BookResponse | null> {
    const { pathname, searchParams } = new URL(target, "http://book")
    const [, slug, ...rest] = pathname.split("/")
    const chainId = evmChainIds.find((id) => orderBookPaths[id] === slug)
    if (chainId === undefined || slug === undefined) return null
    try {
      if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new BookError("", "the body is too large", 413)
      return await this.#respondOn(chainId, `${method} /${rest.join("/")}`, searchParams, text)
    } catch (cause) {
      if (!(cause instanceof BookError)) throw cause
      const { errorType, message, status } = cause
      return { status, body: errorType === "" ? message : { errorType, description: message } }
    }
  }

  async #respondOn(
    chainId: EvmChainId,
    request: string,
    query: URLSearchParams,
    text: string
  ): Promise<BookResponse | null> {
    const chain = this.#network.chain(chainId)
    if (request === "GET /api/v1/version") return okResponse("sandbox")
    if (request === "POST /api/v1/quote") return this.#quote(chain, jsonOf(text, 400))
    if (request === "POST /api/v1/orders") return this.#place(chain, jsonOf(text, 422))
    if (request === "POST /api/v1/orders/by_uids") return this.#byUids(chain, jsonOf(text, 400))
    if (request === "DELETE /api/v1/orders") return this.#cancel(chain, jsonOf(text, 400))
    if (request === "GET /api/v2/trades") return this.#trades(chain, query)
    const uid = /^GET \/api\/v1\/orders\/(0x[0-9a-fA-F]{112})$/u.exec(request)?.[1]
    if (uid !== undefined) return this.#order(chain, uid.toLowerCase())
    const owner = /^GET \/api\/v1\/account\/(0x[0-9a-fA-F]{40})\/orders$/u.exec(request)?.[1]
    return owner === undefined ? null : this.#ofOwner(chain, owner.toLowerCase(), query)
  }

  /** Reads the chain state that determines the status of orders. */
  viewOf(chain: SandboxChain): Promise<ChainView> {
    return viewOf(chain, this.#network.clock.nowSeconds())
  }

  async #quote(chain: SandboxChain, body: unknown): Promise<BookResponse> {
    const { buyToken, sellAmountBeforeFee, sellToken } = Object(body) as Record<string, unknown>
    const isAmount = typeof sellAmountBeforeFee === "string" && /^[1-9]\d{0,77}$/u.test(sellAmountBeforeFee)
    if (typeof sellToken !== "string" || typeof buyToken !== "string" || !isAmount) {
      throw new BookError("", "the body is not a quote request of a sell order", 422)
    }
    const [sell, buy] = [sellToken.toLowerCase(), buyToken.toLowerCase()]
    if (sell === buy) throw new BookError("SameBuyAndSellToken", "the two tokens are the same")
    const route = await bestRoute(chain, sell, buy, BigInt(sellAmountBeforeFee))
    if (route === null) throw new BookError("NoLiquidity", "no route found", 404)
    const nowSeconds = this.#network.clock.nowSeconds()
    const quote = {
      ...Object(body),
      sellAmount: sellAmountBeforeFee,
      buyAmount: String(route.amountOut),
      feeAmount: "0",
      validTo: nowSeconds + 1_800,
      kind: "sell"
    }
    return okResponse({ quote, expiration: new Date((nowSeconds + 60) * 1_000).toISOString(), id: 1, verified: false })
  }

  async #place(chain: SandboxChain, body: unknown): Promise<BookResponse> {
    const nowSeconds = this.#network.clock.nowSeconds()
    const { uid, ...checkedFields } = await checkOrder(chain, body, nowSeconds)
    if (this.orders.find(chain.chainId, uid) !== undefined) {
      throw new BookError("DuplicatedOrder", "order already exists")
    }
    const { buyAmount, buyToken, sellAmount, sellToken } = checkedFields.order
    const marketRoute = await bestRoute(chain, sellToken, buyToken, BigInt(sellAmount))
    const isOutOfMarket = marketRoute === null || marketRoute.amountOut < BigInt(buyAmount)
    if (isOutOfMarket && (await this.#waiting(chain, checkedFields.owner)) >= ORDERS_PER_OWNER) {
      throw new BookError("TooManyLimitOrders", "Too many limit orders")
    }
    this.orders.store({
      ...checkedFields,
      chainId: chain.chainId,
      uid,
      creationDate: new Date(nowSeconds * 1_000).toISOString(),
      isOutOfMarket,
      isDropped: false
    })
    return okResponse(uid, 201)
  }

  async #waiting(chain: SandboxChain, owner: string): Promise<number> {
    const ownOrders = this.#ordersOf(chain, owner).filter(({ isOutOfMarket }) => isOutOfMarket)
    const view = await this.viewOf(chain)
    const states = await Promise.all(ownOrders.map((order) => stateOf(chain, order, view)))
    return states.filter(({ status }) => status === "open" || status === "presignaturePending").length
  }

  async #cancel(chain: SandboxChain, body: unknown): Promise<BookResponse> {
    const decodedBody = decodeCancellations(body)
    if (Result.isFailure(decodedBody)) throw new BookError("", "", 400)
    const { orderUids } = decodedBody.success
    if (orderUids.length > MAX_CANCELLED_UIDS) throw new BookError("InternalServerError", "", 500)
    const view = await this.viewOf(chain)
    const orders: Array<BookedOrder> = []
    for (const uid of orderUids) {
      const order = this.orders.find(chain.chainId, uid.toLowerCase())
      if (order === undefined) throw new BookError("OrderNotFound", "Order not located in database", 404)
      const { status } = await stateOf(chain, order, view)
      if (status === "presignaturePending" || (status === "open" && isOnChainOrder(order))) {
        throw new BookError("OnChainOrder", "On-chain orders must be cancelled on-chain")
      }
      if (status === "fulfilled") throw new BookError("OrderFullyExecuted", "Order is fully executed")
      if (status === "cancelled") throw new BookError("AlreadyCancelled", "Order is already cancelled")
      if (status === "expired") throw new BookError("OrderExpired", "Order is expired")
      orders.push(order)
    }
    const signer = await cancellationSigner(chain, decodedBody.success)
    if (orders.some(({ owner }) => owner !== signer)) {
      throw new BookError("WrongOwner", "Signature recovery's owner doesn't match order's", 401)
    }
    for (const order of orders) this.orders.store({ ...order, isDropped: true })
    return okResponse("Cancelled")
  }

  async #trades(chain: SandboxChain, query: URLSearchParams): Promise<BookResponse> {
    const [owner, orderUid] = [query.get("owner")?.toLowerCase(), query.get("orderUid")?.toLowerCase()]
    if ((owner === undefined) === (orderUid === undefined)) {
      throw new BookError("InvalidTradeFilter", "Must specify exactly one of owner or orderUid.")
    }
    const { trades } = await this.viewOf(chain)
    return okResponse(
      trades
        .filter((trade) => (owner === undefined ? trade.orderUid === orderUid : trade.owner === owner))
        .toReversed()
        .slice(0, Number(query.get("limit") ?? DEFAULT_TRADES))
        .map(({ buyAmount, sellAmount, ...trade }) => ({
          ...trade,
          sellAmount: String(sellAmount),
          sellAmountBeforeFees: String(sellAmount),
          buyAmount: String(buyAmount)
        }))
    )
  }

  /** Returns the existing orders with these uids, in any order. */
  async #byUids(chain: SandboxChain, body: unknown): Promise<BookResponse> {
    if (!Array.isArray(body) || body.length > MAX_REQUESTED_UIDS)
      throw new BookError("", "the body is not a list of uids", 400)
    const uids = new Set(body.map((uid) => String(uid).toLowerCase()))
    const view = await this.viewOf(chain)
    const orders = this.orders.all().filter(({ chainId, uid }) => chainId === chain.chainId && uids.has(uid))
    return okResponse(
      await Promise.all(orders.map(async (order) => ({ order: await this.#bodyOf(chain, order, view) })))
    )
  }

  async #order(chain: SandboxChain, uid: string): Promise<BookResponse> {
    const order = this.orders.find(chain.chainId, uid)
    if (order === undefined) throw new BookError("NotFound", "Order was not found", 404)
    return okResponse(await this.#bodyOf(chain, order, await this.viewOf(chain)))
  }

  async #ofOwner(chain: SandboxChain, owner: string, query: URLSearchParams): Promise<BookResponse> {
    const [offset, limit] = [Number(query.get("offset") ?? 0), Number(query.get("limit") ?? 10)]
    if (!(limit >= 1 && limit <= ORDERS_PER_PAGE)) {
      throw new BookError("LIMIT_OUT_OF_BOUNDS", `The pagination limit is [1,${ORDERS_PER_PAGE}].`)
    }
    const view = await this.viewOf(chain)
    const page = this.#ordersOf(chain, owner)
      .toReversed()
      .slice(offset, offset + limit)
    return okResponse(await Promise.all(page.map((order) => this.#bodyOf(chain, order, view))))
  }

  #ordersOf({ chainId }: SandboxChain, owner: string): ReadonlyArray<BookedOrder> {
    return this.orders.all().filter((order) => order.chainId === chainId && order.owner === owner)
  }

  async #bodyOf(chain: SandboxChain, bookedOrder: BookedOrder, view: ChainView) {
    const { creationDate, fullAppData, order, owner, signature, signingScheme, uid } = bookedOrder
    const { boughtAmount, isInvalidated, soldAmount, status } = await stateOf(chain, bookedOrder, view)
    return {
      ...order,
      uid,
      owner,
      creationDate,
      class: "limit",
      status,
      invalidated: isInvalidated || bookedOrder.isDropped,
      isLiquidityOrder: false,
      settlementContract: cowContracts.settlement,
      fullAppData,
      signingScheme,
      signature,
      executedSellAmount: String(soldAmount),
      executedSellAmountBeforeFees: String(soldAmount),
      executedBuyAmount: String(boughtAmount),
      executedFeeAmount: "0",
      executedFee: "0",
      executedFeeToken: order.sellToken,
      interactions: { pre: [], post: [] },
      availableBalance: null
    }
  }
}
