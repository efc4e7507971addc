import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import { ChainReader } from "./ChainReader.ts"

export interface ChainReaderSample {
  readonly chainId: EvmChainId
  /** An address with code, and a token of which the address has no balance. */
  readonly contract: Address
  readonly token: Address
}

/** Contract tests that every `ChainReader` must pass. */
export const chainReaderContract = <E>(name: string, layer: Layer.Layer<ChainReader, E>, sample: ChainReaderSample) =>
  withLayer(layer, { excludeTestServices: true })(`ChainReader: ${name}`, (it) => {
    const emptyAddress = Address.make(`0x${"77".repeat(20)}`)
    const readState = (address: Address, tokens: ReadonlyArray<Address>) =>
      Effect.flatMap(ChainReader, (reader) =>
        reader.readAccountState(sample.chainId, {
          address,
          tokens,
          allowances: tokens.includes(sample.token) ? [{ token: sample.token, spender: sample.contract }] : []
        })
      )

    it.effect("reads an address without transactions", () =>
      Effect.gen(function* () {
        const accountState = yield* readState(emptyAddress, [NATIVE_TOKEN, sample.token])
        assert.isFalse(accountState.hasCode)
        assert.isNull(accountState.delegate)
        assert.strictEqual(accountState.transactionCount, 0n)
        assert.strictEqual(accountState.balances.get(tokenKey({ chainId: sample.chainId, address: NATIVE_TOKEN })), 0n)
        assert.strictEqual(accountState.balances.get(tokenKey({ chainId: sample.chainId, address: sample.token })), 0n)
        assert.deepStrictEqual(accountState.allowances, [0n])
      })
    )

    it.effect("reports code, and returns only what was requested", () =>
      Effect.gen(function* () {
        const accountState = yield* readState(sample.contract, [])
        assert.isTrue(accountState.hasCode)
        assert.isNull(accountState.delegate)
        assert.strictEqual(accountState.balances.size, 0)
        assert.deepStrictEqual(accountState.allowances, [])
      })
    )

    it.effect("returns a block with its time, and gas prices that cover its base fee", () =>
      Effect.gen(function* () {
        const accountState = yield* readState(emptyAddress, [])
        assert.isTrue(accountState.blockNumber > 0n)
        assert.isAbove(accountState.blockTimestamp, 1_500_000_000)
        assert.isTrue(accountState.maxFeePerGas >= accountState.baseFeePerGas + accountState.maxPriorityFeePerGas)
      })
    )
  })
