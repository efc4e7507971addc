import { EsploraChain } from "@countersign/adapters/bitcoin"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { Configuration } from "./configuration.ts"

interface EsploraHeight {
  readonly host: string
  /** Null where it tells none. */
  readonly height: number | null
  readonly reason: string | null
  /** Of the sandbox: no real coins. */
  readonly isRegtest: boolean
}

export const observeBitcoin = ({ sandboxHome, settings }: Configuration) =>
  Effect.map(EsploraChain.esploraHeights({ urls: settings.bitcoin?.esploraUrls ?? [] }), (heights) =>
    heights.map((height) => ({ ...height, isRegtest: sandboxHome !== null }))
  )

const REGTEST_NOTE = "; its coins are regtest's, whose addresses have the main network's form: pay no real ones to them"

/** Blocks reach hosts at different times; more than this apart, one of them stands still or is on another branch. */
const MOST_BEHIND = 2

/** Whether each host of Bitcoin's chain answers, and whether they agree on its height. */
export const diagnoseBitcoin = (heights: ReadonlyArray<EsploraHeight>): ReadonlyArray<Finding> => {
  const highest = Math.max(...heights.map(({ height }) => height ?? 0))
  const details = {
    waitsFor: "balances of Bitcoin addresses",
    byItself: "The next host of ESPLORA_URLS stands in for one that does not answer. Nothing else needs them.",
    whatToDo: "Check that the host can be reached from here and follows the chain, or name another in ESPLORA_URLS."
  }
  return heights.map(({ height, host, isRegtest, reason }) => {
    const subject = `Bitcoin by ${host}`
    if (height === null) return waiting(subject, `does not answer: ${reason}`, details)
    const behind = highest - height
    return behind <= MOST_BEHIND
      ? ok(subject, `answers; the latest block is ${height}${isRegtest ? REGTEST_NOTE : ""}`)
      : waiting(
          subject,
          `is at block ${height}, ${behind} blocks behind another host: its balances are of the past`,
          details
        )
  })
}
