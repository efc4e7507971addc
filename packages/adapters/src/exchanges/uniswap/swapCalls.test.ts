import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { numberToHex } from "viem"
import { SandboxChains } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { erc20Abi, RpcClients, RpcClientsLayer } from "../../chains/evm/index.ts"
import { PoolReader } from "../pools/index.ts"
import { partsOf } from "./partsOf.ts"
import { type RouteCase, routeThrough, venuesOf } from "./routeThrough.fixture.ts"
import { swapCalls } from "./swapCalls.ts"

/**
 * Executes all input and output variants of the routers. The received amount must equal the computed one, and no tokens
 * may remain in a router.
 */

const services = PoolReader.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(SandboxChains, (chains) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] }))
    )
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

const sender = Address.make(`0x${"5e".repeat(20)}`)
const recipient = Address.make(`0x${"7e".repeat(20)}`)
const DEADLINE = 2 ** 40

const request = (method: string, chainId: EvmChainId, ...params: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    return yield* Effect.promise(() => rpc.request(chainId, method, params))
  })

const balanceOf = Effect.fnUntraced(function* (chainId: EvmChainId, token: Address, account: Address) {
  const rpc = yield* RpcClients
  const client = rpc.client(chainId)
  return yield* Effect.promise(() =>
    token === NATIVE_TOKEN
      ? client.getBalance({ address: account })
      : client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] })
  )
})

/** Executes calls one after another, like a batch. */
const execute = Effect.fnUntraced(function* (chainId: EvmChainId, calls: ReadonlyArray<Call>) {
  for (const { data, to, value } of calls) {
    const receipt = (yield* request("eth_sendTransactionSync", chainId, {
      from: sender,
      to,
      data,
      value: numberToHex(value),
      gas: "0x1000000"
    })) as { readonly status: string }
    assert.strictEqual(receipt.status, "0x1", `a call to ${to} failed`)
  }
})

const run = Effect.fnUntraced(function* (test: RouteCase, deployment = deploymentOf(test.chainId)) {
  const { chainId } = test
  const chains = yield* SandboxChains
  const { amountIn, keys, route, tokenIn, tokenOut } = yield* routeThrough(test, deployment)
  const kinds = venuesOf(route, keys)
  if (test.expect !== undefined) assert.match(kinds, test.expect)
  if (test.parts === "several") assert.isAbove(route.parts.length, 1, kinds)
  yield* request("anvil_impersonateAccount", chainId, sender)
  yield* chains.fund(chainId, sender, "native", 10n ** 19n)
  yield* chains.fund(chainId, sender, tokenIn.address === NATIVE_TOKEN ? "native" : tokenIn.address, amountIn)

  const terms = { sender, signer: sender, recipient, minAmountOut: route.amountOut, deadline: DEADLINE }
  const calls = swapCalls(deployment, { tokenIn, tokenOut, amountIn, limit: null }, partsOf(route, keys), terms)
  const balanceBefore = yield* balanceOf(chainId, tokenOut.address, recipient)
  const leftBefore = yield* balanceOf(chainId, tokenIn.address, sender)
  yield* execute(chainId, calls)
  const receivedAmount = (yield* balanceOf(chainId, tokenOut.address, recipient)) - balanceBefore
  assert.strictEqual(receivedAmount, route.amountOut, kinds)
  if (tokenIn.address !== NATIVE_TOKEN) {
    assert.strictEqual(leftBefore - (yield* balanceOf(chainId, tokenIn.address, sender)), amountIn, kinds)
  }
  const { uniswapV3, universalRouter, wrappedNative } = deployment
  for (const router of [uniswapV3.swapRouter02, ...(universalRouter === undefined ? [] : [universalRouter])]) {
    for (const token of new Set([tokenIn.address, tokenOut.address, wrappedNative.address, NATIVE_TOKEN])) {
      assert.strictEqual(yield* balanceOf(chainId, token, router), 0n, `${kinds}: ${token} stays with ${router}`)
    }
  }
})

const uniswap = ["Uniswap V2", "Uniswap V3", "Uniswap V4"]

