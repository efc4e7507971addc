import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import type { ConcentratedPool } from "@countersign/core/liquidity"
import { type Address, isNativeCoin, NATIVE_COIN } from "@countersign/core/primitives"
import { TokenPrices, tokenKey, type UsdPriceE18 } from "@countersign/core/tokens"
import { Clock, Effect, Layer, Scope } from "effect"
import { type ChainDeployment, deploymentOf } from "../deployments/index.ts"
import { PoolReader } from "../pools/index.ts"
import { type Anchor, depthUsdE18, usdAtMiddlePrice } from "./poolPrice.ts"

/** A price this old is used, and renewed in the background. */
const FRESH_MS = 15_000
/** A price older than this is not used: the request waits for a new one. */
const USABLE_MS = 300_000

const ONE_USD_E18 = 10n ** 18n
const DOLLAR_SYMBOLS = new Set(["USDC", "USDT", "DAI", "XDAI", "WXDAI"])

const dollarAnchors = ({ tokens }: ChainDeployment): ReadonlyArray<Anchor> =>
  tokens
    .filter(({ symbol }) => DOLLAR_SYMBOLS.has(symbol.toUpperCase()))
    .map(({ address, decimals }) => ({ address, decimals, usdE18: ONE_USD_E18 }))

const priceIn = (
  pools: ReadonlyArray<ConcentratedPool>,
  token: Address,
  decimals: number,
  anchors: ReadonlyArray<Anchor>
): UsdPriceE18 | null => {
  let deepest: { readonly depth: bigint; readonly price: bigint } | null = null
  for (const anchor of anchors) {
    for (const pool of pools) {
      const fits =
        (pool.token0 === token && pool.token1 === anchor.address) ||
        (pool.token1 === token && pool.token0 === anchor.address)
      if (!fits) continue
      const depth = depthUsdE18(pool, anchor)
      if (depth > 0n && (deepest === null || depth > deepest.depth)) {
        deepest = { depth, price: usdAtMiddlePrice(pool, decimals, anchor) }
      }
    }
  }
  return deepest?.price ?? null
}

interface CachedPrice {
  readonly at: number
  readonly price: UsdPriceE18 | null
}

/** Prices of the deepest Uniswap V3 pool against a dollar token, or against the wrapped coin. Dollar tokens are one dollar. */
export const layer = Layer.effect(
  TokenPrices,
  Effect.gen(function* () {
    const reader = yield* PoolReader
    const scope = yield* Scope.Scope
    const cachedPrices = new Map<string, CachedPrice>()
    const keysInRenewal = new Set<string>()

    const ask = Effect.fnUntraced(function* (chainId: EvmChainId, tokens: ReadonlyArray<Address>) {
      const deployment = deploymentOf(chainId)
      const { wrappedNative } = deployment
      const dollars = dollarAnchors(deployment)
      const poolTokens = tokens.map((token) => (isNativeCoin(token) ? wrappedNative.address : token))
      const pairs = [...new Set([...poolTokens, wrappedNative.address])].flatMap((token) =>
        [...dollars.map(({ address }) => address), wrappedNative.address]
          .filter((anchor) => anchor !== token)
          .map((anchor) => [token, anchor] as const)
      )
      const keys = new Map(
        pairs
          .flatMap(([a, b]) => reader.keys(chainId, a, b))
          .filter(({ _tag }) => _tag === "V3")
          .map((key) => [key.id, key] as const)
      )
      const snapshot = yield* reader.read(chainId, [...keys.values()])
      const pools = snapshot.pools.filter((pool) => pool._tag === "Concentrated")
      const dollarPrice = (token: Address) => dollars.find(({ address }) => address === token)?.usdE18 ?? null
      const coin =
        dollarPrice(wrappedNative.address) ?? priceIn(pools, wrappedNative.address, wrappedNative.decimals, dollars)
      const anchors =
        coin === null
          ? dollars
          : [...dollars, { address: wrappedNative.address, decimals: wrappedNative.decimals, usdE18: coin }]
      const now = yield* Clock.currentTimeMillis
      for (const token of tokens) {
        const address = isNativeCoin(token) ? wrappedNative.address : token
        const decimals = deployment.tokens.find((listed) => listed.address === address)?.decimals
        const price =
          address === wrappedNative.address
            ? coin
            : (dollarPrice(address) ?? (decimals === undefined ? null : priceIn(pools, address, decimals, anchors)))
        cachedPrices.set(`${chainId}:${token}`, { at: now, price })
      }
    })

    const askQuietly = (chainId: EvmChainId, tokens: ReadonlyArray<Address>) =>
      Effect.catchTag(ask(chainId, tokens), "UPSTREAM_UNAVAILABLE", (error) =>
        Effect.logWarning("token prices could not be read", { reason: error.message })
      )

    const renew = (chainId: EvmChainId, tokens: ReadonlyArray<Address>) => {
      const keys = tokens.map((token) => `${chainId}:${token}`).filter((key) => !keysInRenewal.has(key))
      if (keys.length === 0) return Effect.void
      for (const key of keys) keysInRenewal.add(key)
      return askQuietly(chainId, tokens).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            for (const key of keys) keysInRenewal.delete(key)
          })
        ),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    }

    const ofChain = Effect.fnUntraced(function* (chainId: EvmChainId, tokens: ReadonlyArray<Address>) {
      const requestedTokens = [...new Set([...tokens, NATIVE_COIN])]
      const now = yield* Clock.currentTimeMillis
      const age = (token: Address) => now - (cachedPrices.get(`${chainId}:${token}`)?.at ?? Number.NEGATIVE_INFINITY)
      const unusableTokens = requestedTokens.filter((token) => age(token) > USABLE_MS)
      if (unusableTokens.length > 0) yield* askQuietly(chainId, requestedTokens)
      else {
        const staleTokens = requestedTokens.filter((token) => age(token) > FRESH_MS)
        if (staleTokens.length > 0) yield* renew(chainId, staleTokens)
      }
      return tokens.flatMap((address) => {
        const price = cachedPrices.get(`${chainId}:${address}`)?.price
        return price == null ? [] : [[tokenKey({ chainId, address }), price] as const]
      })
    })

    return TokenPrices.of({
      usd: Effect.fn("PoolTokenPrices.usd")(function* (tokens) {
        const byChain = Map.groupBy(tokens, ({ chainId }) => chainId)
        const pricesByChain = yield* Effect.forEach(
          byChain,
          ([chainId, refs]) =>
            isEvmChainId(chainId)
              ? ofChain(
                  chainId,
                  refs.map(({ address }) => address)
                )
              : Effect.succeed([]),
          { concurrency: "unbounded" }
        )
        return new Map(pricesByChain.flat())
      })
    })
  })
)
