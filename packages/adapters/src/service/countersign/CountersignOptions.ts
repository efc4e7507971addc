import type { Layer } from "effect"
import type { HostPool, Stores } from "../../storage/kysely/index.ts"
import type { HostSwapProvider } from "./HostSwapProvider.ts"
import type { HostLogger } from "./hostLogger.ts"
import type { SettingOptions } from "./SettingOptions.ts"

/** The options of `Countersign.open`. `database` and `chains` are sufficient to prepare operations. */
export interface CountersignOptions extends SettingOptions {
  /**
   * - the path of a SQLite file, or `:memory:`. The file is created if it does not exist. Only one process with workers
   *   can use it;
   * - a URL, `postgresql://user:password@host:port/database`. Several processes may share the database;
   * - `{ pool }`: your own `pg.Pool`. `close` does not end it. Set its timeouts yourself, and listen to its `error`
   *   event: without a listener, `pg` ends the process when an unused connection breaks;
   * - `{ stores }`: an Effect layer of all stores.
   *
   * A built-in database is migrated when it is opened.
   */
  readonly database: string | { readonly pool: HostPool } | { readonly stores: Layer.Layer<Stores, unknown> }
  /**
   * Swap providers, in order of preference among equal quotes: "UNISWAP_V3" for the built-in provider, and your own
   * providers. Default: `["UNISWAP_V3"]`.
   */
  readonly providers?: ReadonlyArray<"UNISWAP_V3" | HostSwapProvider>
  /**
   * Id of the project for calls without `project(id)`. Default: a project named "default", which is created if it does
   * not exist.
   */
  readonly project?: string
  /**
   * Whether this process executes operations, sends the operator's transactions, delivers webhooks and deletes old
   * data. Default: true. If false, this process only prepares and accepts operations, and another process on the same
   * database must do the rest.
   */
  readonly workers?: boolean
  /** Returns the time in Unix milliseconds. Default: the machine's clock. Delays always use the machine's clock. */
  readonly clock?: () => number
  /** Receives log messages with their fields. Default: warnings and errors go to the console. */
  readonly logger?: HostLogger
}
