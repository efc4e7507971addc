import type { EvmChainId } from "@countersign/core/foundation/chains"
import { parseAbi } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { uniswapV3Of, v3Key } from "../../src/exchanges/pools/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { sandboxTokens } from "./market.ts"
import { sandboxPools } from "./poolPlan.ts"

const call = callsOf(parseAbi(["function setAccountStatus(address account, uint256 termIndex, bool status)"]))

/** Returns the transactions that add the treasury and the pools of each real-world asset to its allow-list. */
export const allowListTransactions = (chainId: EvmChainId, { treasury }: SandboxKeys): ReadonlyArray<Transaction> => {
  const exchange = uniswapV3Of(deploymentOf(chainId))
  return sandboxTokens(chainId)
    .filter(({ role }) => role === "rwa")
    .flatMap(({ address: token }) => {
      const pools = sandboxPools(chainId)
        .filter(({ token0, token1 }) => token === token0 || token === token1)
        .map(({ feePips, token0, token1 }) => v3Key(exchange, token0, token1, feePips).address)
      return [treasury.address, ...pools].map((account) =>
        call(treasury.address, token, "setAccountStatus", [account, 0n, true])
      )
    })
}
