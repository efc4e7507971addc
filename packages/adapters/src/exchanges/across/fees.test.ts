import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type ApiFault, serveAcrossApi } from "../../../test/across/acrossApi.ts"
import type { BridgeRequest } from "./AcrossFees.ts"
import { bridgedAmountRoundingDown, bridgeFeeRoundingUp } from "./bridgedAmount.ts"
import { httpAcrossFees } from "./HttpAcrossFees.ts"

const USDC = { chainId: 1 as const, address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"), decimals: 6 }
const onBase = {
  chainId: 8453 as const,
  address: Address.make("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"),
  decimals: 6
}
const onBnb = {
  chainId: 56 as const,
  address: Address.make("0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d"),
  decimals: 18
}
const request: BridgeRequest = { from: USDC, to: onBase, amountIn: 1_000_000_000n, message: null }

const setUp = Effect.gen(function* () {
  const api = yield* serveAcrossApi
  const fees = httpAcrossFees({ url: api.url, apiKey: Redacted.make("the-key") })
  return { api, fees }
})

const text = (status: number, body: unknown): ApiFault => ({ _tag: "Answer", status, text: JSON.stringify(body) })
const errorWithCode = (status: number, code: string) =>
  text(status, { type: "AcrossApiError", code, status, message: "x" })

describe("fees from Across's API", () => {
  it.effect("are requested with the API key for the amount", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      const response = yield* fees.feesOf(request)
      assert.strictEqual(response.amountIn, request.amountIn)
      assert.isTrue(response.amountOut < request.amountIn && response.amountOut > 999_000_000n)
      assert.strictEqual(response.shareE18, 150_000_000_000_000n)
      assert.strictEqual(response.fillSeconds, 2)
      const [asked] = api.requests
      assert.strictEqual(asked!.headers.authorization, "Bearer the-key")
      assert.deepStrictEqual(
        ["originChainId", "destinationChainId", "inputToken", "outputToken", "amount"].map((name) =>
          asked!.query.get(name)
        ),
        ["1", "8453", USDC.address, onBase.address, "1000000000"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("are requested with the message of the fill, because the message costs gas", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      const handler = Address.make("0x0f7ae28de1c8532170ad4ee566b5801485c13a0e")
      const feesWithoutMessage = yield* fees.feesOf(request)
      const feesWithMessage = yield* fees.feesOf({ ...request, message: { handler, data: HexBytes.make("0x1234") } })
      assert.isTrue(feesWithMessage.amountOut < feesWithoutMessage.amountOut)
      const { query } = api.requests[1]!
      assert.deepStrictEqual([query.get("recipient"), query.get("message")], [handler, "0x1234"])
    }).pipe(Effect.scoped)
  )

  it.effect("are rejected with a message for each error code", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      for (const [code, words] of [
        ["AMOUNT_TOO_LOW", /lower than the relayer fees/u],
        ["AMOUNT_TOO_HIGH", /exceeds what its relayers and pools can provide/u],
        ["ROUTE_NOT_ENABLED", /no route for these tokens/u],
        ["INVALID_PARAM", /it responded with the error INVALID_PARAM/u]
      ] as const) {
        api.inject(errorWithCode(400, code))
        const error = yield* Effect.flip(fees.feesOf(request))
        assert.strictEqual(error._tag, "ROUTE_NOT_FOUND")
        assert.match(error.message, words)
      }
      assert.strictEqual((yield* Effect.flip(fees.feesOf({ ...request, amountIn: 1n })))._tag, "ROUTE_NOT_FOUND")
      // These responses do not count as failures of the host, so the next request uses the host again.
      yield* fees.feesOf(request)
    }).pipe(Effect.scoped)
  )

  it.effect("are rejected if the response is too low, too high, or contains another contract", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      const limits = { minDeposit: "1", maxDeposit: "2", maxDepositInstant: "2" }
      for (const [fields, words] of [
        [{ isAmountTooLow: true }, /lower than the relayer fees/u],
        [{ limits: { ...limits, minDeposit: "2000000000", maxDeposit: "3000000000" } }, /lower than the relayer fees/u],
        [{ limits }, /exceeds what its relayers/u],
        [{ spokePoolAddress: `0x${"66".repeat(20)}` }, /deposit contract is not the known SpokePool/u]
      ] as const) {
        api.inject({ _tag: "Changed", fields })
        const error = yield* Effect.flip(fees.feesOf(request))
        assert.strictEqual(error._tag, "ROUTE_NOT_FOUND")
        assert.match(error.message, words)
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "are unavailable if the host fails or responds in another format; after some failures the host gets no requests",
    () =>
      Effect.gen(function* () {
        const odd: ReadonlyArray<ApiFault> = [
          errorWithCode(502, "UPSTREAM_RPC_ERROR"),
          errorWithCode(400, "UNEXPECTED_ERROR"),
          text(504, {}),
          { _tag: "Answer", status: 200, text: "<html>" },
          { _tag: "Answer", status: 200, text: '{"outputAmount":"-1"}' },
          { _tag: "Answer", status: 200, text: `"${"x".repeat(300_000)}"` },
          { _tag: "Changed", fields: { outputAmount: "1.5" } },
          { _tag: "Changed", fields: { outputAmount: null } },
          { _tag: "Changed", fields: { outputAmount: "9".repeat(78) } },
          { _tag: "Changed", fields: { estimatedFillTimeSec: 1e300 } },
          { _tag: "Changed", fields: { estimatedFillTimeSec: -5 } }
        ]
        for (const fault of odd) {
          const { api, fees } = yield* setUp
          api.inject(fault)
          const error = yield* Effect.flip(fees.feesOf(request))
          assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE", JSON.stringify(fault).slice(0, 80))
          yield* fees.feesOf(request)
        }
        const { api, fees } = yield* setUp
        api.inject(text(500, {}), text(500, {}), text(500, {}))
        for (let failures = 0; failures < 3; failures++) yield* Effect.flip(fees.feesOf(request))
        assert.match((yield* Effect.flip(fees.feesOf(request))).message, /the next request is sent in/u)
        assert.lengthOf(api.requests, 3)
      }).pipe(Effect.scoped)
  )

  it.effect("wait as long as a rate limit requires", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      api.inject({ _tag: "Answer", status: 429, text: "Too many requests", retryAfter: "30" })
      assert.match((yield* Effect.flip(fees.feesOf(request))).message, /limits the rate/u)
      assert.match((yield* Effect.flip(fees.feesOf(request))).message, /the next request is sent in 30 s/u)
      assert.lengthOf(api.requests, 1)
      yield* TestClock.adjust("31 seconds")
      yield* fees.feesOf(request)
    }).pipe(Effect.scoped)
  )

  it.effect("are abandoned after a timeout", () =>
    Effect.gen(function* () {
      const { api, fees } = yield* setUp
      api.inject({ _tag: "Hang" })
      const fiber = yield* Effect.forkChild(Effect.flip(fees.feesOf(request)))
      while (api.requests.length === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("7 seconds")
      assert.match((yield* Fiber.join(fiber)).message, /no response within 6000 ms/u)
    }).pipe(Effect.scoped)
  )
})

