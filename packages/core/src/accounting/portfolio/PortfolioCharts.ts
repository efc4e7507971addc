import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { BitcoinChain } from "../../bitcoin/chain/index.ts"
import type { EvmChainId, UnreadChain } from "../../foundation/chains/index.ts"
import { Address, type WalletAddress } from "../../foundation/primitives/index.ts"
import { type Token, type TokenCatalog, type TokenPrices, tokenKey } from "../../foundation/tokens/index.ts"
import type { ChainReader } from "../../operations/user-operations/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { HistoryStore } from "../history/index.ts"
import { type MarketData, type PastPrices, readDisplayPrices } from "../market-data/index.ts"
import { balancesOf } from "./balances.ts"
import { bitcoinHoldings } from "./bitcoinHoldings.ts"
import { type ChartedToken, type ChartPoint, unitsAt, valuesAt } from "./chartPoints.ts"
import { chartTimes } from "./chartTimes.ts"
import { type MovedToken, movedTokens } from "./movedTokens.ts"
import { pricesWithTimeout } from "./pricesWithTimeout.ts"
import { rangeStart, type TimeRange } from "./TimeRange.ts"

export interface PortfolioChart {
  readonly asOf: DateTime.Utc
  readonly points: ReadonlyArray<ChartPoint>
  /**
   * Tokens without a price at one of the times at which the wallet held them. The chart's values do not include them.
   */
  readonly omitted: ReadonlyArray<Token>
  /** Chains that did not respond. The chart's values do not include their tokens. */
  readonly unread: ReadonlyArray<UnreadChain>
}

const DAY_MS = 86_400_000

const isEvmAddress = Schema.is(Address)

/** Returns the start of a chart over all time: the time of the first movement, but at least one day ago. */
const firstMovementMs = (tokens: ReadonlyArray<MovedToken>, nowMs: number): number =>
  Math.min(nowMs - DAY_MS, ...tokens.map(({ movements }) => movements[0]?.atMs ?? nowMs))

/** Charts of a wallet's value over time. */
export class PortfolioCharts extends Context.Service<
  PortfolioCharts,
  {
    /**
     * Computes a chart from current on-chain balances, the project's recorded movements and past prices. The past
     * prices of a token are requested for all times in one request.
     */
    readonly show: (
      projectId: ProjectId,
      walletAddress: WalletAddress,
      timeRange: TimeRange
    ) => Effect.Effect<PortfolioChart>
  }
>()("@countersign/core/portfolio/PortfolioCharts") {
  static readonly layer = (settings: { readonly chainIds: () => ReadonlyArray<EvmChainId> }) =>
    Layer.effect(
      PortfolioCharts,
      Effect.gen(function* () {
        const ports = yield* Effect.context<
          BitcoinChain | ChainReader | HistoryStore | MarketData | PastPrices | TokenCatalog | TokenPrices
        >()

        const holdingsOf = (address: WalletAddress) =>
          isEvmAddress(address) ? balancesOf(address, settings.chainIds()) : bitcoinHoldings(address)

        /** Returns the tokens that the wallet holds or has moved. Omits those on chains that did not respond. */
        const chartedTokens = (
          { results: holdings, unread }: Effect.Success<ReturnType<typeof holdingsOf>>,
          movedTokenList: ReadonlyArray<MovedToken>
        ): ReadonlyArray<ChartedToken> => {
          const movementsByToken = new Map(movedTokenList.map(({ movements, token }) => [tokenKey(token), movements]))
          const heldTokens = new Set(holdings.map(({ token }) => tokenKey(token)))
          const unreadIds = new Set<number>(unread.map(({ chainId }) => chainId))
          return [
            ...holdings.map(({ token, units }) => ({
              token,
              units,
              movements: movementsByToken.get(tokenKey(token)) ?? []
            })),
            ...movedTokenList
              .filter(({ token }) => !heldTokens.has(tokenKey(token)) && !unreadIds.has(token.chainId))
              .map(({ movements, token }) => ({ token, units: 0n, movements }))
          ]
        }

        const computeChart = Effect.fnUntraced(function* (
          tokens: ReadonlyArray<ChartedToken>,
          times: ReadonlyArray<number>
        ) {
          // The last time is the current time, for which the current price is used.
          const pastTimes = times.slice(0, -1)
          const amounts = tokens.map((token) => unitsAt(token, times))
          const priceRequests = tokens.map(({ token }, i) => ({
            token,
            atsMs: pastTimes.filter((_, k) => amounts[i]![k] !== 0n)
          }))
          const [pastPrices, currentPrices] = yield* Effect.all(
            [
              pricesWithTimeout(
                priceRequests
                  .filter(({ atsMs }) => atsMs.length > 0)
                  .map(({ atsMs, token }) => ({ token, ats: atsMs.map((ms) => DateTime.makeUnsafe(ms)) }))
              ),
              readDisplayPrices(tokens.map(({ token }) => token))
            ],
            { concurrency: 2 }
          )
          const values = tokens.map(({ token }, i) => {
            const tokenPrices = pastPrices.get(tokenKey(token)) ?? []
            const byTime = new Map(priceRequests[i]!.atsMs.map((ms, k) => [ms, tokenPrices[k] ?? null]))
            const currentPrice = currentPrices.get(tokenKey(token))?.usd ?? null
            return valuesAt(token, amounts[i]!, [...pastTimes.map((ms) => byTime.get(ms) ?? null), currentPrice])
          })
          const knownValues = values.filter((each) => each !== null)
          const isUnknown = knownValues.length === 0 && tokens.length > 0
          return {
            points: times.map(
              (atMs, k): ChartPoint => ({
                atMs,
                valueE6: isUnknown ? null : knownValues.reduce((sum, each) => sum + each[k]!, 0n)
              })
            ),
            omitted: tokens.flatMap(({ token }, i) => (values[i] === null ? [token] : []))
          }
        })

        return PortfolioCharts.of({
          show: Effect.fn("PortfolioCharts.show")(function* (projectId, walletAddress, timeRange) {
            const asOf = yield* DateTime.now
            const nowMs = DateTime.toEpochMillis(asOf)
            return yield* Effect.gen(function* () {
              const [balances, movedTokenList] = yield* Effect.all(
                [holdingsOf(walletAddress), movedTokens(projectId, walletAddress)],
                { concurrency: 2 }
              )
              const fromMs = timeRange === "all" ? firstMovementMs(movedTokenList, nowMs) : rangeStart(timeRange, nowMs)
              const { omitted, points } = yield* computeChart(
                chartedTokens(balances, movedTokenList),
                chartTimes(fromMs, nowMs)
              )
              return { asOf, points, omitted, unread: balances.unread }
            }).pipe(Effect.provideContext(ports))
          })
        })
      })
    )
}
