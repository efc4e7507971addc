import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { InPlaceDeployment } from "./InPlaceDeployment.ts"

/** Address of the contract that executes the calls of aggregator routes. The address is arbitrary. */
export const routeExecutor = Address.make("0x00000000000000000000000000000000ca4e0011")

/** Deploys the routers of KyberSwap and Velora on the chains that they serve, and an executor of their routes. */
export const aggregatorPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { kyberSwapRouter, veloraRouter } = deploymentOf(chainId)
  const routers = [
    { address: kyberSwapRouter, initCode: artifacts.KyberSwapRouter.bytecode },
    { address: veloraRouter, initCode: artifacts.Augustus.bytecode }
  ]
  return [
    ...routers.flatMap(({ address, initCode }) => (address === undefined ? [] : [{ address, initCode }])),
    { address: routeExecutor, initCode: artifacts.RouteExecutor.bytecode }
  ]
}
