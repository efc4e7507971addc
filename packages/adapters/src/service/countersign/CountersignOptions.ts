import type { Layer } from "effect"
import type { HostPool, Stores } from "../../storage/kysely/index.ts"
import type { HostSwapProvider } from "./HostSwapProvider.ts"
import type { HostLogger } from "./hostLogger.ts"
import type { SettingOptions } from "./SettingOptions.ts"

/** The options of `Countersign.open`. `database` and `chains` suffice to prepare operations. */
export interface CountersignOptions extends SettingOptions {
  /**
   * - the path of a SQLite file, which is made where there is none, or `:memory:`. One process works on it;
   * - a URL, `postgresql://user:password@host:port/database`. Several processes may share the database;
   * - `{ pool }`: a `pg.Pool` of yours. It is not ended by `close`. Set its timeouts yourself, and listen to its `error` event:
   *   without a listener, `pg` ends the process when an unused connection breaks;
   * - `{ stores }`: an Effect layer of all stores.
   *
   * A database of ours is brought up to date when it is opened.
   */
  readonly database: string | { readonly pool: HostPool } | { readonly stores: Layer.Layer<Stores, unknown> }
  /**
   * Who is asked for swaps, in the order in which equal quotes are preferred: "UNISWAP_V3" for ours, and providers of
   * yours. `["UNISWAP_V3"]` when left out.
   */
  readonly providers?: ReadonlyArray<"UNISWAP_V3" | HostSwapProvider>
  /** Id of the project that calls without `project(id)` are for; one named "default", which is made here, when left out. */
  readonly project?: string
  /**
   * Whether this process follows operations to their end, keeps the operator's transactions on their way, delivers
   * webhooks and removes what is old; true when left out. With false it only prepares and accepts: another process on the
   * same database has to do the rest.
   */
  readonly workers?: boolean
  /** Tells the time, in Unix milliseconds; the machine's clock when left out. Waits go by the machine's. */
  readonly clock?: () => number
  /** Gets what is logged, with its fields. Warnings and errors go to the console when left out. */
  readonly logger?: HostLogger
}
