import { mkdtempSync, rmSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { environmentSettings, layerServices } from "@countersign/adapters/service/composition"
import { Projects, scopes } from "@countersign/core/tenancy/projects"
import { layerHttpService } from "@countersign/http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { vi } from "vitest"

/** Tests a service with nodes of Base only: which chains it lists and rejects, and to which hosts it connects. */

const home = mkdtempSync(join(tmpdir(), "countersign-served-"))
/** A port without a listener. It is high, because fetch blocks some ports below 1024. */
const NODE_HOST = "127.0.0.1:61234"
const environment = {
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  RPC_URL_8453: `http://${NODE_HOST}`,
  OPERATOR_PRIVATE_KEYS_0_7: `0x${"11".repeat(32)}`,
  OPERATOR_PRIVATE_KEYS_0_8: `0x${"12".repeat(32)}`
}

const service = Layer.unwrap(
  Effect.map(environmentSettings(home), (settings) =>
    layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(Layer.provideMerge(layerServices(settings)))
  )
).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))), Layer.provide(Logger.layer([])))
const runtime = ManagedRuntime.make(service)

/** Hosts and ports to which this process has connected, through any library. */
const dialledAddresses = new Set<string>()
const originalConnect = Socket.prototype.connect
const connectSpy = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
  this: Socket,
  ...args: ReadonlyArray<unknown>
) {
  const [options] = args.flat()
  const { host, port } = Object(options)
  dialledAddresses.add(`${host}:${port}`)
  return Reflect.apply(originalConnect, this, args)
})

let url = ""
let apiKey = ""
beforeAll(async () => {
  url = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
  const createdKey = await runtime.runPromise(
    Effect.gen(function* () {
      const projects = yield* Projects
      const project = yield* projects.create("served", null)
      return yield* projects.createKey(project.id, { name: "test", environment: "test", scopes, expiresAt: null })
    })
  )
  apiKey = createdKey.text
})
afterAll(async () => {
  connectSpy.mockRestore()
  await runtime.dispose()
  rmSync(home, { recursive: true, force: true })
})

const request = async (path: string, body?: object) => {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  return { status: response.status, body: (await response.json()) as any }
}

const NATIVE_TOKEN = `0x${"e".repeat(40)}`
const walletAddress = `0x${"5".repeat(40)}`
const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: NATIVE_TOKEN }
const feeFields = { ...gasFields, transactionFeePercent: 0 }
const lendingLeg = { tokenAddress: NATIVE_TOKEN, chainId: 1, amount: "1" }
const swapRequest = {
  walletAddress,
  toAddress: walletAddress,
  tokenIn: NATIVE_TOKEN,
  tokenOut: walletAddress,
  amountIn: "1",
  ...feeFields
}
const transferOperation = {
  type: "transfer",
  params: { token: NATIVE_TOKEN, amount: "1", toAddress: walletAddress, ...gasFields }
}
const positionRequest = {
  walletAddress,
  toAddress: walletAddress,
  chainId: 1,
  tokenId: "1",
  payGasFeeToken: NATIVE_TOKEN,
  slippage: 1,
  transactionFeePercent: 0
}
const lendingRequest = {
  walletAddress,
  provider: "LENDING_PROVIDER_A",
  supply: lendingLeg,
  gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: NATIVE_TOKEN }
}

describe("a service with nodes of one chain", () => {
  it("lists that chain and its tokens, and no other", async () => {
    const { chains } = (await request("/api/v1/crypto/chains")).body
    assert.deepStrictEqual(
      chains.map(({ id }: { id: number }) => id),
      [8453]
    )
    const { tokens } = (await request("/api/v1/crypto/tokens?perPage=100")).body
    assert.deepStrictEqual([...new Set(tokens.map(({ chainId }: { chainId: number }) => chainId))], [8453])
    const registration = await request("/api/v1/wallets/register", {
      externallyOwnedAccount: walletAddress,
      factory: (await request("/api/v1/wallets/factories")).body.factories[0].factory
    })
    assert.deepStrictEqual(
      registration.body.wallet?.deployed.map(({ chain }: { chain: { id: number } }) => chain.id),
      [8453]
    )
  })

  it.each([
    [
      "swap",
      "/api/v1/crypto/swap",
      { ...swapRequest, chainIdIn: 1, chainIdOut: 1, routeProfile: "QUICKEST_QUOTE" },
      ["body.chainIdIn", "body.chainIdOut"]
    ],
    [
      "swap to another chain",
      "/api/v1/crypto/swap",
      { ...swapRequest, chainIdIn: 8453, chainIdOut: 1, routeProfile: "QUICKEST_QUOTE" },
      ["body.chainIdOut"]
    ],
    [
      "swap from Bitcoin",
      "/api/v1/crypto/swap",
      { ...swapRequest, chainIdIn: 0, chainIdOut: 8453, routeProfile: "QUICKEST_QUOTE" },
      ["body.chainIdIn"]
    ],
    [
      "transfer",
      "/api/v1/crypto/transfer",
      { walletAddress, toAddress: walletAddress, chainId: 1, token: NATIVE_TOKEN, amount: "1", ...gasFields },
      ["body.chainId"]
    ],
    [
      "batch",
      "/api/v1/crypto/batch-operations",
      { walletAddress, chainId: 1, operations: [transferOperation] },
      ["body.chainId"]
    ],
    [
      "withdrawal of liquidity",
      "/api/v1/liquidity/withdraw",
      { ...positionRequest, tokenOut: NATIVE_TOKEN, percentage: 100 },
      ["body.chainId"]
    ],
    ["lending operation", "/api/v1/lending/quote", lendingRequest, ["body.supply.chainId"]],
    ["search for pools", "/api/v1/liquidity/pools?chainId=1", undefined, ["query.chainId"]],
    ["pool", `/api/v1/liquidity/pools/1-${walletAddress}`, undefined, ["path.id"]],
    ["position", "/api/v1/liquidity/positions/1/1", undefined, ["path.chainId"]],
    ["search for markets", "/api/v1/lending/markets?chainId=1", undefined, ["query.chainId"]]
  ] as const)("rejects a %s on another", async (_, path, body, fields) => {
    const refusal = await request(path, body)
    assert.deepStrictEqual(
      [refusal.status, refusal.body.id, refusal.body.errors?.map(({ path }: { path: string }) => path)],
      [400, "BAD_REQUEST", [...fields]],
      JSON.stringify(refusal.body)
    )
    assert.match(
      refusal.body.message,
      /(?:Ethereum \(1\)|Bitcoin \(0\)) is not served here\. Served: Base \(8453\)\. (?:The operator adds it with RPC_URL_1|This version has no setting for it)\./u
    )
  })

  it("has connected to that chain's node only", async () => {
    await request(`/api/v1/wallets/${walletAddress}`)
    await request("/api/v1/lending/markets")
    // Ignores connections to this machine, because earlier test files of this process may still close theirs.
    const isExternal = (address: string) => !address.startsWith("127.0.0.1:")
    assert.deepStrictEqual(
      [...dialledAddresses].filter((address) => address === NODE_HOST || isExternal(address)),
      [NODE_HOST]
    )
  })
})
