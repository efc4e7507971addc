import { appendFileSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"

/** No more are looked for: a chain keeps the receipts of its latest blocks alone. */
const LOOKED_FOR_MAX = 1_000

const HASH = /^0x[0-9a-f]{64}$/u

/** The transactions that an answer, or a batch of them, says were sent. */
export const sentHashes = (answer: Buffer): ReadonlyArray<string> =>
  [JSON.parse(answer.toString()) as { readonly result?: unknown }].flat().flatMap(({ result }) => {
    const hash = typeof result === "string" ? result : String(Object(result).transactionHash)
    return HASH.test(hash) ? [hash] : []
  })

export const lossSentence = (chainId: EvmChainId, lost: ReadonlyArray<string>): string =>
  `Chain ${chainId} of the sandbox was killed before it had written its last state, and came back without ` +
  `${lost.length === 1 ? "the transaction" : `${lost.length} transactions:`} ${lost.join(", ")}. ` +
  "What the service shows of them as COMPLETED is not on the chain any more.\n"

/**
 * The transactions that were sent to a chain since its start, in a file beside its state. anvil writes its state a few
 * times a minute, because each write takes half a second. The file shows what a killed anvil lost.
 */
export class SentTransactions {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, "sent.log")
  }

  add(hashes: ReadonlyArray<string>): void {
    for (const hash of hashes) appendFileSync(this.#file, `${hash}\n`, { mode: PRIVATE_FILE_MODE })
  }

  /** The latest of them, without a line that a kill has cut off: its answer was not sent by then. */
  read(): ReadonlyArray<string> {
    try {
      const lines = readFileSync(this.#file, "utf8").split("\n")
      return lines.filter((line) => HASH.test(line)).slice(-LOOKED_FOR_MAX)
    } catch {
      return []
    }
  }

  clear(): void {
    rmSync(this.#file, { force: true })
  }
}
