import type { Position } from "@countersign/core/trading/liquidity"
import { type Amounts, PositionHistory, type PositionLifetime } from "@countersign/core/trading/pools"
import { Effect, Layer } from "effect"
import { encodeEventTopics, type Hex, numberToHex, type PublicClient, parseAbi } from "viem"
import { RpcClients, wordAt } from "../../chains/evm/index.ts"
import { isInBlock, type PoolLog } from "./poolLogs.ts"

/** Events of NonfungiblePositionManager (v3-periphery). */
const eventsAbi = parseAbi([
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)"
])

const [INCREASE, DECREASE, COLLECT] = (["IncreaseLiquidity", "DecreaseLiquidity", "Collect"] as const).map(
  (eventName) => encodeEventTopics({ abi: eventsAbi, eventName })[0]!
) as [Hex, Hex, Hex]

const logsOf = async (client: PublicClient, { blockNumber, manager, tokenId }: Position) => {
  const logs = await client.request({
    method: "eth_getLogs",
    params: [
      {
        address: manager,
        topics: [[INCREASE, DECREASE, COLLECT], numberToHex(tokenId, { size: 32 })],
        fromBlock: "0x0",
        toBlock: numberToHex(blockNumber)
      }
    ]
  })
  return logs.filter(isInBlock)
}

/** Decodes the amounts of an event. In all three events they are the second and third word of the data. */
const amountsIn = ({ data }: PoolLog): Amounts => ({
  amount0: wordAt(data, 1),
  amount1: wordAt(data, 2)
})

const sumOf = (logs: ReadonlyArray<PoolLog>, topic: Hex): Amounts =>
  logs
    .filter(({ topics }) => topics[0] === topic)
    .map(amountsIn)
    .reduce((sum, { amount0, amount1 }) => ({ amount0: sum.amount0 + amount0, amount1: sum.amount1 + amount1 }), {
      amount0: 0n,
      amount1: 0n
    })

const lifetimeOf = async (client: PublicClient, position: Position): Promise<PositionLifetime | null> => {
  const logs = await logsOf(client, position)
  const [firstLog] = logs
  if (firstLog === undefined) return null
  const block = await client.request({ method: "eth_getBlockByNumber", params: [firstLog.blockNumber, false] })
  if (block === null) return null
  return { since: Number(block.timestamp), removed: sumOf(logs, DECREASE), collected: sumOf(logs, COLLECT) }
}

/** Reads all logs of one NFT from the first block on. The result is unknown if no node returns such old logs. */
export const layer = Layer.effect(
  PositionHistory,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    return PositionHistory.of({
      readLifetime: (position) =>
        rpc
          .call(position.chainId, (client) => lifetimeOf(client, position))
          .pipe(
            Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ reason }) =>
              Effect.as(Effect.logDebug("the history of a position is unknown", { reason }), null)
            )
          )
    })
  })
)
