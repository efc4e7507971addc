import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, type Hex, numberToHex, pad, parseEther, stringToHex } from "viem"
import { accountContracts, deploymentOf } from "../../src/chains/deployments/index.ts"
import { ARB_SYS } from "../../src/chains/evm/index.ts"
import type { AnvilRpc, RpcCall } from "../anvil/AnvilRpc.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { aaveLiquidity, aaveSetupTransactions } from "./aave.ts"
import { acrossSetupTransactions, acrossStorage } from "./across.ts"
import { allowListTransactions } from "./allowLists.ts"
import { mineInOneBlock, type Transaction } from "./block.ts"
import { cowSetupTransactions } from "./cow.ts"
import { exchangeSetupTransactions, exchangeTransactions, priceSumCalls } from "./exchangePools.ts"
import { sequencerTransactions } from "./feeds.ts"
import { poolTransactions, setupTransactions } from "./furnishing.ts"
import { morphoLiquidity, morphoSetupTransactions } from "./morpho.ts"
import { placements } from "./placements.ts"

/** Increment it when the deployed contracts change. Chains with an earlier version are deployed again. */
export const DEPLOYMENT_VERSION = 11

/** Code of both Arachnid's CREATE2 deployer and Safe's singleton factory. anvil already contains the first one. */
const CREATE2_FACTORY_CODE =
  "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"

/** Code that returns NUMBER to every call. On Arbitrum, ArbSys is a precompile of the node. */
const ARB_SYS_CODE = "0x435f5260205ff3"

const BLOCK_GAS_LIMIT = 60_000_000
const DEPLOYMENT_BLOCK_GAS_LIMIT = 4_000_000_000
const INITIAL_BALANCE = parseEther("1000000")
const TREASURY_INITIAL_BALANCE = parseEther("10000000000")

/** Encodes a string of at most 31 bytes as Solidity stores it. */
const shortString = (text: string): Hex =>
  concatHex([stringToHex(text, { size: 31 }), numberToHex(text.length * 2, { size: 1 })])

const setupCalls = (chainId: EvmChainId, artifacts: Artifacts, keys: SandboxKeys): ReadonlyArray<RpcCall> => {
  const operators = Object.values(keys.operators)
  const fundedAccounts = [keys.deployer, ...operators, keys.paymasterOwner, keys.paymasterSigner, ...keys.owners]
  const setBalanceCall = (address: Address, amount: bigint) => ({
    method: "anvil_setBalance",
    params: [address, numberToHex(amount)]
  })
  return [
    { method: "evm_setAutomine", params: [false] },
    { method: "evm_setBlockGasLimit", params: [numberToHex(DEPLOYMENT_BLOCK_GAS_LIMIT)] },
    { method: "anvil_setCode", params: [accountContracts.safeSingletonFactory, CREATE2_FACTORY_CODE] },
    { method: "anvil_setCode", params: [deploymentOf(chainId).permit2, artifacts.Permit2.deployedBytecode] },
    ...(deploymentOf(chainId).l1DataFee === "arbitrum"
      ? [{ method: "anvil_setCode", params: [ARB_SYS, ARB_SYS_CODE] }]
      : []),
    ...fundedAccounts.map(({ address }) => setBalanceCall(address, INITIAL_BALANCE)),
    setBalanceCall(keys.treasury.address, TREASURY_INITIAL_BALANCE)
  ]
}

/** Deploys all contracts on an empty chain, in three blocks. */
export const deployChain = async (
  rpc: AnvilRpc,
  chainId: EvmChainId,
  artifacts: Artifacts,
  keys: SandboxKeys
): Promise<void> => {
  const { create2, inPlace } = placements(artifacts, chainId, keys)
  const { wrappedNative } = deploymentOf(chainId)
  const deployer = keys.deployer.address

  await rpc.batch([
    ...setupCalls(chainId, artifacts, keys),
    ...inPlace.flatMap(({ address, initCode }) => [
      { method: "anvil_setNonce", params: [address, "0x1"] },
      { method: "anvil_setCode", params: [address, initCode] }
    ])
  ])
  const runtimeCodes = await rpc.batch(
    inPlace.map(({ address }) => ({ method: "eth_call", params: [{ from: deployer, to: address }, "latest"] }))
  )
  await mineInOneBlock(rpc, chainId, [
    ...inPlace.map(({ address }): Transaction => ({ from: deployer, to: address, data: "0x" })),
    ...create2.map(
      ({ factory, salt, initCode }): Transaction => ({ from: deployer, to: factory, data: concatHex([salt, initCode]) })
    )
  ])
  await rpc.batch([
    ...inPlace.map(({ address }, index) => ({ method: "anvil_setCode", params: [address, runtimeCodes[index]] })),
    // Sets the name of the wrapped native token, because WETH9 is named "Wrapped Ether" on every chain.
    { method: "anvil_setStorageAt", params: [wrappedNative.address, pad("0x0"), shortString(wrappedNative.name)] },
    { method: "anvil_setStorageAt", params: [wrappedNative.address, pad("0x1"), shortString(wrappedNative.symbol)] },
    ...acrossStorage(chainId)
  ])
  await mineInOneBlock(rpc, chainId, [
    ...setupTransactions(chainId, keys),
    ...allowListTransactions(chainId, keys),
    ...sequencerTransactions(chainId, deployer),
    ...exchangeSetupTransactions(chainId, keys),
    ...aaveSetupTransactions(artifacts, chainId, keys),
    ...morphoSetupTransactions(chainId, keys),
    ...cowSetupTransactions(chainId, keys),
    ...acrossSetupTransactions(chainId, keys)
  ])
  await mineInOneBlock(rpc, chainId, [
    ...poolTransactions(chainId, keys),
    ...exchangeTransactions(chainId, keys),
    ...aaveLiquidity(chainId, keys),
    ...morphoLiquidity(chainId, keys)
  ])
  await rpc.batch([
    ...priceSumCalls(chainId),
    { method: "evm_setBlockGasLimit", params: [numberToHex(BLOCK_GAS_LIMIT)] },
    { method: "evm_setAutomine", params: [true] }
  ])
}
