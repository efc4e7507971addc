import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Hex, pad, parseAbi, zeroAddress } from "viem"
import { acrossOrNull, deploymentOf } from "../../src/chains/deployments/index.ts"
import type { RpcCall } from "../anvil/AnvilRpc.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"

/** Across's production values: the maximum age of a quote's timestamp, and the maximum time until a fill deadline. */
const QUOTE_SECONDS = 3_600
const FILL_SECONDS = 21_600

const poolAbi = parseAbi(["function initialize(uint32 initialDepositId, address withdrawalRecipient)"])
const poolCall = callsOf(poolAbi)

/**
 * Deploys Ethereum's SpokePool on every chain that Across serves. In production, the SpokePools of other chains differ
 * in how they return tokens to Ethereum, and their administrator is a message from Ethereum.
 */
export const acrossPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const across = acrossOrNull(chainId)
  if (across === null) return []
  const { wrappedNative } = deploymentOf(chainId)
  const initCode = initCodeOf(
    artifacts.EthereumSpokePool,
    wrappedNative.address,
    QUOTE_SECONDS,
    FILL_SECONDS,
    zeroAddress
  )
  return [
    { address: across.spokePool, initCode },
    { address: across.multicallHandler, initCode: artifacts.MulticallHandler.bytecode }
  ]
}

/**
 * Storage slot of OpenZeppelin's `Initializable`. It is reset, because the constructor disables initialization. In
 * production a proxy holds the storage.
 */
const INITIALIZED_SLOT: Hex = pad("0x0")

export const acrossStorage = (chainId: EvmChainId): ReadonlyArray<RpcCall> => {
  const across = acrossOrNull(chainId)
  return across === null
    ? []
    : [{ method: "anvil_setStorageAt", params: [across.spokePool, INITIALIZED_SLOT, pad("0x0")] }]
}

/**
 * Returns the transactions that make the deployer the administrator of the SpokePool. The administrator relays root
 * bundles with refunds.
 */
export const acrossSetupTransactions = (chainId: EvmChainId, keys: SandboxKeys): ReadonlyArray<Transaction> => {
  const across = acrossOrNull(chainId)
  return across === null
    ? []
    : [poolCall(keys.deployer.address, across.spokePool, "initialize", [0, keys.treasury.address])]
}
