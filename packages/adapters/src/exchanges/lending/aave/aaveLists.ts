import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { LendingMarketInfo, LendingPosition } from "@countersign/core/trading/lending"
import type { PublicClient } from "viem"
import { lendingOf } from "../../../chains/deployments/index.ts"
import { balanceRead, type ContractRead, readByName, readEach, requireResult, totalSupplyRead } from "../reads.ts"
import { healthFactorOf } from "./aaveFigures.ts"
import { accountDataRead, type ReserveData, reserveDataRead, userWordRead } from "./aaveReads.ts"
import type { Reserve } from "./Reserve.ts"
import { reserveConfiguration, userReserves } from "./reserveConfiguration.ts"

const RAY_TO_E18 = 10n ** 9n
const BPS_TO_E18 = 10n ** 14n

const capOrNull = (cap: bigint, decimals: number): bigint | null => (cap === 0n ? null : cap * 10n ** BigInt(decimals))

/** Reads all reserves as lending markets. */
export const readMarkets = async (
  client: PublicClient,
  chainId: EvmChainId,
  reserves: ReadonlyArray<Reserve>
): Promise<ReadonlyArray<LendingMarketInfo>> => {
  const { pool } = lendingOf(chainId).aaveV3
  const reads: ReadonlyArray<ContractRead<unknown>> = reserves.flatMap(({ aToken, asset, debtToken }) => [
    reserveDataRead(pool, asset),
    totalSupplyRead(aToken),
    totalSupplyRead(debtToken),
    balanceRead(asset, aToken)
  ])
  const { decodedResults } = await readEach(client, chainId, reads)
  return reserves.map(({ asset, decimals }, i): LendingMarketInfo => {
    const data = requireResult((decodedResults[4 * i] ?? null) as ReserveData | null, "a reserve of Aave")
    const amountAt = (offset: number) =>
      requireResult((decodedResults[4 * i + offset] ?? null) as bigint | null, "a total of Aave")
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
      supplied: amountAt(1),
      borrowed: amountAt(2),
      available: amountAt(3),
      supplyCap: capOrNull(configuration.supplyCap, decimals),
      borrowCap: capOrNull(configuration.borrowCap, decimals),
      canSupply: isOpen,
      canBorrow: isOpen && configuration.canBorrow
    }
  })
}

/** Reads an account's supplies and debts, by reserve. */
export const readPositions = async (
  client: PublicClient,
  chainId: EvmChainId,
  account: Address,
  reserves: ReadonlyArray<Reserve>
): Promise<ReadonlyArray<LendingPosition>> => {
  const { pool } = lendingOf(chainId).aaveV3
  const balances: Record<string, ContractRead<bigint>> = Object.fromEntries(
    reserves.flatMap(({ aToken, asset, debtToken }) => [
      [`supplied ${asset}`, balanceRead(aToken, account)],
      [`debt ${asset}`, balanceRead(debtToken, account)]
    ])
  )
  const { decodedResults } = await readByName(client, chainId, {
    ...balances,
    account: accountDataRead(pool, account),
    userWord: userWordRead("getUserConfiguration", pool, account)
  })
  const responsesByName: Readonly<Record<string, unknown>> = decodedResults
  const { collateralIds } = userReserves(requireResult(decodedResults.userWord, "Aave's user configuration"))
  const healthFactorE18 = healthFactorOf(requireResult(decodedResults.account, "Aave's account data"))
  const sharedFields = { marketId: null, healthFactorE18 }
  return reserves.flatMap(({ asset, id }): ReadonlyArray<LendingPosition> => {
    const amount = (name: string) =>
      requireResult(responsesByName[`${name} ${asset}`] as bigint | null, "a balance in Aave")
    const [supplied, debt] = [amount("supplied"), amount("debt")]
    const isCollateral = collateralIds.includes(id)
    return [
      ...(supplied === 0n
        ? []
        : [{ ...sharedFields, type: "supply" as const, token: asset, amount: supplied, isCollateral }]),
      ...(debt === 0n
        ? []
        : [{ ...sharedFields, type: "borrow" as const, token: asset, amount: debt, isCollateral: false }])
    ]
  })
}
