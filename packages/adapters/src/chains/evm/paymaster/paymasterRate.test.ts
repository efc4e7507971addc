import { Address, HexBytes, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { reportedPrice, TokenPrices, tokenKey } from "@countersign/core/foundation/tokens"
import { Paymaster } from "@countersign/core/operations/user-operations"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { usdc } from "../../../../test/evm/evmSandbox.ts"
import * as SelfPaymaster from "./SelfPaymaster.ts"

const anyAddress = Address.make(`0x${"11".repeat(20)}`)
const nativeToken = tokenKey({ chainId: usdc.chainId, address: NATIVE_TOKEN })

/** Returns the error for USDC if only these prices are known. */
const refusalWith = (pricedTokens: ReadonlyArray<typeof nativeToken>) =>
  Paymaster.use((paymaster) => paymaster.readTerms(1, "0.8", usdc)).pipe(
    Effect.flip,
    Effect.provide(
      SelfPaymaster.layer({
        paymasters: { "0.7": anyAddress, "0.8": anyAddress },
        signerKey: Redacted.make(HexBytes.make(`0x${"12".repeat(32)}`)),
        treasury: anyAddress
      }).pipe(
        Layer.provide(
          Layer.succeed(
            TokenPrices,
            TokenPrices.of({
              findPrices: () => Effect.succeed(new Map(pricedTokens.map((key) => [key, reportedPrice(10n ** 18n)])))
            })
          )
        )
      )
    )
  )

describe("the rate of the built-in paymaster", () => {
  it.effect("is unavailable, which a retry may fix, if the native token has no price", () =>
    Effect.gen(function* () {
      for (const knownTokens of [[], [tokenKey(usdc)]]) {
        const error = yield* refusalWith(knownTokens)
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
        assert.match(
          error.message,
          /^The price of Ethereum's native token is unavailable: the price could not be read/u
        )
      }
    })
  )

  it.effect("is rejected for a token without a price", () =>
    Effect.gen(function* () {
      const error = yield* refusalWith([nativeToken])
      assert.strictEqual(error._tag, "GAS_TOKEN_NOT_ACCEPTED")
    })
  )
})
