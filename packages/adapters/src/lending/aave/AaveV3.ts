import { chainOf, type EvmChainId } from "@countersign/core/chains"
import { BadRequest } from "@countersign/core/errors"
import {
  type LendingFigures,
  type LendingLegs,
  type LendingMarket,
  type LendingMarketInfo,
  type LendingOffer,
  type LendingOrder,
  type LendingPosition,
  lendingActions
} from "@countersign/core/lending"
import type { Address } from "@countersign/core/primitives"
import type { Call } from "@countersign/core/user-operations"
import { Cache, Effect } from "effect"
import type { PublicClient } from "viem"
import { deploymentOf, lendingOf } from "../../deployments/index.ts"
import { RpcClients } from "../../evm/index.ts"
import { debtAfterRoundingUp } from "../debt.ts"
import { answersOf, balanceRead, type Read, readEach, readNamed, required, totalSupplyRead } from "../reads.ts"
import { runAs } from "../runAs.ts"
import { aaveCalls } from "./aaveCalls.ts"
import { aaveFigures, type Collateral, healthFactorOf, liquidationPrice, valueUsd8RoundingDown } from "./aaveFigures.ts"
import { aaveLiquidations } from "./aaveLiquidations.ts"
import { aaveObstacles } from "./aaveObstacles.ts"
import { accountDataRead, pricesRead, type ReserveData, reserveDataRead, userWordRead } from "./aaveReads.ts"
import { type AaveState, readAaveState } from "./aaveState.ts"
import { type Reserve, readReserves } from "./Reserve.ts"
import { reserveConfiguration, userReserves } from "./reserveConfiguration.ts"

const RAY_TO_E18 = 10n ** 9n
const BPS_TO_E18 = 10n ** 14n

/** Reserves are added now and then, and never take another's place. */
const RESERVES_FOR = "10 minutes"

/** The legs whose token has no reserve. */
const unlisted = ({ chainId, legs }: LendingOrder, reserves: ReadonlyArray<Reserve>): BadRequest | null => {
  const [first, ...others] = lendingActions.flatMap((action) => {
    const leg = legs[action]
    if (leg === undefined || reserves.some(({ asset }) => asset === leg.token.address)) return []
    return [
      {
        path: `${action}.tokenAddress`,
        code: "no_market",
        message: `Aave V3 on ${chainOf(chainId).name} has no market for ${leg.token.symbol}. It has ${symbolsOf(chainId, reserves)}.`
      }
    ]
  })
  return first === undefined ? null : new BadRequest({ problems: [first, ...others] })
}

/** In words, of tokens that the service lists. */
const symbolsOf = (chainId: EvmChainId, reserves: ReadonlyArray<Reserve>): string =>
  deploymentOf(chainId)
    .tokens.filter(({ address }) => reserves.some(({ asset }) => asset === address))
    .map(({ symbol }) => symbol)
    .join(", ")

/** What is read before and after the calls of an order. */
const figureReads = (
  { oracle, pool }: ReturnType<typeof lendingOf>["aaveV3"],
  account: Address,
  candidates: ReadonlyArray<Reserve>,
  legs: LendingLegs
) => {
  const supplied = legs.supply ?? legs.withdraw
  const borrowed = legs.borrow ?? legs.repay
  const candidateReads: Record<string, Read<unknown>> = Object.fromEntries(
    candidates.flatMap(({ aToken, asset }) => [
      [`data ${asset}`, reserveDataRead(pool, asset)],
      [`balance ${asset}`, balanceRead(aToken, account)]
    ])
  )
  return {
    account: accountDataRead(pool, account),
    userWord: userWordRead("getUserConfiguration", pool, account),
    prices: pricesRead(
      oracle,
      candidates.map(({ asset }) => asset)
    ),
    ...(supplied === undefined ? {} : { supplied: reserveDataRead(pool, supplied.token.address) }),
    ...(borrowed === undefined ? {} : { borrowed: reserveDataRead(pool, borrowed.token.address) }),
    ...candidateReads
  }
}