describe("the amount of a fill", () => {
  const fees = { amountIn: 1_000_000_000n, amountOut: 999_000_000n, shareE18: 15n * 10n ** 13n, fillSeconds: 2 }

  it("equals the quoted amount, and for smaller deposits is at most what relayers would pay", () => {
    assert.strictEqual(bridgedAmountRoundingDown(request, fees, fees.amountIn), fees.amountOut)
    for (const amountIn of [999_999_999n, 900_000_000n, 500_000_001n, 10_000_000n]) {
      const amountOut = bridgedAmountRoundingDown(request, fees, amountIn)
      // Fixed fee, and proportional fee for the smaller amount.
      const fixedFee = fees.amountIn - fees.amountOut - (fees.amountIn * fees.shareE18) / 10n ** 18n
      assert.isTrue(amountOut <= amountIn - fixedFee - (amountIn * fees.shareE18) / 10n ** 18n, String(amountIn))
      assert.isTrue(amountOut >= amountIn - fixedFee - (amountIn * fees.shareE18) / 10n ** 18n - 2n, String(amountIn))
    }
    assert.isTrue(bridgedAmountRoundingDown(request, fees, 1n) < 0n)
  })

  it("is in base units of the token on the destination chain", () => {
    const tokens = { from: USDC, to: onBnb }
    const wide = { ...fees, amountOut: 999_000_000n * 10n ** 12n }
    const amountOut = bridgedAmountRoundingDown(tokens, wide, 500_000_000n)
    assert.strictEqual(amountOut % 10n ** 12n, 0n)
    assert.strictEqual(bridgeFeeRoundingUp(tokens, 500_000_000n, amountOut), 500_000_000n - amountOut / 10n ** 12n)
    const feesFromBnb = { ...fees, amountIn: 10n ** 21n, amountOut: 999_000_000n }
    assert.strictEqual(bridgedAmountRoundingDown({ from: onBnb, to: USDC }, feesFromBnb, 10n ** 21n - 1n), 998_999_999n)
  })
})
