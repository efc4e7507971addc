import type { Liquidation, LiquidationSearch } from "@countersign/core/trading/lending"
import { Effect } from "effect"
import { decodeEventLog, encodeEventTopics, type Hex } from "viem"
import { lendingOf } from "../../../chains/deployments/index.ts"
import { addressFromHex, type LogResponse, type RpcClients, transferInLog } from "../../../chains/evm/index.ts"
import { HostFailure } from "../../../outbound/json-api/index.ts"
import { type LocatedLog, logsOfAccounts } from "../logs.ts"
import { readEach, requireResult } from "../reads.ts"
import { reserveDataRead, treasuryRead } from "./aaveReads.ts"
import { aaveAbi } from "./abi.ts"

const [topic] = encodeEventTopics({ abi: aaveAbi, eventName: "LiquidationCall" })
const [deficitTopic] = encodeEventTopics({ abi: aaveAbi, eventName: "DeficitCreated" })

const liquidationOf = ({ address, data, location, topics }: LocatedLog): Liquidation => {
  const { args } = decodeEventLog({ abi: aaveAbi, eventName: "LiquidationCall", topics, data })
  return {
    account: addressFromHex(args.user),
    liquidator: addressFromHex(args.liquidator),
    collateralToken: addressFromHex(args.collateralAsset),
    collateralAmount: args.liquidatedCollateralAmount,
    debtToken: addressFromHex(args.debtAsset),
    debtAmount: args.debtToCover,
    cancelledDebts: [],
    marketId: null,
    contract: addressFromHex(address),
    ...location
  }
}

/**
 * Returns the debts that the pool cancelled, in any token (Aave V3.3 and later). The pool cancels them if the account
 * has no collateral left, just before the event of the liquidation (`LiquidationLogic.sol`).
 */
export const cancelledDebtsIn = (
  logs: ReadonlyArray<Pick<LogResponse, "address" | "data" | "topics">>,
  { account, contract: pool }: Pick<Liquidation, "account" | "contract">
): Liquidation["cancelledDebts"] =>
  logs
    .filter(({ address, topics }) => addressFromHex(address) === pool && topics[0] === deficitTopic)
    .map(({ data, topics }) => {
      const eventTopics = topics as [Hex, ...Array<Hex>]
      return decodeEventLog({ abi: aaveAbi, eventName: "DeficitCreated", topics: eventTopics, data }).args
    })
    .filter(({ user }) => addressFromHex(user) === account)
    .map(({ amountCreated, debtAsset }) => ({ token: addressFromHex(debtAsset), amount: amountCreated }))

/**
 * Adds the protocol's liquidation fee to the collateral, and the cancelled debts. The event's amount excludes the fee,
 * which the pool sends as aTokens from the account to the treasury, just before the event (`LiquidationLogic.sol`).
 */
const completeFromReceipt = async (
  rpc: RpcClients["Service"],
  { chainId }: LiquidationSearch,
  liquidation: Liquidation
): Promise<Liquidation> => {
  const { account, collateralToken, contract: pool, logIndex, transactionHash } = liquidation
  const client = rpc.client(chainId)
  const [receipt, reserve] = await Promise.all([
    rpc.request(chainId, "eth_getTransactionReceipt", [transactionHash]),
    readEach(client, chainId, [reserveDataRead(pool, collateralToken)])
  ])
  if (receipt === null) throw new HostFailure("it has the event of a liquidation, but not its receipt")
  const aToken = addressFromHex(requireResult(reserve.decodedResults[0] ?? null, "a reserve of Aave").aTokenAddress)
  const { decodedResults } = await readEach(client, chainId, [treasuryRead(aToken)])
  const treasury = requireResult(decodedResults[0] ?? null, "the treasury of an aToken")
  const positionOf = (log: { readonly logIndex: string | null }) => Number(log.logIndex)
  const previousIndex = Math.max(
    -1,
    ...receipt.logs
      .filter((log) => addressFromHex(log.address) === pool && log.topics[0] === topic)
      .map(positionOf)
      .filter((index) => index < logIndex)
  )
  const liquidationLogs = receipt.logs.filter((log) => positionOf(log) > previousIndex && positionOf(log) < logIndex)
  const fee = liquidationLogs
    .map((log) => transferInLog(chainId, log))
    .filter((transfer) => transfer?.token === aToken && transfer.from === account && transfer.to === treasury)
    .reduce((sum, transfer) => sum + transfer!.amount, 0n)
  return {
    ...liquidation,
    collateralAmount: liquidation.collateralAmount + fee,
    cancelledDebts: cancelledDebtsIn(liquidationLogs, liquidation)
  }
}

/** Reads the liquidations of accounts in a range of blocks. */
export const aaveLiquidations = (rpc: RpcClients["Service"], search: LiquidationSearch) =>
  Effect.flatMap(logsOfAccounts(rpc, search, lendingOf(search.chainId).aaveV3.pool, topic!), (logs) =>
    rpc.call(search.chainId, () => Promise.all(logs.map((log) => completeFromReceipt(rpc, search, liquidationOf(log)))))
  )
