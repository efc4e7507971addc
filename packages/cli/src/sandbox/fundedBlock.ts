import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "@countersign/adapters/files"
import type { EvmChainId } from "@countersign/core/chains"

const fileOf = (home: string, chainId: EvmChainId): string => join(home, "chains", `${chainId}`, "funded-at-block")

/** The block of a chain at which the demonstration wallets had all that they are given; null for none. */
export const fundedBlockOrNull = (home: string, chainId: EvmChainId): number | null => {
  try {
    return Number(readFileSync(fileOf(home, chainId), "utf8"))
  } catch {
    return null
  }
}

/** Lies with the chain's data, and is forgotten with it. */
export const writeFundedBlock = (home: string, chainId: EvmChainId, block: number): void =>
  writeFileSync(fileOf(home, chainId), `${block}`, { mode: PRIVATE_FILE_MODE })

/** A chain that is at an earlier block was killed, and came back with an earlier state. */
export const isFundedAt = (fundedBlock: number | null, blockNumber: number): boolean =>
  fundedBlock !== null && fundedBlock > 0 && blockNumber >= fundedBlock
