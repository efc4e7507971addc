import { Bundler } from "@countersign/core/operations/user-operations"
import type { AccountKind } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SandboxChains } from "../../../sandbox/index.ts"
import {
  accountKinds,
  accountOf,
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation
} from "../../../test/evm/evmSandbox.ts"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { erc20Abi, RpcClients } from "../../chains/evm/index.ts"
import { PoolReader } from "../pools/index.ts"
import { partsOf } from "./partsOf.ts"
import { type RouteCase, routeThrough, venuesOf } from "./routeThrough.fixture.ts"
import { swapCalls } from "./swapCalls.ts"

/** Executes a swap with each router from each account type. The received amount must equal the computed one. */

const uniswap = ["Uniswap V2", "Uniswap V3", "Uniswap V4"]
const routeCases: ReadonlyArray<RouteCase> = [
  { chainId: 1, venues: ["Uniswap V3"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V2"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  { chainId: 1, venues: ["Uniswap V4"], from: "usdc", to: "native", amount: 1_000, parts: "one" },
  {
    chainId: 1,
    venues: uniswap,
    from: "usdt",
    to: "btc",
    amount: 900_000,
    parts: "several",
    expect: /^(?=.*V2)(?=.*V3)(?=.*V4)/u
  }
]

const swapBy = Effect.fnUntraced(function* (kind: AccountKind, door: RouteCase) {
  const sandbox = yield* SandboxChains
  const rpc = yield* RpcClients
  const bundler = yield* Bundler
  const owner = freshOwner()
  const account = accountOf(kind, owner)
  const recipient = randomAddress()
  const deployment = deploymentOf(CHAIN)
  yield* sandbox.fund(CHAIN, account.address, "native", 10n ** 18n)
  const { amountIn, keys, route, tokenIn, tokenOut } = yield* routeThrough(door, deployment)
  const venues = venuesOf(route, keys)
  if (door.expect !== undefined) assert.match(venues, door.expect)
  yield* sandbox.fund(CHAIN, account.address, tokenIn.address, amountIn)
  const calls = swapCalls(deployment, { tokenIn, tokenOut, amountIn, limit: null }, partsOf(route, keys), {
    sender: account.address,
    signer: account.owner,
    recipient,
    minAmountOut: route.amountOut,
    deadline: 2 ** 40
  })
  const { hash, operation } = yield* buildOperation(account, calls, nativeToken)
  const { authorization, signature } = yield* signOperation(account, owner, operation)
  yield* bundler.submit(operation, signature, authorization)
  const outcome = yield* outcomeOf(operation, hash)
  assert.isTrue(outcome.success, venues)
  const receivedAmount = yield* Effect.promise(() =>
    rpc.client(CHAIN).readContract({
      address: tokenOut.address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [recipient]
    })
  )
  assert.strictEqual(receivedAmount - route.amountOut, 0n, venues)
})

layer(PoolReader.layer.pipe(Layer.provideMerge(evmSandbox)), { excludeTestServices: true })(
  "The routers' calls",
  (it) => {
    it.effect.each(accountKinds)("pay the computed amount to %s, by one exchange or by several", (kind) =>
      Effect.forEach(routeCases, (door) => swapBy(kind, door), { discard: true })
    )
  }
)
