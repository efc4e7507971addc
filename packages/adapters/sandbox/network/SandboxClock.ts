import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"

/**
 * Stores by how many seconds the sandbox is ahead of the system clock. The offset survives a restart. Only a reset or a
 * fresh start decreases it.
 */
export class SandboxClock {
  readonly #file: string
  #offsetSeconds: number

  constructor(home: string) {
    this.#file = join(home, "clock.json")
    this.#offsetSeconds = readOffset(this.#file)
  }

  get offsetSeconds(): number {
    return this.#offsetSeconds
  }

  nowSeconds(): number {
    return Math.floor(Date.now() / 1000) + this.#offsetSeconds
  }

  async move(offsetSeconds: number): Promise<void> {
    const draft = `${this.#file}.draft`
    await writeFile(draft, JSON.stringify({ offsetSeconds }), { mode: PRIVATE_FILE_MODE })
    await rename(draft, this.#file)
    this.#offsetSeconds = offsetSeconds
  }
}

const readOffset = (file: string): number => {
  try {
    const { offsetSeconds } = JSON.parse(readFileSync(file, "utf8")) as { readonly offsetSeconds?: unknown }
    return typeof offsetSeconds === "number" && Number.isSafeInteger(offsetSeconds) ? offsetSeconds : 0
  } catch {
    return 0
  }
}
