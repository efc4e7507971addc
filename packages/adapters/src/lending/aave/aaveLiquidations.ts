import type { Liquidation, LiquidationSearch } from "@countersign/core/lending"
import { Effect } from "effect"
import { decodeEventLog, encodeEventTopics } from "viem"
import { lendingOf } from "../../deployments/index.ts"
import { addressFromHex, type RpcClients } from "../../evm/index.ts"
import { logsOfAccounts, type PlacedLog } from "../logs.ts"
import { aaveAbi } from "./abi.ts"

const [topic] = encodeEventTopics({ abi: aaveAbi, eventName: "LiquidationCall" })

const liquidationOf = ({ address, data, place, topics }: PlacedLog): Liquidation => {
  const { args } = decodeEventLog({ abi: aaveAbi, eventName: "LiquidationCall", topics, data })
  return {
    account: addressFromHex(args.user),
    liquidator: addressFromHex(args.liquidator),
    collateralToken: addressFromHex(args.collateralAsset),
    collateralAmount: args.liquidatedCollateralAmount,
    debtToken: addressFromHex(args.debtAsset),
    debtAmount: args.debtToCover,
    marketId: null,
    contract: addressFromHex(address),
    ...place
  }
}

export const aaveLiquidations = (rpc: RpcClients["Service"], search: LiquidationSearch) =>
  Effect.map(logsOfAccounts(rpc, search, lendingOf(search.chainId).aaveV3.pool, topic!), (logs) =>
    logs.map(liquidationOf)
  )
