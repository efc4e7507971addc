import type { Liquidation, LiquidationSearch } from "@countersign/core/trading/lending"
import { Effect } from "effect"
import { decodeEventLog, encodeEventTopics } from "viem"
import type { MorphoBlueDeployment } from "../../../chains/deployments/index.ts"
import { addressFromHex, type RpcClients } from "../../../chains/evm/index.ts"
import { type LocatedLog, logsOfAccounts } from "../logs.ts"
import { morphoAbi } from "./abi.ts"
import type { MorphoMarket } from "./MorphoMarket.ts"

const [topic] = encodeEventTopics({ abi: morphoAbi, eventName: "Liquidate" })

const liquidationOf = (
  { address, data, location, topics }: LocatedLog,
  markets: ReadonlyArray<MorphoMarket>
): ReadonlyArray<Liquidation> => {
  const { args } = decodeEventLog({ abi: morphoAbi, eventName: "Liquidate", topics, data })
  const market = markets.find(({ id }) => id === args.id)
  if (market === undefined) return []
  const { collateralToken, loanToken } = market.params
  return [
    {
      account: addressFromHex(args.borrower),
      liquidator: addressFromHex(args.caller),
      collateralToken,
      collateralAmount: args.seizedAssets,
      debtToken: loanToken,
      debtAmount: args.repaidAssets,
      cancelledDebts: args.badDebtAssets === 0n ? [] : [{ token: loanToken, amount: args.badDebtAssets }],
      marketId: market.id,
      contract: addressFromHex(address),
      ...location
    }
  ]
}

/** Reads liquidations in the offered markets. */
export const morphoLiquidations = (
  rpc: RpcClients["Service"],
  search: LiquidationSearch,
  { morpho }: MorphoBlueDeployment,
  markets: ReadonlyArray<MorphoMarket>
) =>
  Effect.map(logsOfAccounts(rpc, search, morpho, topic!), (logs) => logs.flatMap((log) => liquidationOf(log, markets)))
