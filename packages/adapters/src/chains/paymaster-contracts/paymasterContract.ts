import { Address } from "@countersign/core/foundation/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { concatHex, encodeAbiParameters, getCreate2Address, type Hex, pad, parseAbi, parseAbiParameters } from "viem"
import { accountContracts } from "../deployments/index.ts"
import creationCode from "./creationCode.json" with { type: "json" }

/** Functions of Pimlico's SingletonPaymaster, V7 and V8. */
export const paymasterAbi = parseAbi([
  "function addSigner(address signer)",
  "function signers(address account) view returns (bool)",
  "function updateBundlerAllowlist(address[] bundlers, bool allowed)",
  "function isBundlerAllowed(address bundler) view returns (bool)",
  "function hasRole(bytes32 role, address account) view returns (bool)"
])

/** Role of the owner, who may change the settings and withdraw the deposit. */
export const ADMIN_ROLE = pad("0x")

export const entryPointOf: Readonly<Record<EntryPointVersion, Address>> = {
  "0.7": accountContracts.entryPoint07,
  "0.8": accountContracts.entryPoint08
}

/**
 * The deployment of a paymaster through a CREATE2 factory, so that the address is derived from the code and its
 * arguments.
 */
export interface PaymasterDeployment {
  readonly factory: Address
  readonly salt: Hex
  readonly initCode: Hex
  readonly address: Address
}

/** The initial roles. The address of the paymaster depends on both. */
export interface PaymasterRoles {
  readonly owner: Address
  /** Initial signers. Signers can be added and removed later. */
  readonly signers: ReadonlyArray<Address>
}

export const paymasterDeploymentOf = (
  version: EntryPointVersion,
  { owner, signers }: PaymasterRoles
): PaymasterDeployment => {
  const factory = accountContracts.create2Deployer
  const salt = pad("0x")
  const roles = encodeAbiParameters(parseAbiParameters("address, address, address, address[]"), [
    entryPointOf[version],
    owner,
    owner,
    signers
  ])
  const initCode = concatHex([creationCode[version].creationCode as Hex, roles])
  const address = getCreate2Address({ from: factory, salt, bytecode: initCode })
  return { factory, salt, initCode, address: Address.make(address.toLowerCase()) }
}

/**
 * Returns the deployment of a paymaster that belongs to the owner. Signers are added after the deployment, so that the
 * address does not depend on them.
 */
export const ownedPaymasterDeployment = (version: EntryPointVersion, owner: Address): PaymasterDeployment =>
  paymasterDeploymentOf(version, { owner, signers: [] })
