import { Schema } from "effect"

/** Ids of the nine supported EVM chains. */
export const EvmChainId = Schema.Literals([42161, 43114, 8453, 56, 1, 100, 10, 137, 196])
export type EvmChainId = typeof EvmChainId.Type

/** Ids of all supported chains. 0 is Bitcoin. An endpoint that accepts 0 states this in its description. */
export const ChainId = Schema.Literals([42161, 43114, 8453, 56, 1, 100, 10, 137, 196, 0])
export type ChainId = typeof ChainId.Type

export interface Chain {
  readonly id: ChainId
  readonly name: string
  /** Typical time between two blocks, in milliseconds. */
  readonly blockTimeMs: number
  /** Number of later blocks after which a block is considered final. */
  readonly finalityBlocks: number
}

/** All chains, in the order of the catalog. */
export const chains: ReadonlyArray<Chain> = [
  { id: 42161, name: "Arbitrum One", blockTimeMs: 250, finalityBlocks: 240 },
  { id: 43114, name: "Avalanche", blockTimeMs: 1_700, finalityBlocks: 6 },
  { id: 8453, name: "Base", blockTimeMs: 2_000, finalityBlocks: 30 },
  { id: 56, name: "BNB Smart Chain", blockTimeMs: 750, finalityBlocks: 20 },
  { id: 1, name: "Ethereum", blockTimeMs: 12_000, finalityBlocks: 12 },
  { id: 100, name: "Gnosis", blockTimeMs: 5_000, finalityBlocks: 12 },
  { id: 10, name: "OP Mainnet", blockTimeMs: 2_000, finalityBlocks: 30 },
  { id: 137, name: "Polygon", blockTimeMs: 2_000, finalityBlocks: 64 },
  { id: 196, name: "X Layer Mainnet", blockTimeMs: 1_000, finalityBlocks: 60 },
  { id: 0, name: "Bitcoin", blockTimeMs: 600_000, finalityBlocks: 6 }
]

export const evmChainIds: ReadonlyArray<EvmChainId> = EvmChainId.literals

export const isEvmChainId = (id: ChainId): id is EvmChainId => id !== 0

const chainById = new Map(chains.map((chain) => [chain.id, chain]))

export const chainOf = (id: ChainId): Chain => chainById.get(id)!

/**
 * Returns the time at which a chain's next block is due, in epoch milliseconds: a multiple of the block time after this
 * block, because slots may be missed.
 */
export const nextBlockDueMs = (
  id: ChainId,
  /** `timestamp` in Unix seconds, `seenAtMs` in milliseconds. */
  { seenAtMs, timestamp }: { readonly timestamp: number; readonly seenAtMs: number }
): number => {
  const { blockTimeMs } = chainOf(id)
  const timestampMs = timestamp * 1_000
  return timestampMs + Math.max(1, Math.ceil((seenAtMs - timestampMs) / blockTimeMs)) * blockTimeMs
}

const namesOf = (ids: ReadonlyArray<ChainId>): string => ids.map((id) => `${id} ${chainOf(id).name}`).join(", ")

/** A chain id in a request. */
export const ChainIdNumber = ChainId.annotate({
  identifier: "ChainId",
  description: `Id of a chain: ${namesOf(ChainId.literals)}`,
  message: `Expected the id of a supported chain: ${ChainId.literals.join(", ")}`
})

export const EvmChainIdNumber = EvmChainId.annotate({
  identifier: "EvmChainId",
  description: `Id of an EVM chain: ${namesOf(EvmChainId.literals)}`,
  message: `Expected the id of a supported EVM chain: ${EvmChainId.literals.join(", ")}`
})
