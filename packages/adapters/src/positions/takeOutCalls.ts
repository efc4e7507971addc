import { burnMinimums, type LiquidityTerms, type Position, pricesWithin } from "@countersign/core/liquidity"
import { type Address, HexBytes } from "@countersign/core/primitives"
import type { Call } from "@countersign/core/user-operations"
import { concatHex, encodeFunctionData, type Hex } from "viem"
import type { ChainDeployment } from "../deployments/index.ts"
import { type Command, universalRouterAbi } from "../uniswap/index.ts"
import { managerAbi } from "./abi.ts"
import { rangePrices } from "./positionState.ts"

const ALL = 2n ** 128n - 1n

/** Takes liquidity away, collects all that is owed, and burns the NFT where nothing is left of it: one call. */
export const takeOutCall = (
  { liquidity: all, manager, pool, range, tokenId }: Position,
  liquidity: bigint,
  receiver: Address,
  { deadline, slippagePercent }: Pick<LiquidityTerms, "deadline" | "slippagePercent">
): Call => {
  const least = burnMinimums(rangePrices(range), pricesWithin(pool.sqrtPriceX96, slippagePercent), liquidity)
  const abi = managerAbi
  const decrease = encodeFunctionData({
    abi,
    functionName: "decreaseLiquidity",
    args: [{ tokenId, liquidity, amount0Min: least.amount0, amount1Min: least.amount1, deadline: BigInt(deadline) }]
  })
  const collect = encodeFunctionData({
    abi,
    functionName: "collect",
    args: [{ tokenId, recipient: receiver, amount0Max: ALL, amount1Max: ALL }]
  })
  const burn = encodeFunctionData({ abi, functionName: "burn", args: [tokenId] })
  const isEmptied = liquidity === all
  const steps: ReadonlyArray<Hex> = [...(liquidity > 0n ? [decrease] : []), collect, ...(isEmptied ? [burn] : [])]
  return {
    to: manager,
    value: 0n,
    data: HexBytes.make(encodeFunctionData({ abi, functionName: "multicall", args: [[...steps]] })),
    summary: isEmptied
      ? `Take everything out of position ${tokenId}, and burn it`
      : `Take liquidity and fees out of position ${tokenId}`
  }
}

export const universalRouterCall = (
  { universalRouter }: ChainDeployment,
  commands: ReadonlyArray<Command>,
  deadline: number,
  summary: string
): Call => ({
  to: universalRouter!,
  value: 0n,
  data: HexBytes.make(
    encodeFunctionData({
      abi: universalRouterAbi,
      functionName: "execute",
      args: [concatHex(commands.map(({ code }) => code)), commands.map(({ input }) => input), BigInt(deadline)]
    })
  ),
  summary
})
