import type { Settings } from "@countersign/adapters/service/composition"
import { chainOf, isEvmChainId } from "@countersign/core/foundation/chains"
import { ActivitySettings, lagOf, type WatchedChain } from "@countersign/core/wallets/chain-activity"
import { DateTime } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { Observed } from "../Observed.ts"
import { count } from "../words.ts"

/** A chain that is behind for so long, and for so many of its blocks, is not read as fast as it grows. */
const LATE_SECONDS = 120
const LATE_BLOCKS = 20

const lateSeconds = (chain: WatchedChain): number =>
  Math.max(LATE_SECONDS, (LATE_BLOCKS * chainOf(chain.chainId).blockTimeMs) / 1_000)

const findingOf = (chain: WatchedChain, withCoin: boolean, now: DateTime.Utc): Finding => {
  const subject = `transfers of wallets on ${chainOf(chain.chainId).name}`
  const { progress } = chain
  if (progress === null) return ok(subject, "are looked for as soon as a wallet is registered")
  const { blocks, seconds } = lagOf(progress, DateTime.toEpochMillis(now))
  const place = `read up to block ${progress.last.number}, ${count(blocks, "block")} and ${Math.round(seconds)} s behind`
  if (seconds > lateSeconds(chain)) {
    return failing(subject, place, {
      waitsFor: "a running service, and a node that answers",
      byItself: "What was missed is read later, and is in the history then.",
      whatToDo: isEvmChainId(chain.chainId)
        ? "See that the service runs and what it logs of this chain. Where its node is too slow, take another, or set WATCH_TRANSFERS=tokens."
        : "See that the service runs and what it logs of Bitcoin's chain. Where a host of ESPLORA_URLS limits the rate, name more."
    })
  }
  return withCoin && !progress.seesInternalCoin
    ? waiting(subject, `${place}; coin that contracts pay out is not seen, because the node traces no blocks`, {
        byItself: "Tokens, and coin that transactions bring themselves, are found.",
        whatToDo: "Take a node with debug_traceBlockByNumber or trace_block."
      })
    : ok(subject, place)
}

/** How far the chains are read that are watched for transfers of wallets. */
export const diagnoseActivity = (
  activity: Observed<ReadonlyArray<WatchedChain>>,
  settings: Pick<Settings, "activity" | "activeChains" | "bitcoin">,
  now: DateTime.Utc
): ReadonlyArray<Finding> => {
  const { isOn, withCoin } = settings.activity ?? ActivitySettings.defaultValue()
  if (!isOn) return [ok("transfers of wallets", "are not looked for: WATCH_TRANSFERS is off")]
  if (activity._tag === "Unseen") {
    return [waiting("transfers of wallets", `not known: ${activity.reason}`, { waitsFor: "the database" })]
  }
  const active: ReadonlyArray<number> = settings.activeChains()
  const readsBitcoin = (settings.bitcoin?.esploraUrls ?? []).length > 0
  return activity.value
    .filter(({ chainId }) => (isEvmChainId(chainId) ? active.includes(chainId) : readsBitcoin))
    .map((chain) => findingOf(chain, withCoin, now))
}
