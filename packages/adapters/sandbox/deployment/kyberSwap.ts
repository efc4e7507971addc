import type { EvmChainId } from "@countersign/core/chains"
import { Address } from "@countersign/core/primitives"
import { deploymentOf } from "../../src/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { InPlacePlacement } from "./InPlacePlacement.ts"

/** What makes the calls of KyberSwap's routes. Of no meaning on any chain. */
export const kyberSwapExecutor = Address.make("0x00000000000000000000000000000000ca4e0011")

/** KyberSwap's router and an executor of its routes, on the chains that it serves. */
export const kyberSwapPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlacePlacement> => {
  const { kyberSwapRouter } = deploymentOf(chainId)
  if (kyberSwapRouter === undefined) return []
  return [
    { address: kyberSwapRouter, initCode: artifacts.KyberSwapRouter.bytecode },
    { address: kyberSwapExecutor, initCode: artifacts.KyberSwapExecutor.bytecode }
  ]
}
