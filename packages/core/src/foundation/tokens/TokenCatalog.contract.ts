import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { chains } from "../chains/index.ts"
import { Address, isNativeToken, NATIVE_TOKEN } from "../primitives/index.ts"
import { TokenCatalog } from "./TokenCatalog.ts"

/** Contract tests that every `TokenCatalog` must pass. */
export const tokenCatalogContract = <E>(name: string, layer: Layer.Layer<TokenCatalog, E>) =>
  withLayer(layer)(`TokenCatalog: ${name}`, (it) => {
    const anyToken = { text: "", chainIds: [], offset: 0, limit: 10_000 }

    it.effect("lists each chain's native token with the placeholder address, before its other tokens", () =>
      Effect.gen(function* () {
        const catalog = yield* TokenCatalog
        for (const { id } of chains) {
          const { tokens } = yield* catalog.search({ ...anyToken, chainIds: [id] })
          assert.isTrue(isNativeToken(tokens[0]!.address), `chain ${id}`)
          assert.isTrue(tokens.every(({ chainId }) => chainId === id))
        }
      })
    )

    it.effect("finds every listed token, on its own chain only", () =>
      Effect.gen(function* () {
        const catalog = yield* TokenCatalog
        const { tokens, total } = yield* catalog.search(anyToken)
        assert.strictEqual(tokens.length, total)
        for (const token of tokens) {
          assert.deepStrictEqual(yield* catalog.find(token.chainId, token.address), Option.some(token))
        }
        const unlistedToken = Address.make(`0x${"de".repeat(20)}`)
        assert.deepStrictEqual(yield* catalog.find(1, unlistedToken), Option.none())
      })
    )

    it.effect("returns each match once over all pages", () =>
      Effect.gen(function* () {
        const catalog = yield* TokenCatalog
        const { tokens, total } = yield* catalog.search(anyToken)
        const allKeys: Array<string> = []
        for (let offset = 0; offset < total; offset += 7) {
          const page = yield* catalog.search({ ...anyToken, offset, limit: 7 })
          assert.strictEqual(page.total, total)
          allKeys.push(...page.tokens.map(({ address, chainId }) => `${chainId}:${address}`))
        }
        assert.deepStrictEqual(
          allKeys,
          tokens.map(({ address, chainId }) => `${chainId}:${address}`)
        )
        assert.strictEqual(new Set(allKeys).size, total)
      })
    )

    it.effect("searches symbols, names and addresses, in any case", () =>
      Effect.gen(function* () {
        const catalog = yield* TokenCatalog
        const usdc = yield* catalog.search({ ...anyToken, text: "usdc", chainIds: [1] })
        assert.isTrue(usdc.tokens.some(({ symbol }) => symbol === "USDC"))
        const [first] = usdc.tokens
        const byAddress = yield* catalog.search({ ...anyToken, text: first!.address, chainIds: [1] })
        assert.deepStrictEqual(byAddress.tokens, usdc.tokens.slice(0, 1))
        assert.strictEqual((yield* catalog.search({ ...anyToken, text: "no such token" })).total, 0)
        assert.strictEqual((yield* catalog.search({ ...anyToken, text: NATIVE_TOKEN })).total, chains.length)
      })
    )
  })
