import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Hex, hexToBigInt, numberToHex, pad, parseAbi, toEventSelector } from "viem"
import type { LogResponse } from "../../src/chains/evm/index.ts"
import { BankError } from "../bank/BankError.ts"
import { tokenOn, transferFromTreasury } from "../bank/bankChain.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import type { BridgeChains } from "./SandboxBridge.ts"

const [TRANSFER] = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])

/** Implements `BridgeChains` with USDC on the sandbox's chains. */
export const bridgeChains = (network: SandboxNetwork): BridgeChains => ({
  give: async (chainId, from, to, units) => {
    const hash = await transferFromTreasury(network, chainId, tokenOn(chainId, "USDC"), to, units, from)
    if (hash === null)
      throw new BankError("the transfer of the stablecoin failed, and nothing was recorded in the ledger. Try again")
    return hash
  },
  received: async (chainId: EvmChainId, to, units) => {
    const logs = (await network.chain(chainId).call("eth_getLogs", {
      address: tokenOn(chainId, "USDC").address,
      topics: [toEventSelector(TRANSFER), null, pad(to)],
      fromBlock: numberToHex(0),
      toBlock: "latest"
    })) as ReadonlyArray<LogResponse>
    return logs.find(({ data }) => hexToBigInt(data as Hex) >= units)?.transactionHash ?? null
  }
})