const figuresOf = (
  answers: ReturnType<typeof answersOf<ReturnType<typeof figureReads>>>,
  candidates: ReadonlyArray<Reserve>,
  legs: LendingLegs,
  isInEMode: boolean
): LendingFigures => {
  const named: Readonly<Record<string, unknown>> = answers
  const account = required(answers.account, "Aave's account data")
  const { collateral } = userReserves(required(answers.userWord, "Aave's user configuration"))
  const prices = required(answers.prices, "Aave's prices")
  const collaterals = candidates.flatMap((reserve, i): ReadonlyArray<Collateral> => {
    const balance = required(named[`balance ${reserve.asset}`] as bigint | null, "a balance in Aave")
    const data = required(named[`data ${reserve.asset}`] as ReserveData | null, "a reserve of Aave")
    if (!collateral.includes(reserve.id) || balance === 0n) return []
    const priceUsd8 = prices[i] ?? 0n
    return [
      {
        asset: reserve.asset,
        priceUsd8,
        valueUsd8: valueUsd8RoundingDown(balance, reserve, priceUsd8),
        liquidationThreshold: reserveConfiguration(data.configuration).liquidationThreshold
      }
    ]
  })
  const preferred = (legs.supply ?? legs.withdraw)?.token.address ?? null
  return aaveFigures(
    account,
    liquidationPrice(collaterals, account, preferred, isInEMode),
    answers.supplied ?? null,
    answers.borrowed ?? null
  )
}

/** Runs the calls between two reads of the figures, all in one `eth_call`. */
const outcomeOf = async (
  client: PublicClient,
  { account, chainId, legs }: LendingOrder,
  candidates: ReadonlyArray<Reserve>,
  isInEMode: boolean,
  calls: ReadonlyArray<Call>
) => {
  const reads = figureReads(lendingOf(chainId).aaveV3, account, candidates, legs)
  const readCalls = Object.values(reads)
  const results = await runAs(client, chainId, account, [
    ...readCalls,
    ...calls.map(({ data, to }) => ({ target: to, callData: data as `0x${string}` })),
    ...readCalls
  ])
  const figures = (from: number) =>
    figuresOf(answersOf(reads, results.slice(from, from + readCalls.length)), candidates, legs, isInEMode)
  const succeeded = results.slice(readCalls.length, readCalls.length + calls.length).every((result) => result !== null)
  return { before: figures(0), after: succeeded ? figures(readCalls.length + calls.length) : null }
}

/** Every reserve that may be the wallet's collateral after the legs. */
const collateralCandidates = ({ userWord }: AaveState, legs: LendingLegs, reserves: ReadonlyArray<Reserve>) => {
  const { collateral } = userReserves(userWord)
  return reserves.filter(({ asset, id }) => collateral.includes(id) || asset === legs.supply?.token.address)
}

const offerOf = (
  rpc: RpcClients["Service"],
  order: LendingOrder,
  state: AaveState,
  reserves: ReadonlyArray<Reserve>
): LendingOffer => {
  const { account, chainId, legs } = order
  const { pool } = lendingOf(chainId).aaveV3
  const candidates = collateralCandidates(state, legs, reserves)
  const { repay, supply, withdraw } = state.legs
  return {
    marketId: null,
    side: "COLLATERAL",
    contract: pool,
    receiptToken: (supply ?? withdraw)?.reserve.aToken ?? null,
    amountOf: (action) => {
      const amount = legs[action]?.amount ?? 0n
      if (amount !== "MAX") return amount
      return (action === "repay" ? repay?.debt : withdraw?.supplied) ?? 0n
    },
    debtAtRoundingUp: (unixSeconds) =>
      repay === undefined
        ? 0n
        : debtAfterRoundingUp(
            repay.debt,
            repay.data.currentVariableBorrowRate / RAY_TO_E18,
            unixSeconds - state.timestamp
          ),
    calls: (planned) =>
      aaveCalls(planned, { pool, account, allowanceOf: (action) => state.legs[action]?.allowance ?? 0n }),
    outcome: (calls) => rpc.call(chainId, (client) => outcomeOf(client, order, candidates, state.isInEMode, calls)),
    obstacles: (planned) => aaveObstacles(planned, state)
  }
}

const capOrNull = (cap: bigint, decimals: number): bigint | null => (cap === 0n ? null : cap * 10n ** BigInt(decimals))

