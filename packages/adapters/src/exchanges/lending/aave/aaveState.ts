import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { type LendingAction, type LendingLegs, lendingActions } from "@countersign/core/trading/lending"
import type { PublicClient } from "viem"
import type { AaveV3Deployment } from "../../../chains/deployments/index.ts"
import { allowanceRead, balanceRead, type ContractRead, readByName, requireResult, totalSupplyRead } from "../reads.ts"
import { accountDataRead, pricesRead, type ReserveData, reserveDataRead, userWordRead } from "./aaveReads.ts"
import { type Reserve, reserveOf } from "./Reserve.ts"
import { type ReserveConfiguration, reserveConfiguration } from "./reserveConfiguration.ts"

/** The reserve of a leg, and the wallet's state in the reserve. Amounts are in base units of the reserve's token. */
export interface LegState {
  readonly reserve: Reserve
  readonly data: ReserveData
  readonly configuration: ReserveConfiguration
  readonly supplied: bigint
  readonly debt: bigint
  /** Totals of all users of the market. */
  readonly totalSupplied: bigint
  readonly totalDebt: bigint
  /** The amount that can be borrowed or withdrawn immediately. */
  readonly available: bigint
  readonly allowance: bigint
  readonly priceUsd8: bigint
}

/** The state that a lending request changes, read at one block. */
export interface AaveState {
  /** Unix seconds. */
  readonly timestamp: number
  readonly legs: { readonly [Action in LendingAction]?: LegState }
  readonly account: NonNullable<ReturnType<ReturnType<typeof accountDataRead>["decode"]>>
  /** The wallet's configuration word. */
  readonly userWord: bigint
  readonly isInEMode: boolean
}

const legReads = ({ pool }: AaveV3Deployment, account: Address, { aToken, asset, debtToken }: Reserve) => ({
  data: reserveDataRead(pool, asset),
  supplied: balanceRead(aToken, account),
  debt: balanceRead(debtToken, account),
  totalSupplied: totalSupplyRead(aToken),
  totalDebt: totalSupplyRead(debtToken),
  available: balanceRead(asset, aToken),
  allowance: allowanceRead(asset, account, pool)
})

const numberOf = (responses: Readonly<Record<string, unknown>>, name: string): bigint =>
  requireResult(responses[name] as bigint | null, `Aave's ${name}`)

/** Reads all state that a lending request needs, in one HTTP request. */
export const readAaveState = async (
  client: PublicClient,
  chainId: EvmChainId,
  deployment: AaveV3Deployment,
  account: Address,
  legs: LendingLegs,
  reserves: ReadonlyArray<Reserve>
): Promise<AaveState> => {
  const { oracle, pool } = deployment
  const requestedLegs = lendingActions.flatMap((action) => {
    const reserve = reserves.find(({ asset }) => asset === legs[action]?.token.address)
    return reserve === undefined ? [] : [{ action, reserve }]
  })
  const reads: Record<string, ContractRead<unknown>> = Object.fromEntries(
    requestedLegs.flatMap(({ action, reserve }) =>
      Object.entries(legReads(deployment, account, reserve)).map(([name, read]) => [`${action} ${name}`, read])
    )
  )
  const { decodedResults, timestamp } = await readByName(client, chainId, {
    ...reads,
    account: accountDataRead(pool, account),
    userWord: userWordRead("getUserConfiguration", pool, account),
    eMode: userWordRead("getUserEMode", pool, account),
    prices: pricesRead(
      oracle,
      requestedLegs.map(({ reserve }) => reserve.asset)
    )
  })
  const responsesByName: Readonly<Record<string, unknown>> = decodedResults
  const prices = requireResult(decodedResults.prices, "Aave's prices")
  return {
    timestamp,
    account: requireResult(decodedResults.account, "Aave's account data"),
    userWord: requireResult(decodedResults.userWord, "Aave's user configuration"),
    isInEMode: (decodedResults.eMode ?? 0n) !== 0n,
    legs: Object.fromEntries(
      requestedLegs.map(({ action, reserve }, i): readonly [LendingAction, LegState] => {
        const data = requireResult(responsesByName[`${action} data`] as ReserveData | null, "a reserve of Aave")
        const amount = (name: string) => numberOf(responsesByName, `${action} ${name}`)
        return [
          action,
          {
            reserve: reserveOf(reserve.asset, data),
            data,
            configuration: reserveConfiguration(data.configuration),
            supplied: amount("supplied"),
            debt: amount("debt"),
            totalSupplied: amount("totalSupplied"),
            totalDebt: amount("totalDebt"),
            available: amount("available"),
            allowance: amount("allowance"),
            priceUsd8: prices[i] ?? 0n
          }
        ]
      })
    )
  }
}
