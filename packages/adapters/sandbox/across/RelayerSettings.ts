import { join } from "node:path"
import { Schema } from "effect"
import { KeptFile } from "../KeptFile.ts"

/** What the relayer does with deposits: fills them so many seconds after they were made, or leaves them alone. */
export const RelayerMode = Schema.Union([
  Schema.Struct({
    mode: Schema.Literal("FILL"),
    delaySeconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  }),
  Schema.Struct({ mode: Schema.Literal("OFF") })
])
export type RelayerMode = typeof RelayerMode.Type

/** Transactions that paid deposits back, by the deposits. */
const Refunds = Schema.Record(Schema.String, Schema.String)

const Kept = Schema.Struct({ relayer: RelayerMode, refunds: Refunds })

/** The relayer's current settings, and what it has refunded. */
export class RelayerSettings {
  readonly #kept: KeptFile<typeof Kept.Type>

  constructor(home: string) {
    const initial = { relayer: { mode: "FILL", delaySeconds: 0 }, refunds: {} } as const
    this.#kept = new KeptFile(join(home, "relayer.json"), Kept, initial)
  }

  get mode(): RelayerMode {
    return this.#kept.value.relayer
  }

  isRefunded(deposit: string): boolean {
    return Object.hasOwn(this.#kept.value.refunds, deposit)
  }

  setMode(relayer: RelayerMode): Promise<void> {
    return this.#kept.keep({ ...this.#kept.value, relayer })
  }

  /** The transactions that paid deposits back, by the deposits. */
  get refunds(): typeof Refunds.Type {
    return this.#kept.value.refunds
  }

  setRefunds(refunds: typeof Refunds.Type): Promise<void> {
    return this.#kept.keep({ ...this.#kept.value, refunds })
  }
}
