import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Nft, NftReader } from "@countersign/core/wallets/nfts"
import { Cache, Effect, Exit, Layer } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { type PageOptions, readPage } from "../../outbound/public-web/index.ts"
import type { NftCollection } from "./collections.ts"
import { metadataOf, metadataSource, withId } from "./metadata.ts"
import { type OwnedNft, readOwnedNfts } from "./ownedNfts.ts"

export interface NftSettings {
  readonly collections: ReadonlyArray<NftCollection>
  /** Base URL of the gateway that serves `ipfs://` paths; null if there is none. */
  readonly ipfsGateway: string | null
  /** Whether metadata URLs may be in private networks, as for webhooks. */
  readonly allowPrivateTargets: boolean
}

const MAX_CACHED_PAGES = 2_000
const CONCURRENT_PAGES = 8
const page = { maxBytes: 256 * 1_024, timeoutMs: 2_500 }

/** Returns Uniswap V3's position manager, whose NFTs have on-chain metadata. */
const positionsOn = (chainId: EvmChainId): NftCollection => ({
  chainId,
  contract: deploymentOf(chainId).uniswapV3.nonfungiblePositionManager,
  ids: null
})

/**
 * Lists NFTs by enumeration. Fetches metadata with restrictions, because their URLs are untrusted. Caches metadata for
 * an hour, and failures for a minute.
 */
export const layer = ({ allowPrivateTargets, collections, ipfsGateway }: NftSettings) =>
  Layer.effect(
    NftReader,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const options: PageOptions = { ...page, allowPrivateTargets }
      const pages = yield* Cache.makeWith((url: string) => readPage(url, options), {
        capacity: MAX_CACHED_PAGES,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : "1 minute")
      })

      const metadataFor = Effect.fnUntraced(function* ({ collection, tokenId, uri }: OwnedNft) {
        if (uri === null) return "UNDECODABLE" as const
        const source = metadataSource(collection.ids === null ? uri : withId(uri, tokenId), ipfsGateway)
        if (source === null) return null
        if ("json" in source) return metadataOf(source.json, ipfsGateway) ?? ("UNDECODABLE" as const)
        const text = yield* Effect.orElseSucceed(Cache.get(pages, source.url), () => null)
        return text === null ? null : metadataOf(text, ipfsGateway)
      })

      return NftReader.of({
        listOwned: Effect.fn("NftReader.owned")(function* (chainId, owner) {
          const collectionsOnChain = [
            positionsOn(chainId),
            ...collections.filter((collection) => collection.chainId === chainId)
          ]
          const nfts = yield* rpc.call(chainId, (client) => readOwnedNfts(client, chainId, collectionsOnChain, owner))
          return yield* Effect.forEach(
            nfts,
            (nft) =>
              Effect.map(
                metadataFor(nft),
                (metadata): Nft => ({
                  chainId,
                  contract: nft.collection.contract,
                  collection: { name: nft.name, symbol: nft.symbol },
                  tokenId: nft.tokenId,
                  amount: nft.amount,
                  metadata
                })
              ),
            { concurrency: CONCURRENT_PAGES }
          )
        })
      })
    })
  )
