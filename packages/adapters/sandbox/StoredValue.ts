import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { Option, Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../src/storage/files/index.ts"

/**
 * A value in a file of the sandbox's home folder, so that it survives a restart. If the file cannot be decoded, the
 * initial value is used.
 */
export class StoredValue<A> {
  readonly #file: string
  readonly #encode: (value: A) => string
  #value: A
  #written: Promise<void> = Promise.resolve()

  constructor(file: string, schema: Schema.Codec<A, unknown>, initialValue: A) {
    this.#file = file
    const textSchema = Schema.fromJsonString(schema)
    this.#encode = Schema.encodeSync(textSchema)
    const decode = Schema.decodeUnknownOption(textSchema)
    try {
      this.#value = Option.getOrElse(decode(readFileSync(file, "utf8")), () => initialValue)
    } catch {
      this.#value = initialValue
    }
  }

  get value(): A {
    return this.#value
  }

  /** Writes the value. Writes are atomic and run one after another. */
  async store(value: A): Promise<void> {
    this.#value = value
    const text = this.#encode(value)
    const writePromise = this.#written.then(() => this.#write(text))
    this.#written = writePromise.catch(() => undefined)
    await writePromise
  }

  async #write(text: string): Promise<void> {
    const draft = `${this.#file}.draft`
    await writeFile(draft, text, { mode: PRIVATE_FILE_MODE })
    await rename(draft, this.#file)
  }
}
