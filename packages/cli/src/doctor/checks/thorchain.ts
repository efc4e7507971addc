import { type Inbound, inboundsOf } from "@countersign/adapters/exchanges/thorchain"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type Observed, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

type ThorchainState = Observed<ReadonlyArray<Inbound>>

export const observeThorchain = ({ settings }: Configuration, deadlineMs: number) =>
  settings.thorchain === undefined
    ? Effect.succeed(null)
    : observe(inboundsOf(settings.thorchain.url, deadlineMs), deadlineMs)

const waits = (text: string): Finding =>
  waiting("THORChain", text, {
    waitsFor: "swaps from Bitcoin",
    byItself: "The next quote calls it again. Pending swaps are checked on their chains once a THORNode reports them.",
    whatToDo: "If it does not respond, check that this machine can reach it, or set another one in THORNODE_URL."
  })

/** Reports whether a THORNode responds, and whether THORChain accepts bitcoin deposits. */
export const diagnoseThorchain = (state: ThorchainState | null): ReadonlyArray<Finding> => {
  if (state === null) return []
  if (state._tag !== "Seen") return [waits(`does not respond: ${state.reason}`)]
  const bitcoinInbound = state.value.find(({ chain }) => chain === "BTC")
  if (bitcoinInbound === undefined) return [waits("has no vault for bitcoins")]
  return bitcoinInbound.halt === null
    ? [ok("THORChain", "responds, and accepts bitcoins")]
    : [waits(`does not accept bitcoins: ${bitcoinInbound.halt}`)]
}
