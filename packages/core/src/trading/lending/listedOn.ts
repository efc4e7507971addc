import { Effect, Option } from "effect"
import { type EvmChainId, queryEach } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Token, TokenCatalog } from "../../foundation/tokens/index.ts"
import type { LendingMarket } from "./LendingMarket.ts"
import type { LendingProviderId } from "./LendingRequest.ts"

/** A provider's market or position, with its listed tokens. */
export interface ProviderItem<A> {
  readonly provider: Pick<LendingMarket, "id" | "name">
  readonly chainId: EvmChainId
  readonly item: A
  readonly tokens: ReadonlyArray<Token>
}

/** A provider and chain whose query failed. */
export interface FailedQuery {
  readonly provider: Pick<LendingMarket, "id" | "name">
  readonly chainId: EvmChainId
  readonly reason: string
}

export interface ListedResults<A> {
  readonly results: ReadonlyArray<ProviderItem<A>>
  readonly unread: ReadonlyArray<FailedQuery>
}

export interface ProviderOnChain {
  readonly chainId: EvmChainId
  readonly provider: LendingMarket
}

/**
 * Returns all combinations of these chains and the providers that serve them. If `id` is not null, only those of this
 * provider.
 */
export const providersOnChains = (
  chainIds: ReadonlyArray<EvmChainId>,
  providers: ReadonlyArray<LendingMarket>,
  id: LendingProviderId | null = null
): ReadonlyArray<ProviderOnChain> =>
  chainIds.flatMap((chainId) =>
    providers
      .filter((provider) => (id === null || provider.id === id) && provider.serves(chainId))
      .map((provider) => ({ chainId, provider }))
  )

/**
 * Queries all combinations of provider and chain. Omits items with unlisted tokens. Returns failed combinations separately, so
 * that one failing chain does not hide the results of others. Fails only if every query fails.
 */
export const listOnProviders = Effect.fnUntraced(function* <A>(
  catalog: TokenCatalog["Service"],
  providerChains: ReadonlyArray<ProviderOnChain>,
  query: (providerOnChain: ProviderOnChain) => Effect.Effect<ReadonlyArray<A>, UpstreamUnavailable>,
  tokensOf: (item: A) => ReadonlyArray<Token["address"]>
): Effect.fn.Return<ListedResults<A>, UpstreamUnavailable> {
  const itemsWithTokens = ({ chainId, provider }: ProviderOnChain, item: A) =>
    Effect.map(
      Effect.forEach(tokensOf(item), (address) => catalog.find(chainId, address)),
      (listedTokens) =>
        Option.match(Option.all(listedTokens), {
          onNone: (): ReadonlyArray<ProviderItem<A>> => [],
          onSome: (tokens) => [{ provider, chainId, item, tokens }]
        })
    )
  const queryProvider = (providerOnChain: ProviderOnChain) =>
    Effect.map(
      Effect.flatMap(query(providerOnChain), (items) =>
        Effect.forEach(items, (item) => itemsWithTokens(providerOnChain, item))
      ),
      (itemLists) => itemLists.flat()
    )
  const { failed, results } = yield* queryEach(providerChains, queryProvider)
  const [first] = failed
  if (first !== undefined && failed.length === providerChains.length) return yield* first.error
  return { results, unread: failed.map(({ error, place }) => ({ ...place, reason: error.message })) }
})
