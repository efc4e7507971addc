import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Address } from "../primitives/index.ts"
import { type RouteRequest, type SwapProvider, SwapProviders } from "./SwapProvider.ts"

export interface SwapProviderSample {
  /** A swap that the provider has a route for. */
  readonly request: RouteRequest
  /** One that it has none for. */
  readonly impossible: RouteRequest
}

/** What every provider of swaps keeps to. */
export const swapProviderContract = <E>(
  name: string,
  layer: Layer.Layer<SwapProviders, E>,
  sample: SwapProviderSample
) =>
  withLayer(layer, { timeout: "60 seconds", excludeTestServices: true })(`SwapProvider: ${name}`, (it) => {
    const first = Effect.map(SwapProviders, ([provider]): SwapProvider => provider!)
    const execution = {
      sender: Address.make(`0x${"aa".repeat(20)}`),
      recipient: Address.make(`0x${"bb".repeat(20)}`),
      minAmountOut: 1n,
      deadline: 2_000_000_000
    }

    it.effect("answers a route for the very amount and tokens asked", () =>
      Effect.gen(function* () {
        const provider = yield* first
        assert.isTrue(provider.serves(sample.request.chainId))
        const route = yield* provider.route(sample.request)
        assert.strictEqual(route.amountIn, sample.request.amountIn)
        assert.strictEqual(route.tokenIn, sample.request.tokenIn)
        assert.strictEqual(route.tokenOut, sample.request.tokenOut)
        assert.isTrue(route.amountOut > 0n)
      })
    )

    it.effect("joins its hops end to end", () =>
      Effect.gen(function* () {
        const { hops } = yield* (yield* first).route(sample.request)
        for (const [i, hop] of hops.entries()) {
          if (i > 0) assert.strictEqual(hop.tokenIn, hops[i - 1]!.tokenOut)
        }
      })
    )

    it.effect("reroutes at the same block; the same amount gives the same route", () =>
      Effect.gen(function* () {
        const provider = yield* first
        const route = yield* provider.route(sample.request)
        assert.strictEqual((yield* provider.reroute(route, route.amountIn)).amountOut, route.amountOut)
        const half = yield* provider.reroute(route, route.amountIn / 2n)
        assert.strictEqual(half.blockNumber, route.blockNumber)
        assert.strictEqual(half.amountIn, route.amountIn / 2n)
        assert.isTrue(half.amountOut < route.amountOut && half.amountOut > 0n)
      })
    )

    it.effect("builds calls that carry the recipient, the least output and the deadline", () =>
      Effect.gen(function* () {
        const provider = yield* first
        const route = yield* provider.route(sample.request)
        const least = 0xabcdef0123n
        const calls = provider.calls(route, { ...execution, minAmountOut: least })
        const data = calls.map((call) => call.data).join("")
        assert.include(data, execution.recipient.slice(2))
        assert.include(data, least.toString(16))
        assert.include(data, execution.deadline.toString(16))
        assert.isTrue(calls.every(({ summary }) => summary !== ""))
      })
    )

    it.effect("says in words why it has no route", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* first).route(sample.impossible))
        assert.strictEqual(error._tag, "ROUTE_NOT_FOUND")
        assert.isNotEmpty(error.message)
      })
    )
  })
