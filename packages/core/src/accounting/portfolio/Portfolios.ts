import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { BitcoinChain } from "../../bitcoin/chain/index.ts"
import { type EvmChainId, onEachChain, type UnreadChain } from "../../foundation/chains/index.ts"
import { Address, type BitcoinAddress, type WalletAddress } from "../../foundation/primitives/index.ts"
import {
  type Token,
  type TokenCatalog,
  type TokenPrices,
  tokenKey,
  type UsdPriceE18,
  usdE6RoundingDown
} from "../../foundation/tokens/index.ts"
import type { ChainReader } from "../../operations/user-operations/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { Lending, type LendingPosition, type ProviderItem } from "../../trading/lending/index.ts"
import { type LiquidityPosition, LiquidityPositions } from "../../trading/pools/index.ts"
import { type Nft, NftMetadataDecodeFailed, NftReader } from "../../wallets/nfts/index.ts"
import type { HistoryStore } from "../history/index.ts"
import { type DisplayPrice, type MarketData, type PastPrices, readDisplayPrices } from "../market-data/index.ts"
import { balancesOf } from "./balances.ts"
import { bitcoinHoldings } from "./bitcoinHoldings.ts"
import type { Holding } from "./holdings.ts"
import { type MovedToken, movedTokens } from "./movedTokens.ts"
import { openingPrices } from "./openingPrices.ts"
import { type Profit, profitOf } from "./profit.ts"
import { rangeStart, type TimeRange } from "./TimeRange.ts"
import { withPastValues } from "./withPastValues.ts"

export interface PortfolioRequest {
  readonly walletAddress: WalletAddress
  readonly include: Readonly<Record<"tokens" | "nfts" | "profit" | "lending", boolean>>
  readonly timeRange: TimeRange
}

/** Profit and loss of a token, computed from the project's recorded movements. */
export interface TokenProfit {
  readonly token: Token
  readonly price: DisplayPrice | null
  readonly profit: Profit
}

/**
 * The assets of an account. Fields that were not requested are null. If `profits` are requested, `holdings` are also
 * read.
 */
export interface Portfolio {
  readonly asOf: DateTime.Utc
  readonly holdings: ReadonlyArray<Holding> | null
  readonly profits: ReadonlyArray<TokenProfit> | null
  readonly nfts: ReadonlyArray<Nft> | null
  /** Uniswap V3 positions in listed tokens. They are requested together with NFTs. */
  readonly liquidity: ReadonlyArray<LiquidityPosition> | null
  readonly lending: ReadonlyArray<ProviderItem<LendingPosition>> | null
  readonly unread: ReadonlyArray<UnreadChain>
}

/** Keeps one entry per chain, because several queries fail if a chain's nodes do not respond. */
const deduplicateByChain = (unread: ReadonlyArray<UnreadChain>): ReadonlyArray<UnreadChain> => [
  ...new Map(unread.map(({ chainId, reason }) => [chainId, { chainId, reason }])).values()
]

/** Returns the first position in listed tokens whose NFT metadata can't be decoded. */
const undecodablePositionOf = (nfts: ReadonlyArray<Nft>, positions: ReadonlyArray<LiquidityPosition>) => {
  const undecodableNft = nfts.find(
    ({ chainId, contract, metadata, tokenId }) =>
      metadata === "UNDECODABLE" &&
      positions.some(
        ({ position }) => position.chainId === chainId && position.manager === contract && position.tokenId === tokenId
      )
  )
  if (undecodableNft === undefined) return undefined
  const { chainId, contract, tokenId } = undecodableNft
  return new NftMetadataDecodeFailed({ chainId, contract, tokenId: String(tokenId) })
}

const isEvmAddress = Schema.is(Address)

const computeProfits = Effect.fnUntraced(function* (movedTokenList: ReadonlyArray<MovedToken>, fromMs: number) {
  const [currentPrices, pricesAtStart, valuedTokens] = yield* Effect.all(
    [
      readDisplayPrices(movedTokenList.map(({ token }) => token)),
      openingPrices(movedTokenList, fromMs),
      withPastValues(movedTokenList)
    ],
    { concurrency: 3 }
  )
  return valuedTokens.map(({ movements, token }): TokenProfit => {
    const price = currentPrices.get(tokenKey(token)) ?? null
    const valueAt = (priceE18: UsdPriceE18 | undefined) => (units: bigint) =>
      priceE18 === undefined ? null : usdE6RoundingDown(units, token.decimals, priceE18)
    const [openingValueOf, closingValueOf] = [valueAt(pricesAtStart.get(tokenKey(token))), valueAt(price?.usd)]
    return { token, price, profit: profitOf(movements, fromMs, openingValueOf, closingValueOf) }
  })
})

