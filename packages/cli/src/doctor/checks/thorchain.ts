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
    waitsFor: "swaps out of bitcoins",
    byItself:
      "It is asked again with the next quote. What is on its way is looked for on its chains once a THORNode tells of it.",
    whatToDo: "Where it does not answer, check that it can be reached from here, or name another in THORNODE_URL."
  })

/** Whether a THORNode answers, and takes bitcoins. */
export const diagnoseThorchain = (state: ThorchainState | null): ReadonlyArray<Finding> => {
  if (state === null) return []
  if (state._tag !== "Seen") return [waits(`does not answer: ${state.reason}`)]
  const bitcoin = state.value.find(({ chain }) => chain === "BTC")
  if (bitcoin === undefined) return [waits("has no vault for bitcoins")]
  return bitcoin.halt === null
    ? [ok("THORChain", "answers, and takes bitcoins")]
    : [waits(`takes no bitcoins: ${bitcoin.halt}`)]
}
