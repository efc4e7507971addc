import { Effect } from "effect"
import type { HostFailure } from "../evm/index.ts"
import { coreHost } from "./CoreHost.ts"
import { esploraHost } from "./EsploraHost.ts"
import { tipAt } from "./esploraTip.ts"

/** The latest block that a host of Bitcoin's chain has. */
export interface HostTip {
  readonly hash: string
  readonly height: number
  /** What the block says, in Unix milliseconds; null where the host does not tell. */
  readonly minedAtMs: number | null
}

export interface HostTipOptions {
  readonly esploraUrls: ReadonlyArray<string>
  readonly coreUrls?: ReadonlyArray<string>
  readonly timeoutMs: number
}

const told = (host: string, asked: Effect.Effect<HostTip, HostFailure>) =>
  asked.pipe(
    Effect.map((tip) => ({ host, tip, reason: null })),
    Effect.catch(({ message }) => Effect.succeed({ host, tip: null, reason: message }))
  )

/** What each host has, or why it does not tell. What `doctor` compares. */
export const hostTips = ({ coreUrls = [], esploraUrls, timeoutMs }: HostTipOptions) =>
  Effect.all(
    [
      ...esploraUrls.map((url) => esploraHost(url, timeoutMs)).map((host) => told(host.name, tipAt(host))),
      ...coreUrls.map((url) => coreHost(url, timeoutMs)).map(({ name, tip }) => told(name, tip))
    ],
    { concurrency: "unbounded" }
  )
