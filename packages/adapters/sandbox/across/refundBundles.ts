import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
  type Log,
  parseEventLogs
} from "viem"
import type { LogResponse } from "../../src/chains/evm/index.ts"
import type { Deposit } from "../../src/exchanges/across/index.ts"
import { wordToAddress } from "../../src/exchanges/across/index.ts"
import { refundAbi } from "./abi.ts"

/** The content of a refund leaf, as in Across: one token on one chain, with one sum per depositor. */
export interface RefundBundle {
  readonly chainId: EvmChainId
  readonly deposits: ReadonlyArray<Deposit>
  readonly leaf: {
    readonly amountToReturn: bigint
    readonly chainId: bigint
    readonly refundAmounts: ReadonlyArray<bigint>
    readonly leafId: number
    readonly l2TokenAddress: Address
    readonly refundAddresses: ReadonlyArray<Address>
  }
}

const sumsByDepositor = (deposits: ReadonlyArray<Deposit>): ReadonlyMap<Address, bigint> => {
  const sums = new Map<Address, bigint>()
  for (const { relay } of deposits) {
    const depositor = wordToAddress(relay.depositor)
    sums.set(depositor, (sums.get(depositor) ?? 0n) + relay.inputAmount)
  }
  return sums
}

const bundleOf = (deposits: readonly [Deposit, ...Array<Deposit>]): RefundBundle => {
  const [{ originChainId: chainId, relay }] = deposits
  const sums = sumsByDepositor(deposits)
  return {
    chainId,
    deposits,
    leaf: {
      amountToReturn: 0n,
      chainId: BigInt(chainId),
      refundAmounts: [...sums.values()],
      leafId: 0,
      l2TokenAddress: wordToAddress(relay.inputToken),
      refundAddresses: [...sums.keys()]
    }
  }
}

export const refundBundlesOf = (expiredDeposits: ReadonlyArray<Deposit>): ReadonlyArray<RefundBundle> =>
  [...Map.groupBy(expiredDeposits, ({ originChainId, relay }) => `${originChainId}:${relay.inputToken}`).values()].map(
    ([first, ...others]) => bundleOf([first!, ...others])
  )

const [, leafParameter] = getAbiItem({ abi: refundAbi, name: "executeRelayerRefundLeaf" }).inputs

/**
 * Encodes the administrator's call that relays the root. The root of a tree with a single leaf is the hash of this
 * leaf.
 */
export const relayRootData = ({ leaf }: RefundBundle): Hex =>
  encodeFunctionData({
    abi: refundAbi,
    functionName: "relayRootBundle",
    args: [keccak256(encodeAbiParameters([leafParameter], [leaf])), `0x${"00".repeat(32)}`]
  })

/** Returns the id that the SpokePool has assigned to the root. */
export const rootBundleIdOf = (logs: ReadonlyArray<LogResponse>): number => {
  const [event] = parseEventLogs({ abi: refundAbi, eventName: "RelayedRootBundle", logs: [...logs] as Array<Log> })
  if (event === undefined) throw new Error("the SpokePool emitted no RelayedRootBundle event")
  return event.args.rootBundleId
}

export const executeLeafData = ({ leaf }: RefundBundle, rootBundleId: number): Hex =>
  encodeFunctionData({ abi: refundAbi, functionName: "executeRelayerRefundLeaf", args: [rootBundleId, leaf, []] })
