import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { Option, Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../src/storage/files/index.ts"

/** A value in a file of the home, which outlives the process. One that can't be read is the first value again. */
export class KeptFile<A> {
  readonly #file: string
  #value: A

  constructor(file: string, schema: Schema.Codec<A, unknown>, initial: A) {
    this.#file = file
    const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
    try {
      this.#value = Option.getOrElse(decode(readFileSync(file, "utf8")), () => initial)
    } catch {
      this.#value = initial
    }
  }

  get value(): A {
    return this.#value
  }

  /** Written whole or not at all. */
  async keep(value: A): Promise<void> {
    this.#value = value
    const draft = `${this.#file}.draft`
    await writeFile(draft, JSON.stringify(value), { mode: PRIVATE_FILE_MODE })
    await rename(draft, this.#file)
  }
}
