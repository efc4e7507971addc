import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { decodeEventLog, type Hex, hexToString, numberToHex, parseAbi } from "viem"
import { deploymentOf } from "../../../src/chains/deployments/index.ts"
import { addressFromHex } from "../../../src/chains/evm/index.ts"
import { minAmountAtPrice } from "../../../src/exchanges/aggregators/index.ts"
import type { SandboxChain } from "../../network/SandboxChain.ts"
import { CHAINFLIP_BTC, readParameters } from "./intoBitcoin.ts"

const vaultAbi = parseAbi([
  "event SwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, uint256 amount, address indexed sender, bytes cfParameters)",
  "event SwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, address indexed sender, bytes cfParameters)"
])
const CHAINFLIP_BITCOIN = 3

/** A deposit in Chainflip's Vault contract for a swap to BTC. */
export interface ChainflipDeposit {
  /** Identifies the deposit by chain, transaction and event. */
  readonly key: string
  readonly chainId: EvmChainId
  readonly transactionHash: Hex
  readonly token: Address
  readonly amount: bigint
  /** Bitcoin address that receives the output. */
  readonly receiver: string
  /** Address that receives a refund. */
  readonly sender: Address
  readonly minSatoshis: bigint
  /** Timestamp of the deposit's block, in Unix seconds. */
  readonly blockSeconds: number
}

interface VaultLog {
  readonly topics: [Hex, ...Array<Hex>]
  readonly data: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly blockNumber: Hex
}

const eventOrNull = ({ data, topics }: VaultLog) => {
  try {
    return decodeEventLog({ abi: vaultAbi, data, topics })
  } catch {
    return null
  }
}

/** Reads the deposits on one chain. Each poll continues after the last block that was read. */
export class ChainflipDeposits {
  readonly #chainId: EvmChainId
  readonly #known = new Map<string, ChainflipDeposit>()
  #nextBlock = 0n

  constructor(chainId: EvmChainId) {
    this.#chainId = chainId
  }

  get all(): ReadonlyArray<ChainflipDeposit> {
    return [...this.#known.values()]
  }

  /** Removes all deposits after a reorg or a reset of the chain. */
  clear(): void {
    this.#known.clear()
    this.#nextBlock = 0n
  }

  async read(chain: SandboxChain): Promise<void> {
    // A poll must not start a stopped chain. It has no new blocks.
    if (chain.running === undefined) return
    const head = BigInt((await chain.call("eth_blockNumber")) as Hex)
    if (this.#nextBlock > head + 1n) this.clear()
    if (this.#nextBlock > head) return
    const logs = (await chain.call("eth_getLogs", {
      address: deploymentOf(this.#chainId).lifi.chainflipVault,
      fromBlock: numberToHex(this.#nextBlock),
      toBlock: numberToHex(head)
    })) as ReadonlyArray<VaultLog>
    for (const log of logs) {
      const { timestamp } = (await chain.call("eth_getBlockByNumber", log.blockNumber, false)) as {
        readonly timestamp: Hex
      }
      const deposit = this.#depositOrNull(log, Number(timestamp))
      if (deposit !== null) this.#known.set(deposit.key, deposit)
    }
    this.#nextBlock = head + 1n
  }

  #depositOrNull(log: VaultLog, blockSeconds: number): ChainflipDeposit | null {
    const event = eventOrNull(log)
    if (event === null) return null
    const { amount, cfParameters, dstAddress, dstChain, dstToken } = event.args
    const parameters = readParameters(cfParameters)
    if (dstChain !== CHAINFLIP_BITCOIN || dstToken !== CHAINFLIP_BTC || parameters === null) return null
    return {
      key: `${this.#chainId}:${log.transactionHash}:${Number(log.logIndex)}`,
      chainId: this.#chainId,
      transactionHash: log.transactionHash,
      token: event.eventName === "SwapNative" ? NATIVE_TOKEN : addressFromHex(event.args.srcToken),
      amount,
      receiver: hexToString(dstAddress),
      sender: parameters.refundTo,
      minSatoshis: minAmountAtPrice(amount, parameters.minPrice),
      blockSeconds
    }
  }
}
