import { assert, layer } from "@effect/vitest"
import { Context, Effect, type Layer } from "effect"
import type { Token } from "../../foundation/tokens/index.ts"
import { GasTokenNotAccepted, Paymaster } from "./Paymaster.ts"
import type { UserOperation } from "./UserOperation.ts"

/**
 * The input of the contract tests. Other tests execute complete operations to show that the chain accepts the signed
 * data.
 */
export class PaymasterScenario extends Context.Service<
  PaymasterScenario,
  {
    readonly acceptedToken: Token
    /** A listed token that the paymaster does not accept. */
    readonly refusedToken: Token
    /** An operation that is complete except for the paymaster fields. */
    readonly operation: UserOperation
  }
>()("@countersign/core/user-operations/PaymasterScenario") {}

const commitment = { validUntil: 4_000_000_000, prefund: 0n }

/** Contract tests that every `Paymaster` must pass. */
export const paymasterContract = <E>(name: string, paymasters: Layer.Layer<Paymaster | PaymasterScenario, E>): void => {
  layer(paymasters, { excludeTestServices: true })(`Paymaster of ${name}`, (it) => {
    it.effect("returns its terms for a token that it accepts", () =>
      Effect.gen(function* () {
        const paymaster = yield* Paymaster
        const { acceptedToken, operation } = yield* PaymasterScenario
        const { chainId, entryPointVersion } = operation
        const terms = yield* paymaster.readTerms(chainId, entryPointVersion, acceptedToken)
        assert.isTrue(terms.tokenUnitsPerNativeToken > 0n)
        assert.isTrue(terms.verificationGasLimit > 0n && terms.postOpGasLimit > 0n)
      })
    )

    it.effect("rejects a token that it does not accept, and names the token", () =>
      Effect.gen(function* () {
        const paymaster = yield* Paymaster
        const { refusedToken, operation } = yield* PaymasterScenario
        const { chainId, entryPointVersion } = operation
        const error = yield* Effect.flip(paymaster.readTerms(chainId, entryPointVersion, refusedToken))
        assert.instanceOf(error, GasTokenNotAccepted)
        assert.include(error.message, refusedToken.symbol)
      })
    )

    it.effect("signs each operation, with as many bytes as the stub data", () =>
      Effect.gen(function* () {
        const paymaster = yield* Paymaster
        const { acceptedToken, operation } = yield* PaymasterScenario
        const terms = yield* paymaster.readTerms(operation.chainId, operation.entryPointVersion, acceptedToken)
        const { address, verificationGasLimit, postOpGasLimit, stubData: data } = terms
        const request = { ...operation, paymaster: { address, verificationGasLimit, postOpGasLimit, data } }
        const signature = yield* paymaster.sign(request, acceptedToken, terms, commitment)
        const otherSignature = yield* paymaster.sign(
          { ...request, callGasLimit: request.callGasLimit + 1n },
          acceptedToken,
          terms,
          commitment
        )
        assert.strictEqual(signature.length, terms.stubData.length)
        assert.strictEqual(otherSignature.length, terms.stubData.length)
        assert.notStrictEqual(signature, otherSignature)
      })
    )
  })
}
