import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { reportedPrice, type TokenPrice, TokenPrices, tokenKey } from "@countersign/core/foundation/tokens"
import { Clock, Effect, Layer, Scope } from "effect"
import { bitcoinFeeds } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { PoolReader } from "../../exchanges/pools/index.ts"
import { chainPrices } from "./chainPrices.ts"

/** Age in milliseconds above which a price is still used, but refreshed in the background. */
const FRESH_MS = 15_000
/** Maximum age of a used price in milliseconds. If the price is older, the request waits for a new one. */
const USABLE_MS = 300_000
/** Maximum wait for Bitcoin's price. It is only displayed, so quotes must not depend on an EVM chain's node. */
const BITCOIN_PATIENCE = "2 seconds"

interface CachedPrice {
  readonly at: number
  readonly price: TokenPrice | null
}

export interface ChainTokenPricesOptions {
  /** Whether the service has a node of the chain. */
  readonly isServed: (chainId: EvmChainId) => boolean
}

/**
 * Provides prices from the chains. They come from Chainlink's feeds if the chain has them, otherwise from the pool with
 * the most liquidity: a Uniswap V3 pool with a US dollar token or the wrapped native token. The price of a pool is its
 * time-weighted average, which no single block can manipulate. If the pool stores no average, its current price is
 * used, with the source `NOW`. A US dollar token without a feed is priced at one dollar. Bitcoin's price comes from a
 * feed of a served chain.
 */
export const layer = ({ isServed }: ChainTokenPricesOptions) =>
  Layer.effect(
    TokenPrices,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const reader = yield* PoolReader
      const scope = yield* Scope.Scope
      const cachedPrices = new Map<string, CachedPrice>()
      const keysInRenewal = new Set<string>()

      const refreshPrices = Effect.fnUntraced(function* (chainId: EvmChainId, tokens: ReadonlyArray<Address>) {
        const prices = yield* chainPrices(rpc, reader, chainId, tokens)
        const now = yield* Clock.currentTimeMillis
        for (const token of tokens)
          cachedPrices.set(`${chainId}:${token}`, { at: now, price: prices.get(token) ?? null })
      })

      const refreshOrWarn = (chainId: EvmChainId, tokens: ReadonlyArray<Address>) =>
        Effect.catchTag(refreshPrices(chainId, tokens), "UPSTREAM_UNAVAILABLE", (error) =>
          Effect.logWarning("token prices could not be read", { reason: error.message })
        )

      const renewPrices = (chainId: EvmChainId, tokens: ReadonlyArray<Address>) => {
        const keys = tokens.map((token) => `${chainId}:${token}`).filter((key) => !keysInRenewal.has(key))
        if (keys.length === 0) return Effect.void
        for (const key of keys) keysInRenewal.add(key)
        return refreshOrWarn(chainId, tokens).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              for (const key of keys) keysInRenewal.delete(key)
            })
          ),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      }

      const chainPricesOf = Effect.fnUntraced(function* (chainId: EvmChainId, tokens: ReadonlyArray<Address>) {
        const requestedTokens = [...new Set([...tokens, NATIVE_TOKEN])]
        const now = yield* Clock.currentTimeMillis
        const age = (token: Address) => now - (cachedPrices.get(`${chainId}:${token}`)?.at ?? Number.NEGATIVE_INFINITY)
        const unusableTokens = requestedTokens.filter((token) => age(token) > USABLE_MS)
        if (unusableTokens.length > 0) yield* refreshOrWarn(chainId, requestedTokens)
        else {
          const staleTokens = requestedTokens.filter((token) => age(token) > FRESH_MS)
          if (staleTokens.length > 0) yield* renewPrices(chainId, staleTokens)
        }
        // Prices that are too old are omitted. With an old price the paymaster could charge too little for the gas.
        return tokens.flatMap((address) => {
          const price = age(address) > USABLE_MS ? null : cachedPrices.get(`${chainId}:${address}`)?.price
          return price == null ? [] : [[tokenKey({ chainId, address }), price] as const]
        })
      })

      const bitcoinFeed = bitcoinFeeds.find(({ chainId }) => isServed(chainId))

      const readBitcoinPrice = Effect.gen(function* () {
        if (bitcoinFeed === undefined) return []
        const bitcoinPrices = yield* chainPricesOf(bitcoinFeed.chainId, [bitcoinFeed.token]).pipe(
          Effect.timeoutOrElse({ duration: BITCOIN_PATIENCE, orElse: () => Effect.succeed([]) })
        )
        return bitcoinPrices.flatMap(([, { source, usd }]) =>
          source === "FEED" ? [[tokenKey(bitcoinToken), reportedPrice(usd)] as const] : []
        )
      })

      return TokenPrices.of({
        findPrices: Effect.fn("ChainTokenPrices.known")(function* (tokens) {
          const byChain = Map.groupBy(tokens, ({ chainId }) => chainId)
          const pricesByChain = yield* Effect.forEach(
            byChain,
            ([chainId, refs]) =>
              isEvmChainId(chainId)
                ? chainPricesOf(
                    chainId,
                    refs.map(({ address }) => address)
                  )
                : readBitcoinPrice,
            { concurrency: "unbounded" }
          )
          return new Map(pricesByChain.flat())
        })
      })
    })
  )
