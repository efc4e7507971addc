import { Effect, Option } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { Token, TokenCatalog } from "../tokens/index.ts"
import type { LendingMarket } from "./LendingMarket.ts"
import type { LendingProviderId } from "./LendingRequest.ts"

/** A market or a position of a provider, with the tokens that the service lists. */
export interface OnProvider<A> {
  readonly provider: Pick<LendingMarket, "id" | "name">
  readonly chainId: EvmChainId
  readonly item: A
  readonly tokens: ReadonlyArray<Token>
}

export interface Place {
  readonly chainId: EvmChainId
  readonly provider: LendingMarket
}

/** Every provider, or the one that is named, on each of the chains where it is. */
export const placesOf = (
  chainIds: ReadonlyArray<EvmChainId>,
  providers: ReadonlyArray<LendingMarket>,
  id: LendingProviderId | null = null
): ReadonlyArray<Place> =>
  chainIds.flatMap((chainId) =>
    providers
      .filter((provider) => (id === null || provider.id === id) && provider.serves(chainId))
      .map((provider) => ({ chainId, provider }))
  )

/** What the providers of these places have, without that whose tokens the service does not list. */
export const listedOn = <A, E>(
  catalog: TokenCatalog["Service"],
  places: ReadonlyArray<Place>,
  ask: (place: Place) => Effect.Effect<ReadonlyArray<A>, E>,
  tokensOf: (item: A) => ReadonlyArray<Token["address"]>
): Effect.Effect<ReadonlyArray<OnProvider<A>>, E> => {
  const withTokens = ({ chainId, provider }: Place, item: A) =>
    Effect.map(
      Effect.forEach(tokensOf(item), (address) => catalog.find(chainId, address)),
      (found) =>
        Option.match(Option.all(found), {
          onNone: (): ReadonlyArray<OnProvider<A>> => [],
          onSome: (tokens) => [{ provider, chainId, item, tokens }]
        })
    )
  const found = Effect.forEach(
    places,
    (place) => Effect.flatMap(ask(place), (items) => Effect.forEach(items, (item) => withTokens(place, item))),
    { concurrency: "unbounded" }
  )
  return Effect.map(found, (perPlace) => perPlace.flat(2))
}