const profitsSince = (projectId: ProjectId, address: WalletAddress, fromMs: number) =>
  Effect.flatMap(movedTokens(projectId, address), (movedTokenList) => computeProfits(movedTokenList, fromMs))

/** Reads the assets of an account, and computes the profits of its tokens. */
export class Portfolios extends Context.Service<
  Portfolios,
  {
    /**
     * Accepts any valid account or Bitcoin address, registered or not, because balances are public. Profit and loss are
     * computed from the project's movements. `unread` lists the chains that could not be read.
     */
    readonly show: (
      projectId: ProjectId,
      request: PortfolioRequest
    ) => Effect.Effect<Portfolio, NftMetadataDecodeFailed>
  }
>()("@countersign/core/portfolio/Portfolios") {
  static readonly layer = (settings: { readonly chainIds: () => ReadonlyArray<EvmChainId> }) =>
    Layer.effect(
      Portfolios,
      Effect.gen(function* () {
        const ports = yield* Effect.context<
          BitcoinChain | ChainReader | HistoryStore | MarketData | PastPrices | TokenCatalog | TokenPrices
        >()
        const lending = yield* Lending
        const positions = yield* LiquidityPositions
        const reader = yield* NftReader

        const nftsOf = Effect.fnUntraced(function* (address: Address) {
          const chainIds = settings.chainIds()
          const [nfts, liquidity] = yield* Effect.all(
            [
              onEachChain(chainIds, (chainId) => reader.listOwned(chainId, address)),
              positions.listOwned(address, chainIds)
            ],
            { concurrency: 2 }
          )
          const undecodablePosition = undecodablePositionOf(nfts.results, liquidity.results)
          if (undecodablePosition !== undefined) return yield* undecodablePosition
          return { nfts: nfts.results, liquidity: liquidity.results, unread: [...nfts.unread, ...liquidity.unread] }
        })

        const lendingOf = (address: Address) =>
          lending.listAccountPositions(address).pipe(
            Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ message }) =>
              Effect.succeed({
                results: [],
                unread: settings.chainIds().map((chainId) => ({ chainId, reason: message }))
              })
            )
          )

        const bitcoinPortfolio = Effect.fnUntraced(function* (
          projectId: ProjectId,
          address: BitcoinAddress,
          { lending, nfts, profit, tokens }: PortfolioRequest["include"],
          { asOf, fromMs }: { readonly asOf: DateTime.Utc; readonly fromMs: number }
        ) {
          const [balances, tokenProfits] = yield* Effect.all(
            [
              tokens || profit ? bitcoinHoldings(address) : Effect.succeed(null),
              profit ? profitsSince(projectId, address, fromMs) : Effect.succeed(null)
            ],
            { concurrency: 2 }
          )
          const portfolio: Portfolio = {
            asOf,
            holdings: balances?.results ?? null,
            profits: tokenProfits,
            nfts: nfts ? [] : null,
            liquidity: nfts ? [] : null,
            lending: lending ? [] : null,
            unread: balances?.unread ?? []
          }
          return portfolio
        })

        return Portfolios.of({
          show: Effect.fn("Portfolios.show")(function* (projectId, { include, timeRange, walletAddress }) {
            const asOf = yield* DateTime.now
            const fromMs = rangeStart(timeRange, DateTime.toEpochMillis(asOf))
            if (!isEvmAddress(walletAddress)) {
              return yield* Effect.provideContext(
                bitcoinPortfolio(projectId, walletAddress, include, { asOf, fromMs }),
                ports
              )
            }
            const [balances, profit, nftsAndPositions, loans] = yield* Effect.all(
              [
                include.tokens || include.profit
                  ? balancesOf(walletAddress, settings.chainIds())
                  : Effect.succeed(null),
                include.profit ? profitsSince(projectId, walletAddress, fromMs) : Effect.succeed(null),
                include.nfts ? nftsOf(walletAddress) : Effect.succeed(null),
                include.lending ? lendingOf(walletAddress) : Effect.succeed(null)
              ],
              { concurrency: "unbounded" }
            ).pipe(Effect.provideContext(ports))
            const portfolio: Portfolio = {
              asOf,
              holdings: balances?.results ?? null,
              profits: profit,
              nfts: nftsAndPositions?.nfts ?? null,
              liquidity: nftsAndPositions?.liquidity ?? null,
              lending: loans?.results ?? null,
              unread: deduplicateByChain([
                ...(balances?.unread ?? []),
                ...(nftsAndPositions?.unread ?? []),
                ...(loans?.unread ?? [])
              ])
            }
            return portfolio
          })
        })
      })
    )
}
