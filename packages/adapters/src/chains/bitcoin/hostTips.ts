import { Effect } from "effect"
import type { HostFailure } from "../../outbound/json-api/index.ts"
import { coreHost } from "./CoreHost.ts"
import { esploraHost } from "./EsploraHost.ts"
import { tipAt } from "./esploraTip.ts"

/** The latest block that a Bitcoin server reports. */
export interface HostTip {
  readonly hash: string
  readonly height: number
  /** The block's timestamp in Unix milliseconds; null if the server does not return it. */
  readonly minedAtMs: number | null
}

export interface HostTipOptions {
  readonly esploraUrls: ReadonlyArray<string>
  readonly coreUrls?: ReadonlyArray<string>
  readonly timeoutMs: number
}

const tipOf = (host: string, tipRequest: Effect.Effect<HostTip, HostFailure>) =>
  tipRequest.pipe(
    Effect.map((tip) => ({ host, tip, reason: null })),
    Effect.catch(({ message }) => Effect.succeed({ host, tip: null, reason: message }))
  )

/** Reads the latest block of each server, or its failure, for `countersign doctor`. */
export const hostTips = ({ coreUrls = [], esploraUrls, timeoutMs }: HostTipOptions) =>
  Effect.all(
    [
      ...esploraUrls.map((url) => esploraHost(url, timeoutMs)).map((host) => tipOf(host.name, tipAt(host))),
      ...coreUrls.map((url) => coreHost(url, timeoutMs)).map(({ name, tip }) => tipOf(name, tip))
    ],
    { concurrency: "unbounded" }
  )
