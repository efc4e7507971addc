import { appendFileSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"

/** Maximum number of transactions that are checked. A chain keeps the receipts of only its latest blocks. */
const MAX_HASHES = 1_000

const HASH = /^0x[0-9a-f]{64}$/u

/** Returns the transaction hashes in a response, single or batch. */
export const sentHashes = (response: Buffer): ReadonlyArray<string> =>
  [JSON.parse(response.toString()) as { readonly result?: unknown }].flat().flatMap(({ result }) => {
    const hash = typeof result === "string" ? result : String(Object(result).transactionHash)
    return HASH.test(hash) ? [hash] : []
  })

export const lossMessage = (chainId: EvmChainId, lostHashes: ReadonlyArray<string>): string =>
  `Chain ${chainId} of the sandbox was killed before it stored its last state. It restarted without ` +
  `${lostHashes.length === 1 ? "the transaction" : `${lostHashes.length} transactions:`} ${lostHashes.join(", ")}. ` +
  "Operations with these transactions are no longer on the chain, even if the service shows them as COMPLETED.\n"

/**
 * Stores the hashes of the transactions that a chain received since its start. anvil stores its state only a few times
 * per minute, because each write takes half a second. After a kill, the file shows which transactions were lost.
 */
export class SentTransactions {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, "sent.log")
  }

  add(hashes: ReadonlyArray<string>): void {
    for (const hash of hashes) appendFileSync(this.#file, `${hash}\n`, { mode: PRIVATE_FILE_MODE })
  }

  /** Returns the latest hashes. Skips a line that a kill has truncated, because its response was not sent. */
  read(): ReadonlyArray<string> {
    try {
      const lines = readFileSync(this.#file, "utf8").split("\n")
      return lines.filter((line) => HASH.test(line)).slice(-MAX_HASHES)
    } catch {
      return []
    }
  }

  clear(): void {
    rmSync(this.#file, { force: true })
  }
}
