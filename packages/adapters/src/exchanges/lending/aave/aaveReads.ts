import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, encodeFunctionData } from "viem"
import { encoderOf } from "../../../chains/evm/index.ts"
import { decoding, type Read } from "../reads.ts"
import { aaveAbi } from "./abi.ts"

const aaveData = encoderOf(aaveAbi)

export const reserveDataRead = (pool: Address, asset: Address) => ({
  target: pool,
  callData: aaveData("getReserveData", [asset]),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReserveData", data }))
})
export type ReserveData = NonNullable<ReturnType<ReturnType<typeof reserveDataRead>["decode"]>>

export const reservesListRead = (pool: Address) => ({
  target: pool,
  callData: aaveData("getReservesList", []),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReservesList", data }))
})

export const accountDataRead = (pool: Address, account: Address) => ({
  target: pool,
  callData: aaveData("getUserAccountData", [account]),
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
  callData: aaveData("getAssetsPrices", [assets]),
  decode: decoding((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getAssetsPrices", data }))
})
