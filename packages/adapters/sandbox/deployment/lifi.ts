import type { EvmChainId } from "@countersign/core/foundation/chains"
import { zeroAddress } from "viem"
import { acrossOrNull, deploymentOf } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"

/**
 * Deploys LI.FI's contract, its exchange and its fee forwarder. It bridges through the chain's SpokePool and
 * Chainflip's Vault, if the chain has them.
 */
export const lifiPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { lifi, wrappedNative } = deploymentOf(chainId)
  const { chainflipVault, diamond, exchange, feeForwarder } = lifi
  const spokePool = acrossOrNull(chainId)?.spokePool ?? zeroAddress
  return [
    {
      address: diamond,
      initCode: initCodeOf(
        artifacts.LiFiDiamond,
        spokePool,
        wrappedNative.address,
        exchange,
        feeForwarder,
        chainflipVault ?? zeroAddress
      )
    },
    { address: exchange, initCode: artifacts.LiFiExchange.bytecode },
    { address: feeForwarder, initCode: artifacts.LiFiFeeForwarder.bytecode },
    ...(chainflipVault === undefined ? [] : [{ address: chainflipVault, initCode: artifacts.ChainflipVault.bytecode }])
  ]
}
