import { type MarketSourceSettings, makeSource } from "@countersign/adapters/tokens/market-data"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { decimalFromPrice, tokenKey } from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

const titles: Record<MarketSourceSettings["_tag"], string> = { CoinGecko: "CoinGecko", DefiLlama: "DefiLlama" }

/** The check queries the price of bitcoin, because every source has it. */
const bitcoin = { chainId: 0, address: NATIVE_TOKEN } as const

interface MarketSourceState {
  readonly title: string
  /** US dollars per bitcoin; null if the response contains no price. */
  readonly usd: CheckResult<string | null>
}

export const observeMarketData = ({ settings }: Configuration, deadlineMs: number) =>
  Effect.forEach(
    settings.marketData ?? [],
    (source) =>
      Effect.map(
        observe(
          Effect.gen(function* () {
            const { prices } = yield* makeSource(source)
            const price = (yield* prices([bitcoin])).get(tokenKey(bitcoin))
            return price === undefined ? null : decimalFromPrice(price.usd)
          }),
          deadlineMs
        ),
        (usd): MarketSourceState => ({ title: titles[source._tag], usd })
      ),
    { concurrency: "unbounded" }
  )

/** Reports whether each market data source responds. */
export const diagnoseMarketData = (states: ReadonlyArray<MarketSourceState>): ReadonlyArray<Finding> =>
  states.map(({ title, usd }) => {
    if (usd._tag === "Seen" && usd.value !== null)
      return ok(title, `responds; the price of 1 BTC is ${usd.value} US dollars`)
    const reason = usd._tag === "Seen" ? "responds, but returns no price of bitcoin" : `does not respond: ${usd.reason}`
    return waiting(title, reason, {
      waitsFor: `a price from ${title}`,
      byItself:
        "The service uses another configured source. Historical prices, and values in other currencies, may be missing until this source responds. Quotes and gas do not need it.",
      whatToDo:
        "Check the API key and plan (COINGECKO_API_KEY, COINGECKO_PLAN), and that this machine can reach the source."
    })
  })
