import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { coinGeckoIdOrNull, coinGeckoPlatforms } from "../../src/tokens/market-data/index.ts"
import { sandboxTokens } from "../deployment/market.ts"

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** Millionths of a US dollar for a whole coin that no contract of a sandbox is. */
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

const usualE6 = new Map([...evmChainIds.flatMap(tokensOf), ...Object.entries(coins)])

/** Between 0 and `height`, up and down again. */
const wave = (step: number, period: number, height: number): number => {
  const place = step % period
  return Math.floor((Math.min(place, period - place) * 2 * height) / period)
}

const phaseOf = (coin: string): number => [...coin].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 0)

/**
 * The sandbox's price of a coin, by its id or as `platform:contract`, in millionths of a US dollar: near the one of its pools, and
 * up to a tenth below at other times, by the hour. The same for ever. Dollar tokens keep theirs. Null for a coin that it has not.
 */
export const sandboxPriceE6 = (coin: string, atMs: number): bigint | null => {
  const usual = usualE6.get(coin)
  if (usual === undefined || usual === 1_000_000n) return usual ?? null
  const hour = Math.floor(atMs / HOUR_MS) + phaseOf(coin)
  const below = wave(hour, 30 * DAY_HOURS, 900) + wave(hour, DAY_HOURS, 100)
  return (usual * BigInt(10_000 - below)) / 10_000n
}
