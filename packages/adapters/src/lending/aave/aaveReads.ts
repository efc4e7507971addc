import type { Address } from "@countersign/core/primitives"
import { decodeFunctionResult, encodeFunctionData } from "viem"
import { decoding, type Read } from "../reads.ts"
import { aaveAbi } from "./abi.ts"

export const reserveDataRead = (pool: Address, asset: Address) => ({
  target: pool,
  callData: encodeFunctionData({ abi: aaveAbi, functionName: "getReserveData", args: [asset] }),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReserveData", data }))
})
export type ReserveData = NonNullable<ReturnType<ReturnType<typeof reserveDataRead>["decode"]>>

export const reservesListRead = (pool: Address) => ({
  target: pool,
  callData: encodeFunctionData({ abi: aaveAbi, functionName: "getReservesList" }),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReservesList", data }))
})

export const accountDataRead = (pool: Address, account: Address) => ({
  target: pool,
  callData: encodeFunctionData({ abi: aaveAbi, functionName: "getUserAccountData", args: [account] }),
  decode: decoding((data) => {
    const [collateralUsd8, debtUsd8, availableUsd8, liquidationThreshold, ltv, healthFactor] = decodeFunctionResult({
      abi: aaveAbi,
      functionName: "getUserAccountData",
      data
    })
    return { collateralUsd8, debtUsd8, availableUsd8, liquidationThreshold, ltv, healthFactor }
  })
})

export const userWordRead = (
  functionName: "getUserConfiguration" | "getUserEMode",
  pool: Address,
  account: Address
): Read<bigint> => ({
  target: pool,
  callData: encodeFunctionData({ abi: aaveAbi, functionName, args: [account] }),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName, data }))
})

export const pricesRead = (oracle: Address, assets: ReadonlyArray<Address>): Read<ReadonlyArray<bigint>> => ({
  target: oracle,
  callData: encodeFunctionData({ abi: aaveAbi, functionName: "getAssetsPrices", args: [assets] }),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getAssetsPrices", data }))
})
