import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { orderBookContract } from "@countersign/core/contracts/trading/limit-orders/OrderBook"
import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { LimitOrderIntent } from "@countersign/core/operations/intents"
import { OrderBook } from "@countersign/core/trading/limit-orders"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createWalletClient, encodeFunctionData, erc20Abi, http, maxUint256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { close, listen } from "../../../test/support/localServer.ts"
import { cowContracts } from "../../chains/deployments/index.ts"
import { RpcClientsLayer } from "../../chains/evm/index.ts"
import { appDataText } from "./appData.ts"
import { layer } from "./CowOrderBook.ts"
import { limitIntent } from "./limitIntent.ts"

const tokenOf = (symbol: string) => sandboxTokens(1).find((token) => token.symbol === symbol)!.address
const [USDC, WETH] = [tokenOf("USDC"), tokenOf("WETH")]

let salt = 0

/** An order that sells 100 USDC for more than any solver pays. */
const orderOf = (owner: Address, validTo: number): LimitOrderIntent => {
  salt += 1
  return limitIntent({
    account: {
      address: owner,
      owner,
      factory: owner,
      implementation: owner,
      salt: 0,
      kind: "SIMPLE_7702",
      eip7702: true
    },
    chainId: 1,
    scheme: "EIP712",
    validTo,
    appDataText: appDataText([], HexBytes.make(`0x${salt.toString(16).padStart(16, "0")}`)),
    order: {
      sellToken: USDC,
      buyToken: WETH,
      receiver: owner,
      sellAmount: 100_000_000n,
      buyAmount: 10n ** 20n,
      partiallyFillable: true
    }
  })
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

const sandbox = Layer.unwrap(
  Effect.map(SandboxChains, (chains) => {
    const nodes = RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] })
    return layer({ url: `${chains.gatewayUrl}/cow`, timeoutMs: 60_000 }).pipe(Layer.provideMerge(nodes))
  })
).pipe(Layer.provideMerge(SandboxChains.layerTemporary))

const sample = Effect.gen(function* () {
  const chains = yield* SandboxChains
  const [{ address: owner, privateKey }] = chains.keys.owners as [(typeof chains.keys.owners)[number]]
  yield* Effect.orDie(chains.fundUpTo(1, owner, USDC, 10_000_000_000n))
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [cowContracts.vaultRelayer, maxUint256]
  })
  // anvil signs with its own keys.
  const wallet = createWalletClient({ account: owner, transport: http(chains.rpcUrl(1)) })
  yield* Effect.promise(() => wallet.sendTransaction({ chain: null, to: USDC, data }))
  return {
    createOrder: Effect.sync(() => orderOf(owner, inAnHour())),
    sign: ({ typedData }: Parameters<typeof signTypedData>[1]) => signTypedData(privateKey, { typedData }),
    market: { chainId: 1, owner, receiver: owner, sellToken: USDC, buyToken: WETH, sellAmount: 100_000_000n }
  } as const
})

const signTypedData = (privateKey: `0x${string}`, { typedData }: { readonly typedData?: unknown }) =>
  Effect.promise(async () => HexBytes.make(await privateKeyToAccount(privateKey).signTypedData(typedData as never)))

orderBookContract("CoW Protocol's, on the sandbox", sandbox, sample)

/** Runs a test with a server that replaces the order book and returns these responses. */
const withHost = <A, E>(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  test: (book: OrderBook["Service"]) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const server: Server = createServer(respond)
    yield* Effect.acquireRelease(listen(server), () => close(server))
    const { port } = server.address() as AddressInfo
    const nodes = RpcClientsLayer({ urls: () => ["http://127.0.0.1:1"] })
    const book = layer({ url: `http://127.0.0.1:${port}/`, timeoutMs: 60_000 }).pipe(Layer.provide(nodes))
    return yield* Effect.provide(Effect.flatMap(OrderBook, test), book)
  }).pipe(Effect.scoped)

const answering =
  (status: number, text: string, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers)
    response.end(text)
  }

const refusal = (errorType: string) => JSON.stringify({ errorType, description: "because" })
const OWNER = Address.make(`0x${"0a".repeat(20)}`)
const SIGNATURE = HexBytes.make(`0x${"11".repeat(64)}1b`)

