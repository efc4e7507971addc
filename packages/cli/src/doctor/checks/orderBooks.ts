import { orderBookPaths } from "@countersign/adapters/chains/deployments"
import { COW_API_URL, probeOrderBook } from "@countersign/adapters/exchanges/cow"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import { type CheckResult, observe } from "../Observed.ts"
import type { Configuration } from "./configuration.ts"

interface OrderBookState {
  readonly chainId: EvmChainId
  /** Version in the response; null if the response contains none. */
  readonly version: CheckResult<string | null>
}

/** Queries the order books of the served chains. */
export const observeOrderBooks = ({ settings }: Configuration, deadlineMs: number) =>
  Effect.forEach(
    settings.activeChains().filter((chainId) => orderBookPaths[chainId] !== undefined),
    (chainId) =>
      Effect.map(
        observe(probeOrderBook(settings.cowApiUrl ?? COW_API_URL, chainId, deadlineMs), deadlineMs),
        (version): OrderBookState => ({ chainId, version })
      ),
    { concurrency: "unbounded" }
  )

/** Reports whether each order book responds. */
export const diagnoseOrderBooks = (states: ReadonlyArray<OrderBookState>): ReadonlyArray<Finding> =>
  states.map(({ chainId, version }) => {
    const subject = `order book of ${chainOf(chainId).name}`
    if (version._tag === "Seen")
      return ok(subject, version.value === null ? "responds" : `responds; version ${version.value}`)
    return waiting(subject, `does not respond: ${version.reason}`, {
      waitsFor: "a response of the order book",
      byItself:
        "Placed orders can still be filled on-chain. Their status is updated when the order book responds again.",
      whatToDo: "Check that this machine can reach the order book (COW_API_URL)."
    })
  })
