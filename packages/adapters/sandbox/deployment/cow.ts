import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { parseAbi } from "viem"
import { cowContracts, orderBookPaths } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"

/** Balancer's vault. The settlement contract uses it for vault balances, which the sandbox's orders do not use. */
const balancerVault = Address.make("0xba12222222228d8ba445958a75a0704d566bf2c8")

const authenticationCall = callsOf(
  parseAbi(["function initializeManager(address manager)", "function addSolver(address solver)"])
)

/**
 * Deploys CoW's contracts. The settlement contract creates its vault relayer as its first contract, as in production.
 */
export const cowPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> =>
  orderBookPaths[chainId] === undefined
    ? []
    : [
        { address: cowContracts.authenticator, initCode: initCodeOf(artifacts.CowAuthentication) },
        {
          address: cowContracts.settlement,
          initCode: initCodeOf(artifacts.CowSettlement, cowContracts.authenticator, balancerVault)
        }
      ]

/** Returns the transactions that make the treasury a solver. */
export const cowSetupTransactions = (
  chainId: EvmChainId,
  { deployer, treasury }: SandboxKeys
): ReadonlyArray<Transaction> =>
  orderBookPaths[chainId] === undefined
    ? []
    : [
        authenticationCall(deployer.address, cowContracts.authenticator, "initializeManager", [deployer.address]),
        authenticationCall(deployer.address, cowContracts.authenticator, "addSolver", [treasury.address])
      ]
