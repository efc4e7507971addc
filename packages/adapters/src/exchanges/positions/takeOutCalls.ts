import type { Address } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import { burnMinimums, type LiquidityTerms, type Position, pricesWithin } from "@countersign/core/trading/liquidity"
import { concatHex, type Hex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import { type Command, universalRouterAbi } from "../uniswap/index.ts"
import { managerAbi } from "./abi.ts"
import { rangePrices } from "./positionState.ts"

const managerData = encoderOf(managerAbi)
const universalRouterData = encoderOf(universalRouterAbi)

const ALL = 2n ** 128n - 1n

/** Builds one call that removes liquidity, collects all owed tokens, and burns the NFT if it is empty. */
export const withdrawalCall = (
  { liquidity: totalLiquidity, manager, pool, range, tokenId }: Position,
  liquidity: bigint,
  receiver: Address,
  { deadline, slippagePercent }: Pick<LiquidityTerms, "deadline" | "slippagePercent">
): Call => {
  const minimums = burnMinimums(rangePrices(range), pricesWithin(pool.sqrtPriceX96, slippagePercent), liquidity)
  const decrease = managerData("decreaseLiquidity", [
    { tokenId, liquidity, amount0Min: minimums.amount0, amount1Min: minimums.amount1, deadline: BigInt(deadline) }
  ])
  const collect = managerData("collect", [{ tokenId, recipient: receiver, amount0Max: ALL, amount1Max: ALL }])
  const burn = managerData("burn", [tokenId])
  const withdrawsAll = liquidity === totalLiquidity
  const steps: ReadonlyArray<Hex> = [...(liquidity > 0n ? [decrease] : []), collect, ...(withdrawsAll ? [burn] : [])]
  return {
    to: manager,
    value: 0n,
    data: managerData("multicall", [[...steps]]),
    summary: withdrawsAll
      ? `Withdraw everything from position ${tokenId}, and burn its NFT`
      : `Withdraw liquidity and fees from position ${tokenId}`
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
  data: universalRouterData("execute", [
    concatHex(commands.map(({ code }) => code)),
    commands.map(({ input }) => input),
    BigInt(deadline)
  ]),
  summary
})
