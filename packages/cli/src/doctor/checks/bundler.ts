import {
  type OperatorFunds,
  probeBundler,
  probeOperator,
  type ServiceProbe
} from "@countersign/adapters/chains/diagnosis"
import { operatorAddresses, type RpcClients } from "@countersign/adapters/chains/evm"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { ALARM_OPERATIONS, affordableOperations, requiredAmount } from "@countersign/core/operations/oversight"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { DateTime, Effect } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import { countText, isoText, nameOf, nativeTokensText } from "../words.ts"
import type { Configuration } from "./configuration.ts"
import { failureText, remedyOf } from "./nodes.ts"
import { hostResponses, readServiceFunds, type ServiceState } from "./onChains.ts"
import { operationsText } from "./operationsPaid.ts"

export type BundlerState = ServiceState<{ readonly version: EntryPointVersion }, OperatorFunds>

type Observation = Effect.Effect<ReadonlyArray<BundlerState>, never, RpcClients>

export const observeBundler = ({ settings }: Configuration, deadlineMs: number): Observation => {
  const { bundler } = settings
  if (bundler._tag === "None") return Effect.succeed([])
  if (bundler._tag === "Rpc") return hostResponses(settings, bundler.urls, probeBundler)
  const addresses = operatorAddresses(bundler.operatorKeys)
  const fundReads = (["0.7", "0.8"] as const).flatMap((version) =>
    addresses[version].map((address) =>
      readServiceFunds(settings, { version }, deadlineMs, (chainId) => probeOperator(chainId, address))
    )
  )
  return Effect.map(Effect.all(fundReads, { concurrency: "unbounded" }), (states) => states.flat())
}

/** Returns the chains on which an operator account has too few native tokens to pay for an operation. */
export const chainsWithoutNativeTokens = (states: ReadonlyArray<BundlerState>): ReadonlySet<EvmChainId> =>
  new Set(
    states.flatMap((state) =>
      state._tag === "Self" &&
      state.funds._tag === "Seen" &&
      affordableOperations(state.funds.value.balance, state.funds.value.maxFeePerGas) === 0n
        ? [state.chainId]
        : []
    )
  )

const balanceFinding = (
  chainId: EvmChainId,
  version: EntryPointVersion,
  { address, balance, maxFeePerGas }: OperatorFunds
): Finding => {
  const subject = `${nameOf(chainId)} bundler ${version}`
  const operations = affordableOperations(balance, maxFeePerGas)
  const detail = `${nativeTokensText(balance, chainId)}, ${operationsText(operations)}; operator ${address}`
  if (operations === null || operations >= ALARM_OPERATIONS) return ok(subject, detail)
  const requiredBalance = nativeTokensText(requiredAmount(maxFeePerGas), chainId)
  const whatToDo = `Send ${requiredBalance} or more to ${address} on ${nameOf(chainId)}.`
  return operations === 0n
    ? failing(subject, `${nativeTokensText(balance, chainId)}, less than one operation may cost; operator ${address}`, {
        waitsFor: `native tokens on ${nameOf(chainId)} for the operator`,
        byItself:
          "Accepted operations wait. The service sends them once the operator has native tokens. Otherwise they fail at their deadlines.",
        whatToDo
      })
    : waiting(subject, detail, {
        waitsFor: `more native tokens on ${nameOf(chainId)} for the operator`,
        byItself: "Each operation refunds its cost. Without more native tokens, a higher gas price stops the bundler.",
        whatToDo
      })
}

const STUCK_BLOCKS = 5
const STUCK_MS = 60_000

const isStuck = (chainId: EvmChainId, since: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since) >
  Math.max(STUCK_MS, STUCK_BLOCKS * chainOf(chainId).blockTimeMs)

/**
 * Reports pending operator transactions. They are normal, unless an operation has waited for its inclusion for a long
 * time.
 */
