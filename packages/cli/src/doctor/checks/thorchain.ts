import { type Inbound, inboundsOf } from "@countersign/adapters/exchanges/thorchain"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

type ThorchainState = CheckResult<ReadonlyArray<Inbound>>

export const observeThorchain = ({ settings }: Configuration, deadlineMs: number) =>
  settings.thorchain === undefined
    ? Effect.succeed(null)
    : observe(inboundsOf(settings.thorchain.url, deadlineMs), deadlineMs)

const thorchainWaiting = (text: string): Finding =>
  waiting("THORChain", text, {
    waitsFor: "a THORNode that reports a vault for bitcoin deposits",
    byItself:
      "The next quote queries THORChain again. Pending swaps are updated once a THORNode reports their payouts.",
    whatToDo:
      "If the THORNode does not respond, check that this machine can reach it, or set another one in THORNODE_URL."
  })

/** Reports whether a THORNode responds, and whether THORChain accepts bitcoin deposits. */
export const diagnoseThorchain = (state: ThorchainState | null): ReadonlyArray<Finding> => {
  if (state === null) return []
  if (state._tag !== "Seen") return [thorchainWaiting(`does not respond: ${state.reason}`)]
  const bitcoinInbound = state.value.find(({ chain }) => chain === "BTC")
  if (bitcoinInbound === undefined) return [thorchainWaiting("reports no vault for bitcoin deposits")]
  return bitcoinInbound.halt === null
    ? [ok("THORChain", "responds, and accepts bitcoin deposits")]
    : [thorchainWaiting(`does not accept bitcoin deposits: ${bitcoinInbound.halt}`)]
}
