import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import { Address, NATIVE_COIN } from "../primitives/index.ts"
import { tokenKey } from "../tokens/index.ts"
import { ChainReader } from "./ChainReader.ts"

export interface ChainReaderSample {
  readonly chainId: EvmChainId
  /** An address with code, and a token that it holds none of. */
  readonly contract: Address
  readonly token: Address
}

/** What every reader of a chain keeps to. */
export const chainReaderContract = <E>(name: string, layer: Layer.Layer<ChainReader, E>, sample: ChainReaderSample) =>
  withLayer(layer, { timeout: "60 seconds", excludeTestServices: true })(`ChainReader: ${name}`, (it) => {
    const nobody = Address.make(`0x${"77".repeat(20)}`)
    const state = (address: Address, tokens: ReadonlyArray<Address>) =>
      Effect.flatMap(ChainReader, (reader) =>
        reader.accountState(sample.chainId, {
          address,
          tokens,
          allowances: tokens.includes(sample.token) ? [{ token: sample.token, spender: sample.contract }] : []
        })
      )

    it.effect("knows an address that nothing ever happened to", () =>
      Effect.gen(function* () {
        const found = yield* state(nobody, [NATIVE_COIN, sample.token])
        assert.isFalse(found.hasCode)
        assert.isNull(found.delegate)
        assert.strictEqual(found.transactionCount, 0n)
        assert.strictEqual(found.balances.get(tokenKey({ chainId: sample.chainId, address: NATIVE_COIN })), 0n)
        assert.strictEqual(found.balances.get(tokenKey({ chainId: sample.chainId, address: sample.token })), 0n)
        assert.deepStrictEqual(found.allowances, [0n])
      })
    )

    it.effect("sees code, and gives only what was asked for", () =>
      Effect.gen(function* () {
        const found = yield* state(sample.contract, [])
        assert.isTrue(found.hasCode)
        assert.isNull(found.delegate)
        assert.strictEqual(found.balances.size, 0)
        assert.deepStrictEqual(found.allowances, [])
      })
    )

    it.effect("gives a block with its time, and prices that cover its base fee", () =>
      Effect.gen(function* () {
        const found = yield* state(nobody, [])
        assert.isTrue(found.blockNumber > 0n)
        assert.isAbove(found.blockTimestamp, 1_500_000_000)
        assert.isTrue(found.maxFeePerGas >= found.baseFeePerGas + found.maxPriorityFeePerGas)
      })
    )
  })