const readMarkets = async (
  client: PublicClient,
  chainId: EvmChainId,
  reserves: ReadonlyArray<Reserve>
): Promise<ReadonlyArray<LendingMarketInfo>> => {
  const { pool } = lendingOf(chainId).aaveV3
  const reads: ReadonlyArray<Read<unknown>> = reserves.flatMap(({ aToken, asset, debtToken }) => [
    reserveDataRead(pool, asset),
    totalSupplyRead(aToken),
    totalSupplyRead(debtToken),
    balanceRead(asset, aToken)
  ])
  const { answers } = await readEach(client, chainId, reads)
  return reserves.map(({ asset, decimals }, i): LendingMarketInfo => {
    const data = required((answers[4 * i] ?? null) as ReserveData | null, "a reserve of Aave")
    const amount = (place: number) => required((answers[4 * i + place] ?? null) as bigint | null, "a total of Aave")
    const configuration = reserveConfiguration(data.configuration)
    const isOpen = configuration.isActive && !configuration.isFrozen && !configuration.isPaused
    return {
      marketId: null,
      loanToken: asset,
      collateralToken: configuration.liquidationThreshold === 0n ? null : asset,
      ltvE18: configuration.ltv * BPS_TO_E18,
      liquidationThresholdE18: configuration.liquidationThreshold * BPS_TO_E18,
      supplyRateE18: data.currentLiquidityRate / RAY_TO_E18,
      borrowRateE18: data.currentVariableBorrowRate / RAY_TO_E18,
      supplied: amount(1),
      borrowed: amount(2),
      available: amount(3),
      supplyCap: capOrNull(configuration.supplyCap, decimals),
      borrowCap: capOrNull(configuration.borrowCap, decimals),
      canSupply: isOpen,
      canBorrow: isOpen && configuration.canBorrow
    }
  })
}

const readPositions = async (
  client: PublicClient,
  chainId: EvmChainId,
  account: Address,
  reserves: ReadonlyArray<Reserve>
): Promise<ReadonlyArray<LendingPosition>> => {
  const { pool } = lendingOf(chainId).aaveV3
  const balances: Record<string, Read<bigint>> = Object.fromEntries(
    reserves.flatMap(({ aToken, asset, debtToken }) => [
      [`supplied ${asset}`, balanceRead(aToken, account)],
      [`debt ${asset}`, balanceRead(debtToken, account)]
    ])
  )
  const { answers } = await readNamed(client, chainId, {
    ...balances,
    account: accountDataRead(pool, account),
    userWord: userWordRead("getUserConfiguration", pool, account)
  })
  const named: Readonly<Record<string, unknown>> = answers
  const { collateral } = userReserves(required(answers.userWord, "Aave's user configuration"))
  const healthFactorE18 = healthFactorOf(required(answers.account, "Aave's account data"))
  const shared = { marketId: null, healthFactorE18 }
  return reserves.flatMap(({ asset, id }): ReadonlyArray<LendingPosition> => {
    const amount = (name: string) => required(named[`${name} ${asset}`] as bigint | null, "a balance in Aave")
    const [supplied, debt] = [amount("supplied"), amount("debt")]
    const isCollateral = collateral.includes(id)
    return [
      ...(supplied === 0n
        ? []
        : [{ ...shared, type: "supply" as const, token: asset, amount: supplied, isCollateral }]),
      ...(debt === 0n ? [] : [{ ...shared, type: "borrow" as const, token: asset, amount: debt, isCollateral: false }])
    ]
  })
}

/** Aave V3's main market of each chain. */
export const make: Effect.Effect<LendingMarket, never, RpcClients> = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const reserveCache = yield* Cache.make({
    capacity: 16,
    timeToLive: RESERVES_FOR,
    lookup: (chainId: EvmChainId) =>
      rpc.call(chainId, (client) => readReserves(client, chainId, lendingOf(chainId).aaveV3))
  })
  const reservesOf = (chainId: EvmChainId) =>
    // What failed is asked for again.
    Effect.tapError(Cache.get(reserveCache, chainId), () => Cache.invalidate(reserveCache, chainId))
  const market: LendingMarket = {
    id: "LENDING_PROVIDER_A",
    name: "Aave V3",
    serves: () => true,
    offer: Effect.fn("AaveV3.offer")(function* (order) {
      const { account, chainId, legs } = order
      const reserves = yield* reservesOf(chainId)
      const refusal = unlisted(order, reserves)
      if (refusal !== null) return yield* refusal
      const { aaveV3 } = lendingOf(chainId)
      const state = yield* rpc.call(chainId, (client) =>
        readAaveState(client, chainId, aaveV3, account, legs, reserves)
      )
      return offerOf(rpc, order, state, reserves)
    }),
    markets: Effect.fn("AaveV3.markets")(function* (chainId) {
      const reserves = yield* reservesOf(chainId)
      return yield* rpc.call(chainId, (client) => readMarkets(client, chainId, reserves))
    }),
    positions: Effect.fn("AaveV3.positions")(function* (chainId, account) {
      const reserves = yield* reservesOf(chainId)
      return yield* rpc.call(chainId, (client) => readPositions(client, chainId, account, reserves))
    }),
    liquidations: (search) => aaveLiquidations(rpc, search)
  }
  return market
})