describe("an order book with unexpected responses", () => {
  it.effect.each([
    ["a limit's page", 429, "<html>slow down</html>"],
    ["an error of its own", 500, refusal("InternalServerError")],
    ["a proxy's page", 403, "<html>no</html>"],
    ["another form", 201, '"0x12"'],
    ["a body that is not JSON", 201, "ok"]
  ] as const)("is unavailable if it responds with %s", ([, status, text]) =>
    withHost(answering(status, text), (book) =>
      Effect.map(Effect.flip(book.place(orderOf(OWNER, inAnHour()), SIGNATURE)), (error) => {
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
        assert.notInclude(error.message, "127.0.0.1")
      })
    )
  )

  it.live("gets one request for orders that are read concurrently", () => {
    const requests: Array<string> = []
    const respond = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`)
      answering(200, "[]")(request, response)
    }
    return withHost(respond, (book) =>
      Effect.gen(function* () {
        const states = Array.from({ length: 20 }, () => Effect.exit(book.readOrderState(orderOf(OWNER, inAnHour()))))
        yield* Effect.all(states, { concurrency: "unbounded" })
        assert.deepStrictEqual(requests, ["POST /mainnet/api/v1/orders/by_uids"])
      })
    )
  })

  it.live("is queried again after a lost connection, but no order is submitted twice", () => {
    const requests: Array<string> = []
    const respond = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url?.split("?")[0]}`)
      if (requests.length % 2 === 1) response.destroy()
      else answering(200, "[]")(request, response)
    }
    return withHost(respond, (book) =>
      Effect.gen(function* () {
        yield* book.readOpenOrders(1, OWNER)
        yield* Effect.exit(book.readOrderState(orderOf(OWNER, inAnHour())))
        yield* Effect.flip(book.place(orderOf(OWNER, inAnHour()), SIGNATURE))
        const [orders, byUids] = [`GET /mainnet/api/v1/account/${OWNER}/orders`, "POST /mainnet/api/v1/orders/by_uids"]
        assert.deepStrictEqual(requests, [orders, orders, byUids, byUids, "POST /mainnet/api/v1/orders"])
      })
    )
  })

  it.effect("gets no request for the time of its Retry-After header", () => {
    let requests = 0
    const respond = (request: IncomingMessage, response: ServerResponse) => {
      requests += 1
      answering(429, "wait", { "retry-after": "60" })(request, response)
    }
    return withHost(respond, (book) =>
      Effect.gen(function* () {
        for (let i = 0; i < 4; i++) yield* Effect.flip(book.readOpenOrders(1, OWNER))
        assert.strictEqual(requests, 1)
      })
    )
  })

  it.effect.each([
    ["InsufficientAllowance", true],
    ["InvalidEip1271Signature", true],
    ["TooManyLimitOrders", false],
    ["UnsupportedToken", false]
  ] as const)("has a reason for its rejection: %s", ([errorType, isForNow]) =>
    withHost(answering(400, refusal(errorType)), (book) =>
      Effect.map(Effect.flip(book.place(orderOf(OWNER, inAnHour()), SIGNATURE)), (error) => {
        if (error._tag !== "ORDER_REFUSED") return assert.fail(error.message)
        assert.deepStrictEqual([error.code, error.reason, error.isForNow], [errorType, "because", isForNow])
      })
    )
  )

  it.effect("is not trusted if it returns the id of another order", () =>
    withHost(answering(201, JSON.stringify(`0x${"ab".repeat(56)}`)), (book) =>
      Effect.map(Effect.flip(book.place(orderOf(OWNER, inAnHour()), SIGNATURE)), (error) =>
        assert.strictEqual(error._tag, "ORDER_REFUSED")
      )
    )
  )

  it.effect.each([
    ["OrderFullyExecuted", "filled in the meantime"],
    ["OrderExpired", "expired"],
    ["OrderNotFound", "does not have it"],
    ["OnChainOrder", "cancelled on-chain"],
    ["SomethingNew", "SomethingNew"]
  ] as const)("has a reason why it cancels nothing: %s", ([errorType, sentence]) =>
    withHost(answering(400, refusal(errorType)), (book) =>
      Effect.map(Effect.flip(book.cancel(orderOf(OWNER, inAnHour()), SIGNATURE)), (error) => {
        assert.strictEqual(error._tag, "CANCELLATION_REFUSED")
        assert.include(error.message, sentence)
      })
    )
  )
})
