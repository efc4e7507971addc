import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { coinGeckoIdOrNull, coinGeckoPlatforms } from "../../src/tokens/market-data/index.ts"
import { sandboxTokens } from "../deployment/market.ts"

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** Prices of coins without a contract on a sandbox chain, in millionths of a US dollar. */
const coins: Readonly<Record<string, bigint>> = {
  bitcoin: 95_000_000_000n,
  ethereum: 3_000_000_000n,
  binancecoin: 600_000_000n,
  xdai: 1_000_000n,
  "polygon-ecosystem-token": 400_000n,
  okb: 100_000_000n,
  "avalanche-2": 30_000_000n
}

const tokensOf = (chainId: EvmChainId) =>
  sandboxTokens(chainId).map((token): readonly [string, bigint] => {
    const id = coinGeckoIdOrNull(token)
    return [id ?? `${coinGeckoPlatforms[chainId]}:${token.address}`, token.priceUsd8 / 100n]
  })

const basePricesE6 = new Map([...evmChainIds.flatMap(tokensOf), ...Object.entries(coins)])

/** Returns a triangle wave between 0 and `height`. */
const triangleWave = (step: number, period: number, height: number): number => {
  const phase = step % period
  return Math.floor((Math.min(phase, period - phase) * 2 * height) / period)
}

const phaseOf = (coin: string): number => [...coin].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 0)

/**
 * Returns the sandbox's price of a coin, by CoinGecko id or as `platform:contract`, in millionths of a US dollar. The
 * price is close to the pools' price, and up to 10 % lower at some hours. It is constant within an hour. The price of
 * US dollar stablecoins is constant. Null for an unknown coin.
 */
export const sandboxPriceE6 = (coin: string, atMs: number): bigint | null => {
  const basePriceE6 = basePricesE6.get(coin)
  if (basePriceE6 === undefined || basePriceE6 === 1_000_000n) return basePriceE6 ?? null
  const hour = Math.floor(atMs / HOUR_MS) + phaseOf(coin)
  const discount = triangleWave(hour, 30 * DAY_HOURS, 900) + triangleWave(hour, DAY_HOURS, 100)
  return (basePriceE6 * BigInt(10_000 - discount)) / 10_000n
}
