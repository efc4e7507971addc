import { acrossOrNull } from "@countersign/adapters/chains/deployments"
import { type BridgeRequest, httpAcrossFees } from "@countersign/adapters/exchanges/across"
import { chainOf } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

interface AcrossState {
  /** Names of the two chains of the sample transfer. */
  readonly between: readonly [string, string]
  /** Estimated duration of the sample transfer, as reported by Across, in seconds. */
  readonly seconds: CheckResult<number>
}

const DOLLARS = 1_000n

/**
 * Returns a transfer of a US dollar token between the first two chains that both the service and Across support. Null
 * if there are fewer than two.
 */
const sampleOrNull = ({ settings }: Configuration): BridgeRequest | null => {
  const tokens = settings.activeChains().flatMap((chainId) => {
    const address = acrossOrNull(chainId)?.tokens.USDC
    // BNB Chain's US dollar tokens have 18 decimals.
    return address === undefined ? [] : [{ chainId, address, decimals: chainId === 56 ? 18 : 6 }]
  })
  const [from, to] = tokens
  if (from === undefined || to === undefined) return null
  return { from, to, amountIn: DOLLARS * 10n ** BigInt(from.decimals), message: null }
}

export const observeAcross = (configuration: Configuration, deadlineMs: number) =>
  Effect.gen(function* () {
    const { across } = configuration.settings
    const sample = sampleOrNull(configuration)
    if (across === undefined || sample === null) return null
    const fees = httpAcrossFees(across)
    const seconds = yield* observe(
      Effect.map(fees.feesOf(sample), ({ fillSeconds }) => fillSeconds),
      deadlineMs
    )
    const state: AcrossState = {
      between: [chainOf(sample.from.chainId).name, chainOf(sample.to.chainId).name],
      seconds
    }
    return state
  })

/** Reports whether Across returns fees for a transfer. */
export const diagnoseAcross = (state: AcrossState | null): ReadonlyArray<Finding> => {
  if (state === null) return []
  const { between, seconds } = state
  if (seconds._tag === "Seen")
    return [ok("Across", `responds; a transfer from ${between.join(" to ")} takes ${seconds.value} s`)]
  return [
    waiting("Across", `returns no fees: ${seconds.reason}`, {
      waitsFor: "a response of Across with fees",
      byItself: "The next quote queries Across again. Pending transfers need only the nodes of their chains.",
      whatToDo: "Check the API key (ACROSS_API_KEY), and that this machine can reach Across (ACROSS_URL)."
    })
  ]
}