const poolFinding = (
  chainId: EvmChainId,
  version: EntryPointVersion,
  { address, latestNonce, pendingNonce }: OperatorFunds,
  waitingSince: DateTime.Utc | null,
  now: DateTime.Utc
): ReadonlyArray<Finding> => {
  const pendingCount = pendingNonce - latestNonce
  if (pendingCount <= 0) return []
  const subject = `${nameOf(chainId)} bundler ${version}'s transactions`
  const detail = `${countText(pendingCount, "transaction")} of the operator ${pendingCount === 1 ? "waits" : "wait"} for a block, from nonce ${latestNonce} on`
  const waitsFor = `a block of ${nameOf(chainId)} that includes nonce ${latestNonce}`
  return waitingSince !== null && isStuck(chainId, waitingSince, now)
    ? [
        failing(subject, detail, {
          waitsFor,
          since: isoText(waitingSince),
          byItself:
            "A running service sends this transaction again with a higher fee. All later transactions wait for it.",
          whatToDo: `Start the service if it does not run. If it runs, search its log for errors about nonce ${latestNonce} of ${address}.`
        })
      ]
    : [
        waiting(subject, detail, {
          waitsFor,
          byItself: "The next blocks include these transactions.",
          whatToDo: "Nothing, unless this lasts for minutes."
        })
      ]
}

const hostFinding = (chainId: EvmChainId, probe: ServiceProbe): Finding => {
  const subject = `${nameOf(chainId)} bundler ${probe.host}`
  const settingName = `BUNDLER_URL_${chainId}`
  const consequence = "Operations wait, and the service resubmits them until their deadlines. Quotes return SWAP_QUOTE."
  if (probe._tag === "Failed") {
    return failing(subject, failureText(probe.failure), {
      waitsFor: `a usable response of ${probe.host}`,
      byItself: consequence,
      whatToDo: remedyOf(probe.failure, settingName)
    })
  }
  if (probe.chainId !== null && probe.chainId !== chainId) {
    return failing(subject, `is a bundler of chain ${probe.chainId}, not of ${nameOf(chainId)}`, {
      waitsFor: `a bundler of ${nameOf(chainId)} at that URL`,
      byItself: consequence,
      whatToDo: `Set ${settingName} to the URL of a bundler of ${nameOf(chainId)}.`
    })
  }
  const { missingEntryPoints } = probe
  return missingEntryPoints.length === 0
    ? ok(subject, "responds, and supports EntryPoint 0.7 and 0.8")
    : failing(subject, `responds, but does not support EntryPoint ${missingEntryPoints.join(" and ")}`, {
        waitsFor: `a bundler with EntryPoint ${missingEntryPoints.join(" and ")}`,
        byItself: `Nothing: operations of accounts on EntryPoint ${missingEntryPoints.join(" and ")} are rejected.`,
        whatToDo: `Set ${settingName} to a bundler that supports both versions.`
      })
}

/**
 * Reports the state of the bundler. `waitingSince` is the acceptance time of the oldest operation that is not included
 * yet, by chain.
 */
export const diagnoseBundler = (
  states: ReadonlyArray<BundlerState>,
  waitingSince: ReadonlyMap<EvmChainId, DateTime.Utc>,
  now: DateTime.Utc
): ReadonlyArray<Finding> =>
  states.flatMap((state) => {
    const { chainId } = state
    if (state._tag === "Rpc") return state.hosts.map((host) => hostFinding(chainId, host))
    const { funds } = state
    if (funds._tag === "Seen") {
      const { version } = state
      const waitingSinceTime = waitingSince.get(chainId) ?? null
      return [
        balanceFinding(chainId, version, funds.value),
        ...poolFinding(chainId, version, funds.value, waitingSinceTime, now)
      ]
    }
    return [
      waiting(`${nameOf(chainId)} bundler ${state.version}`, `the operator's balance is unknown: ${funds.reason}`, {
        waitsFor: `a node of ${nameOf(chainId)}`
      })
    ]
  })
