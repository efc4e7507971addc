import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { MAX_OWNED_POSITIONS } from "@countersign/core/trading/liquidity"
import { decodeFunctionResult, type PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import { multicall } from "../pools/index.ts"
import { managerAbi as abi } from "./abi.ts"

const managerData = encoderOf(abi)

/**
 * Reads the ids of an account's NFTs, newest first, up to `MAX_OWNED_POSITIONS`. Omits an NFT that is transferred
 * during the reads.
 */
export const readOwned = async (
  client: PublicClient,
  chainId: EvmChainId,
  owner: Address
): Promise<ReadonlyArray<bigint>> => {
  const target = deploymentOf(chainId).uniswapV3.nonfungiblePositionManager
  const countResponse = await multicall(
    client,
    chainId,
    [{ target, callData: managerData("balanceOf", [owner]) }],
    null
  )
  const [data] = countResponse.results
  const count = data == null ? 0n : decodeFunctionResult({ abi, functionName: "balanceOf", data })
  const listedCount = Math.min(Number(count), MAX_OWNED_POSITIONS)
  if (listedCount === 0) return []
  const calls = Array.from({ length: listedCount }, (_, i) => ({
    target,
    callData: managerData("tokenOfOwnerByIndex", [owner, count - 1n - BigInt(i)])
  }))
  const { results } = await multicall(client, chainId, calls, null)
  return results.flatMap((id) =>
    id === null ? [] : decodeFunctionResult({ abi, functionName: "tokenOfOwnerByIndex", data: id })
  )
}
