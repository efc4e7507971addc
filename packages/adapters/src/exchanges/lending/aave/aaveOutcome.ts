import type { Address } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import type { LendingFigures, LendingLegs, LendingTerms } from "@countersign/core/trading/lending"
import type { PublicClient } from "viem"
import { type AaveV3Deployment, lendingOf } from "../../../chains/deployments/index.ts"
import { balanceRead, type ContractRead, decodeResults, requireResult } from "../reads.ts"
import { runAs } from "../runAs.ts"
import { aaveFigures, type Collateral, liquidationPrice, valueUsd8RoundingDown } from "./aaveFigures.ts"
import { accountDataRead, pricesRead, type ReserveData, reserveDataRead, userWordRead } from "./aaveReads.ts"
import type { Reserve } from "./Reserve.ts"
import { reserveConfiguration, userReserves } from "./reserveConfiguration.ts"

/** Builds the reads before and after the calls of a lending request. */
const figureReads = (
  { oracle, pool }: AaveV3Deployment,
  account: Address,
  candidates: ReadonlyArray<Reserve>,
  legs: LendingLegs
) => {
  const supplyLeg = legs.supply ?? legs.withdraw
  const debtLeg = legs.borrow ?? legs.repay
  const candidateReads: Record<string, ContractRead<unknown>> = Object.fromEntries(
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
    ...(supplyLeg === undefined ? {} : { supplied: reserveDataRead(pool, supplyLeg.token.address) }),
    ...(debtLeg === undefined ? {} : { borrowed: reserveDataRead(pool, debtLeg.token.address) }),
    ...candidateReads
  }
}

const figuresOf = (
  responses: ReturnType<typeof decodeResults<ReturnType<typeof figureReads>>>,
  candidates: ReadonlyArray<Reserve>,
  legs: LendingLegs,
  isInEMode: boolean
): LendingFigures => {
  const responsesByName: Readonly<Record<string, unknown>> = responses
  const account = requireResult(responses.account, "Aave's account data")
  const { collateralIds } = userReserves(requireResult(responses.userWord, "Aave's user configuration"))
  const prices = requireResult(responses.prices, "Aave's prices")
  const collaterals = candidates.flatMap((reserve, i): ReadonlyArray<Collateral> => {
    const balance = requireResult(responsesByName[`balance ${reserve.asset}`] as bigint | null, "a balance in Aave")
    const data = requireResult(responsesByName[`data ${reserve.asset}`] as ReserveData | null, "a reserve of Aave")
    if (!collateralIds.includes(reserve.id) || balance === 0n) return []
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
  const preferredToken = (legs.supply ?? legs.withdraw)?.token.address ?? null
  return aaveFigures(
    account,
    liquidationPrice(collaterals, account, preferredToken, isInEMode),
    responses.supplied ?? null,
    responses.borrowed ?? null
  )
}

/** Simulates the calls between two reads of the figures, in one `eth_call`. */
export const outcomeOf = async (
  client: PublicClient,
  { account, chainId, legs }: LendingTerms,
  candidates: ReadonlyArray<Reserve>,
  isInEMode: boolean,
  calls: ReadonlyArray<Call>
) => {
  const reads = figureReads(lendingOf(chainId).aaveV3, account, candidates, legs)
  const readCalls = Object.values(reads)
  const results = await runAs(client, chainId, account, [
    ...readCalls,
    ...calls.map(({ data, to, value }) => ({ target: to, callData: data, value })),
    ...readCalls
  ])
  const figures = (from: number) =>
    figuresOf(decodeResults(reads, results.slice(from, from + readCalls.length)), candidates, legs, isInEMode)
  const allSucceeded = results
    .slice(readCalls.length, readCalls.length + calls.length)
    .every((result) => result !== null)
  return { before: figures(0), after: allSucceeded ? figures(readCalls.length + calls.length) : null }
}
