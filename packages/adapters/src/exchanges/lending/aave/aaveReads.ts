import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, encodeFunctionData } from "viem"
import { addressFromHex, encoderOf } from "../../../chains/evm/index.ts"
import { type ContractRead, decodedOrNull } from "../reads.ts"
import { aaveAbi } from "./abi.ts"

const aaveData = encoderOf(aaveAbi)

export const reserveDataRead = (pool: Address, asset: Address) => ({
  target: pool,
  callData: aaveData("getReserveData", [asset]),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReserveData", data }))
})
export type ReserveData = NonNullable<ReturnType<ReturnType<typeof reserveDataRead>["decode"]>>

/** Reads the address of an aToken's treasury, which receives the protocol's fees in this aToken. */
export const treasuryRead = (aToken: Address) => ({
  target: aToken,
  callData: aaveData("RESERVE_TREASURY_ADDRESS", []),
  decode: decodedOrNull((data) =>
    addressFromHex(decodeFunctionResult({ abi: aaveAbi, functionName: "RESERVE_TREASURY_ADDRESS", data }))
  )
})

export const reservesListRead = (pool: Address) => ({
  target: pool,
  callData: aaveData("getReservesList", []),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getReservesList", data }))
})

export const accountDataRead = (pool: Address, account: Address) => ({
  target: pool,
  callData: aaveData("getUserAccountData", [account]),
  decode: decodedOrNull((data) => {
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
): ContractRead<bigint> => ({
  target: pool,
  callData: encodeFunctionData({ abi: aaveAbi, functionName, args: [account] }),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: aaveAbi, functionName, data }))
})

export const pricesRead = (oracle: Address, assets: ReadonlyArray<Address>): ContractRead<ReadonlyArray<bigint>> => ({
  target: oracle,
  callData: aaveData("getAssetsPrices", [assets]),
  decode: decodedOrNull((data) => decodeFunctionResult({ abi: aaveAbi, functionName: "getAssetsPrices", data }))
})
