import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Option, Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../../src/files/index.ts"

/** What the relayer does with deposits: fills them so many seconds after they were made, or leaves them alone. */
export const RelayerMode = Schema.Union([
  Schema.Struct({
    mode: Schema.Literal("FILL"),
    delaySeconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  }),
  Schema.Struct({ mode: Schema.Literal("OFF") })
])
export type RelayerMode = typeof RelayerMode.Type

const Kept = Schema.Struct({ relayer: RelayerMode, refunded: Schema.Array(Schema.String) })
type Kept = typeof Kept.Type

const initial: Kept = { relayer: { mode: "FILL", delaySeconds: 0 }, refunded: [] }

const decodeKept = Schema.decodeUnknownOption(Schema.fromJsonString(Kept))

const readKept = (file: string): Kept => {
  try {
    return Option.getOrElse(decodeKept(readFileSync(file, "utf8")), () => initial)
  } catch {
    return initial
  }
}

/** How the relayer was last told to act, and what it has paid back: in a file of the home, which outlives the process. */
export class RelayerSettings {
  readonly #file: string
  #kept: Kept

  constructor(home: string) {
    this.#file = join(home, "relayer.json")
    this.#kept = readKept(this.#file)
  }

  get mode(): RelayerMode {
    return this.#kept.relayer
  }

  isRefunded(deposit: string): boolean {
    return this.#kept.refunded.includes(deposit)
  }

  setMode(relayer: RelayerMode): Promise<void> {
    return this.#keep({ ...this.#kept, relayer })
  }

  addRefunded(deposits: ReadonlyArray<string>): Promise<void> {
    return this.#keep({ ...this.#kept, refunded: [...this.#kept.refunded, ...deposits] })
  }

  /** After the chains were deployed anew. */
  forgetRefunded(): Promise<void> {
    return this.#keep({ ...this.#kept, refunded: [] })
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept
    const draft = `${this.#file}.draft`
    await writeFile(draft, JSON.stringify(kept), { mode: PRIVATE_FILE_MODE })
    await rename(draft, this.#file)
  }
}
