import { type ConcentratedPool, swapConcentrated } from "@countersign/core/trading/liquidity"
import { Effect, Layer } from "effect"
import { encodeFunctionData } from "viem"
import { compare } from "../../core/bench/alternating.ts"
import { SandboxChains, sandboxTokens } from "../sandbox/index.ts"
import { deploymentOf } from "../src/chains/deployments/index.ts"
import { RpcClients, RpcClientsLayer } from "../src/chains/evm/index.ts"
import { PoolReader, v3ExchangesOf, v3Key } from "../src/exchanges/pools/index.ts"
import { quoterAbi } from "../test/uniswap/uniswapContracts.ts"

/**
 * Compares the service's computation of a swap with QuoterV2 through `eth_call` on the sandbox's node, for amounts that
 * cross no tick or many ticks. Run it with `npm run bench:quoter -w packages/adapters`.
 */

const { uniswapV3 } = deploymentOf(1)
const tokenOf = (role: string) => sandboxTokens(1).find((token) => token.role === role)!.address

const services = PoolReader.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(Effect.map(SandboxChains, ({ rpcUrl }) => RpcClientsLayer({ urls: (id) => [rpcUrl(id)] })))
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

await Effect.gen(function* () {
  const reader = yield* PoolReader
  const client = (yield* RpcClients).client(1)
  const [exchange] = v3ExchangesOf(deploymentOf(1))
  const keys = [500, 3_000, 10_000].map((feePips) => v3Key(exchange!, tokenOf("usdc"), tokenOf("native"), feePips))
  const { pools } = yield* reader.read(1, keys)
  const pool: ConcentratedPool = pools
    .filter((each) => each._tag === "Concentrated")
    .reduce((a, b) => (b.ticks.length > a.ticks.length ? b : a))
  const zeroForOne = true
  for (const dollars of [1n, 10_000n, 1_000_000n]) {
    const amount = dollars * 10n ** (pool.token0 === tokenOf("usdc") ? 6n : 15n)
    const outcome = swapConcentrated(pool, zeroForOne, amount, true)
    if (outcome._tag !== "Swapped") continue
    const params = {
      tokenIn: pool.token0,
      tokenOut: pool.token1,
      amount,
      fee: pool.feePips,
      sqrtPriceLimitX96: 0n
    }
    const data = encodeFunctionData({ abi: quoterAbi, functionName: "quoteExactInputSingle", args: [params] })
    yield* Effect.promise(() =>
      compare(`${amount} base units, ${outcome.ticksCrossed} ticks crossed`, [
        { name: "QuoterV2 by eth_call", run: () => client.call({ to: uniswapV3.quoterV2, data }) },
        { name: "sums, pool unchanged", run: () => swapConcentrated(pool, zeroForOne, amount, true) }
      ])
    )
  }
}).pipe(Effect.provide(services), Effect.runPromise)