const oneDoor: ReadonlyArray<RouteCase> = [
  { chainId: 1, venues: ["Uniswap V3"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V2"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V2"], from: "coin", to: "usdc", amount: 1, parts: "one" },
  { chainId: 1, venues: ["Uniswap V2"], from: "usdc", to: "coin", amount: 1_000, parts: "one" },
  {
    chainId: 1,
    venues: ["Uniswap V2"],
    from: "usdc",
    to: "other",
    amount: 900,
    parts: "one",
    expect: /V2 > Uniswap V2/
  },
  { chainId: 1, venues: ["Uniswap V4"], from: "usdc", to: "coin", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V4"], from: "coin", to: "usdc", amount: 1, parts: "one" },
  { chainId: 1, venues: ["Uniswap V4"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V4"], from: "native", to: "usdt", amount: 1, parts: "one" },
  {
    chainId: 1,
    venues: ["Uniswap V4"],
    from: "btc",
    to: "coin",
    amount: 0.02,
    parts: "one",
    expect: /V4 > Uniswap V4/
  },
  {
    chainId: 1,
    venues: ["Uniswap V4", "Uniswap V2"],
    from: "btc",
    to: "other",
    amount: 0.2,
    parts: "one",
    expect: />/
  },
  {
    chainId: 1,
    venues: ["Uniswap V3", "Uniswap V4"],
    from: "other",
    to: "btc",
    amount: 90,
    parts: "one",
    expect: /> Uniswap V4/
  }
]

const severalParts: ReadonlyArray<RouteCase> = [
  { chainId: 1, venues: uniswap, from: "usdc", to: "native", amount: 1_500_000, parts: "several" },
  { chainId: 1, venues: uniswap, from: "usdc", to: "coin", amount: 1_500_000, parts: "several" },
  { chainId: 1, venues: uniswap, from: "coin", to: "usdc", amount: 500, parts: "several" },
  { chainId: 1, venues: uniswap, from: "native", to: "usdc", amount: 500, parts: "several" },
  { chainId: 1, venues: uniswap, from: "usdt", to: "btc", amount: 900_000, parts: "several" },
  { chainId: 1, venues: ["Uniswap V3"], from: "usdc", to: "coin", amount: 1_500_000, parts: "several" }
]

const foreignRoutes: ReadonlyArray<RouteCase> = [
  { chainId: 137, venues: ["QuickSwap"], from: "usdc", to: "weth", amount: 900, parts: "one" },
  { chainId: 137, venues: ["QuickSwap"], from: "coin", to: "usdc", amount: 900, parts: "one" },
  { chainId: 137, venues: ["QuickSwap"], from: "usdc", to: "coin", amount: 900, parts: "one" },
  {
    chainId: 137,
    venues: ["Uniswap V2", "QuickSwap"],
    from: "usdc",
    to: "weth",
    amount: 80_000,
    parts: "several",
    expect: /QuickSwap/
  },
  {
    chainId: 137,
    venues: ["Uniswap V4", "QuickSwap"],
    from: "usdc",
    to: "coin",
    amount: 800_000,
    parts: "several",
    expect: /QuickSwap/
  },
  { chainId: 43114, venues: ["Trader Joe V1"], from: "coin", to: "usdc", amount: 30, parts: "one" },
  {
    chainId: 43114,
    venues: ["Uniswap V2", "Uniswap V4", "Trader Joe V1"],
    from: "coin",
    to: "usdc",
    amount: 20_000,
    parts: "several",
    expect: /Joe/
  },
  { chainId: 56, venues: ["PancakeSwap V3"], from: "usdt", to: "coin", amount: 900, parts: "one" },
  { chainId: 56, venues: ["PancakeSwap V3"], from: "usdc", to: "weth", amount: 900, parts: "one", expect: />/ },
  {
    chainId: 56,
    venues: [...uniswap, "PancakeSwap V3"],
    from: "usdt",
    to: "native",
    amount: 700_000,
    parts: "several",
    expect: /Pancake/
  }
]

const title = ({ chainId, from, parts, to, venues }: RouteCase) =>
  `${parts} of ${venues.join(", ")} from ${from} to ${to} on chain ${chainId}`

layer(services, { excludeTestServices: true })("swapCalls", (it) => {
  for (const test of [...oneDoor, ...severalParts, ...foreignRoutes]) {
    it.effect(`pay the computed amount: ${title(test)}`, () =>
      Effect.gen(function* () {
        yield* run(test)
      })
    )
  }

  it.effect("pay out the native token through the exchange's own router on chains without a Universal Router", () =>
    Effect.gen(function* () {
      const { universalRouter: _, ...deployment } = deploymentOf(137)
      yield* run({ ...foreignRoutes[2]!, amount: 700 }, deployment)
    })
  )
})
