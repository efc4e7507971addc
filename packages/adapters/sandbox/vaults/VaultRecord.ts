import { Schema } from "effect"
import { StoredValue } from "../StoredValue.ts"
import { PAY_IMMEDIATELY, VaultMode } from "./VaultMode.ts"

interface StoredState<End> {
  readonly mode: VaultMode
  readonly ends: ReadonlyArray<End>
}

/** Stores the mode of a simulated bridge, and the deposits that it has handled. */
export class VaultRecord<End extends { readonly deposit: string }> {
  readonly #kept: StoredValue<StoredState<End>>

  constructor(file: string, end: Schema.Codec<End, unknown>) {
    const record = Schema.Struct({ mode: VaultMode, ends: Schema.Array(end) })
    this.#kept = new StoredValue<StoredState<End>>(file, record, { mode: PAY_IMMEDIATELY, ends: [] })
  }

  get mode(): VaultMode {
    return this.#kept.value.mode
  }

  endOf(deposit: string): End | undefined {
    return this.#kept.value.ends.find((end) => end.deposit === deposit)
  }

  setMode(mode: VaultMode): Promise<void> {
    return this.#kept.store({ ...this.#kept.value, mode })
  }

  add(end: End): Promise<void> {
    const { ends, mode } = this.#kept.value
    return this.#kept.store({ mode, ends: [...ends, end] })
  }

  /** Removes all handled deposits after the chains were reset. */
  clear(): Promise<void> {
    return this.#kept.store({ ...this.#kept.value, ends: [] })
  }
}
