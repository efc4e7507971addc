import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import { MAX_NFTS_OF_COLLECTION, NftReader } from "./NftReader.ts"

export interface NftReaderSample<R> {
  readonly chainId: EvmChainId
  /** An account that owns NFTs with metadata. */
  readonly readOwner: Effect.Effect<Address, never, R>
}

/** Contract tests that every `NftReader` must pass. */
export const nftReaderContract = <R, E>(
  name: string,
  layer: Layer.Layer<NftReader | R, E>,
  { chainId, readOwner: owner }: NftReaderSample<R>
) =>
  withLayer(layer, { excludeTestServices: true })(`NftReader: ${name}`, (it) => {
    it.effect("returns each NFT of an account once, with its metadata, up to a limit per collection", () =>
      Effect.gen(function* () {
        const nfts = yield* (yield* NftReader).listOwned(chainId, yield* owner)
        assert.isAbove(nfts.length, 0)
        assert.strictEqual(new Set(nfts.map(({ contract, tokenId }) => `${contract} ${tokenId}`)).size, nfts.length)
        for (const [, collectionNfts] of Map.groupBy(nfts, ({ contract }) => contract)) {
          assert.isAtMost(collectionNfts.length, MAX_NFTS_OF_COLLECTION)
        }
        assert.isTrue(nfts.every((nft) => nft.chainId === chainId && nft.amount > 0n))
        assert.isTrue(nfts.some(({ metadata }) => typeof metadata === "object" && metadata?.name !== null))
      })
    )

    it.effect("returns nothing for an account without NFTs", () =>
      Effect.gen(function* () {
        const emptyAccount = Address.make(`0x${"de".repeat(20)}`)
        assert.deepStrictEqual(yield* (yield* NftReader).listOwned(chainId, emptyAccount), [])
      })
    )
  })
