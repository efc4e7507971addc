import type { Settings } from "@countersign/adapters/service/composition"
import { chainOf, isEvmChainId } from "@countersign/core/foundation/chains"
import { ActivitySettings, lagOf, type WatchedChain } from "@countersign/core/wallets/chain-activity"
import { DateTime } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText } from "../words.ts"

/**
 * A chain's watcher is late if it is behind by more than this time, and by more than the duration of this number of
 * blocks.
 */
const LATE_SECONDS = 120
const LATE_BLOCKS = 20

const lateSeconds = (chain: WatchedChain): number =>
  Math.max(LATE_SECONDS, (LATE_BLOCKS * chainOf(chain.chainId).blockTimeMs) / 1_000)

const findingOf = (chain: WatchedChain, withNativeToken: boolean, now: DateTime.Utc): Finding => {
  const subject = `transfers of wallets on ${chainOf(chain.chainId).name}`
  const { progress } = chain
  if (progress === null) return ok(subject, "are searched once the first wallet is registered")
  const { blocks, seconds } = lagOf(progress, DateTime.toEpochMillis(now))
  const progressText = `searched up to block ${progress.last.number}, ${countText(blocks, "block")} and ${Math.round(seconds)} s behind`
  if (seconds > lateSeconds(chain)) {
    return failing(subject, progressText, {
      waitsFor: "a running service, and a node that responds",
      byItself: "The service searches missed blocks later. Their transfers then appear in the history.",
      whatToDo: isEvmChainId(chain.chainId)
        ? "Check that the service runs, and check its log for this chain. If the node is too slow, use another one, or set WATCH_TRANSFERS=tokens."
        : "Check that the service runs, and check its log for Bitcoin. If a server in ESPLORA_URLS limits the request rate, add more servers."
    })
  }
  return withNativeToken && !progress.seesInternalNativeToken
    ? waiting(
        subject,
        `${progressText}; native tokens that contracts pay out are not detected, because the node does not trace blocks`,
        {
          byItself: "Token transfers, and native tokens that transactions send directly, are detected.",
          whatToDo: "Use a node with debug_traceBlockByNumber or trace_block."
        }
      )
    : ok(subject, progressText)
}

/** Reports up to which block each watched chain has been searched for transfers. */
export const diagnoseActivity = (
  activity: CheckResult<ReadonlyArray<WatchedChain>>,
  settings: Pick<Settings, "activity" | "activeChains" | "bitcoin">,
  now: DateTime.Utc
): ReadonlyArray<Finding> => {
  const { isOn, withNativeToken } = settings.activity ?? ActivitySettings.defaultValue()
  if (!isOn) return [ok("transfers of wallets", "are not detected: WATCH_TRANSFERS is off")]
  if (activity._tag === "Unseen") {
    return [waiting("transfers of wallets", `unknown: ${activity.reason}`, { waitsFor: "the database" })]
  }
  const activeChainIds: ReadonlyArray<number> = settings.activeChains()
  const readsBitcoin = (settings.bitcoin?.esploraUrls ?? []).length > 0
  return activity.value
    .filter(({ chainId }) => (isEvmChainId(chainId) ? activeChainIds.includes(chainId) : readsBitcoin))
    .map((chain) => findingOf(chain, withNativeToken, now))
}
