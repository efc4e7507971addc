import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decodeAbiParameters, decodeEventLog, type Hex, parseAbi, parseAbiParameters, toEventSelector } from "viem"
import { cowContracts } from "../../src/chains/deployments/index.ts"
import { encoderOf } from "../../src/chains/evm/index.ts"
import type { SandboxChain } from "../network/SandboxChain.ts"

export const chainAbi = parseAbi([
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  "function preSignature(bytes orderUid) view returns (uint256)",
  "function filledAmount(bytes orderUid) view returns (uint256)",
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)",
  "event OrderInvalidated(address indexed owner, bytes orderUid)"
])
export const chainData = encoderOf(chainAbi)

const tradeEvent = [chainAbi[5]] as const
const TRADE = toEventSelector(chainAbi[5])
const INVALIDATED = toEventSelector(chainAbi[6])
const ERC1271_MAGIC = "0x1626ba7e"

/** A settled trade, from the `Trade` event of the settlement contract. */
export interface SettledTrade {
  readonly owner: string
  readonly sellToken: string
  readonly buyToken: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly orderUid: string
  readonly blockNumber: number
  readonly logIndex: number
  readonly txHash: string
}

interface LogResponse {
  readonly data: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly blockNumber: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
}

const logsOf = async (chain: SandboxChain, topic: Hex) =>
  (await chain.call("eth_getLogs", {
    address: cowContracts.settlement,
    topics: [topic],
    fromBlock: "0x0",
    toBlock: "latest"
  })) as ReadonlyArray<LogResponse>

/** Returns the trades in the logs that the chain still has, oldest first. */
export const tradesOf = async (chain: SandboxChain): Promise<ReadonlyArray<SettledTrade>> =>
  (await logsOf(chain, TRADE)).map(({ blockNumber, data, logIndex, topics, transactionHash }) => {
    const { args } = decodeEventLog({ abi: tradeEvent, data, topics: topics as [Hex, ...Array<Hex>] })
    return {
      owner: args.owner.toLowerCase(),
      sellToken: args.sellToken.toLowerCase(),
      buyToken: args.buyToken.toLowerCase(),
      sellAmount: args.sellAmount,
      buyAmount: args.buyAmount,
      orderUid: args.orderUid.toLowerCase(),
      blockNumber: Number(blockNumber),
      logIndex: Number(logIndex),
      txHash: transactionHash
    }
  })

/** Returns the uids of orders that their owners have invalidated on-chain. */
export const readInvalidatedUids = async (chain: SandboxChain): Promise<ReadonlySet<string>> =>
  new Set(
    (await logsOf(chain, INVALIDATED)).map(({ data }) =>
      decodeAbiParameters(parseAbiParameters("bytes"), data)[0].toLowerCase()
    )
  )

const callOrNull = async (chain: SandboxChain, to: string, data: Hex): Promise<Hex | null> => {
  try {
    return (await chain.call("eth_call", { to, data }, "latest")) as Hex
  } catch {
    return null
  }
}

/** Returns the result of a call as a number. Zero if the call fails. */
export const uintAt = async (chain: SandboxChain, to: string, data: Hex): Promise<bigint> => {
  const response = await callOrNull(chain, to, data)
  return response === null || response.length < 66 ? 0n : BigInt(response.slice(0, 66))
}

export const balanceOn = (chain: SandboxChain, token: string, owner: string): Promise<bigint> =>
  uintAt(chain, token, chainData("balanceOf", [owner as Hex]))

export const allowanceOn = (chain: SandboxChain, token: string, owner: string): Promise<bigint> =>
  uintAt(chain, token, chainData("allowance", [owner as Hex, cowContracts.vaultRelayer]))

export const isPresignedOn = async (chain: SandboxChain, uid: string): Promise<boolean> =>
  (await uintAt(chain, cowContracts.settlement, chainData("preSignature", [uid as Hex]))) > 0n

/** Checks an ERC-1271 signature as the settlement contract does. */
export const isValidErc1271Signature = async (
  chain: SandboxChain,
  wallet: string,
  digest: Hex,
  signature: Hex
): Promise<boolean> =>
  (await callOrNull(chain, wallet, chainData("isValidSignature", [digest, signature])))?.startsWith(ERC1271_MAGIC) ===
  true

export const domainOf = (chainId: EvmChainId) => ({
  name: "Gnosis Protocol",
  version: "v2",
  chainId,
  verifyingContract: cowContracts.settlement
})
