import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { concatHex, encodeAbiParameters, getCreate2Address, type Hex, pad, parseAbiParameters } from "viem"
import { accountContracts, deploymentOf } from "../deployments/index.ts"
import code from "./accountCreationCode.json" with { type: "json" }
import signed from "./signedDeployments.json" with { type: "json" }

/** How anyone can deploy a contract at its address. */
export type Preparation =
  /**
   * Broadcast a transaction that the contract's creator has signed with a fixed gas price. The creator's account needs
   * native tokens for gas.
   */
  | { readonly _tag: "Signed"; readonly address: Address; readonly transaction: Hex }
  /** Call a factory (CREATE2), so that the address is derived from the code. */
  | { readonly _tag: "Deployed"; readonly address: Address; readonly factory: Address; readonly data: Hex }

const ZERO_SALT = pad("0x")

const codeForEntryPoint = (creationCode: string, entryPoint: Address): Hex =>
  concatHex([creationCode as Hex, encodeAbiParameters(parseAbiParameters("address"), [entryPoint])])

const deployment = (creationCode: string, salt: Hex = ZERO_SALT, factory = accountContracts.create2Deployer) => {
  const address = getCreate2Address({ from: factory, salt, bytecode: creationCode as Hex })
  const data = concatHex([salt, creationCode as Hex])
  return { _tag: "Deployed", address: Address.make(address.toLowerCase()), factory, data } as const
}

const { create2Deployer, entryPoint07, entryPoint08, safeSingletonFactory } = accountContracts

/** Returns the deployments of a chain, in the order of their dependencies. */
export const preparationsOf = (chainId: EvmChainId): ReadonlyArray<Preparation> => [
  { _tag: "Signed", address: deploymentOf(chainId).multicall3, transaction: signed.multicall3 as Hex },
  { _tag: "Signed", address: create2Deployer, transaction: signed.create2Deployer as Hex },
  { _tag: "Signed", address: safeSingletonFactory, transaction: signed.safeSingletonFactory[`${chainId}`] as Hex },
  deployment(code.EntryPoint07, "0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3"),
  deployment(code.EntryPoint08, "0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9"),
  deployment(codeForEntryPoint(code.SimpleAccountFactory07, entryPoint07)),
  deployment(codeForEntryPoint(code.SimpleAccountFactory08, entryPoint08)),
  deployment(code.Simple7702Account),
  deployment(code.SafeL2, ZERO_SALT, safeSingletonFactory),
  deployment(code.SafeProxyFactory, ZERO_SALT, safeSingletonFactory),
  deployment(code.MultiSend, ZERO_SALT, safeSingletonFactory),
  deployment(codeForEntryPoint(code.Safe4337Module, entryPoint07)),
  deployment(code.SafeModuleSetup)
]
