import { join } from "node:path"
import { Schema } from "effect"
import { StoredValue } from "../StoredValue.ts"

/** How the relayer handles deposits: it fills them after a delay in seconds, or does not fill them. */
export const RelayerMode = Schema.Union([
  Schema.Struct({
    mode: Schema.Literal("FILL"),
    delaySeconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  }),
  Schema.Struct({ mode: Schema.Literal("OFF") })
])
export type RelayerMode = typeof RelayerMode.Type

/** Refund transaction hashes by deposit key. */
const Refunds = Schema.Record(Schema.String, Schema.String)

const StoredSettings = Schema.Struct({ relayer: RelayerMode, refunds: Refunds })

export class RelayerSettings {
  readonly #kept: StoredValue<typeof StoredSettings.Type>

  constructor(home: string) {
    const initial = { relayer: { mode: "FILL", delaySeconds: 0 }, refunds: {} } as const
    this.#kept = new StoredValue(join(home, "relayer.json"), StoredSettings, initial)
  }

  get mode(): RelayerMode {
    return this.#kept.value.relayer
  }

  isRefunded(deposit: string): boolean {
    return Object.hasOwn(this.#kept.value.refunds, deposit)
  }

  setMode(relayer: RelayerMode): Promise<void> {
    return this.#kept.store({ ...this.#kept.value, relayer })
  }

  /** Refund transaction hashes by deposit key. */
  get refunds(): typeof Refunds.Type {
    return this.#kept.value.refunds
  }

  setRefunds(refunds: typeof Refunds.Type): Promise<void> {
    return this.#kept.store({ ...this.#kept.value, refunds })
  }
}
