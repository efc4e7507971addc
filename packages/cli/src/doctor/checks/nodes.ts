import {
  type NodeProbe,
  type NodeSimulationMethod,
  type ProbeFailure,
  probeNodes
} from "@countersign/adapters/chains/diagnosis"
import { rpcMethodOf } from "@countersign/adapters/chains/evm"
import { chainOf, type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { DateTime, Effect } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import { redactUrls } from "../Observed.ts"
import { isoText, nameOf, secondsText } from "../words.ts"
import { type Configuration, usableUrls } from "./configuration.ts"
import { queryChains } from "./onChains.ts"

export interface ChainNodes {
  readonly chainId: EvmChainId
  /** The chain's nodes in the failover order of the service. */
  readonly nodes: ReadonlyArray<NodeProbe>
}

/** The service's default timeout. */
const TIMEOUT_MS = 4_000
const MAX_LAG_BLOCKS = 10

/** Number of block times after which the last block is too old: the chain or its node has stopped. */
const STALE_BLOCKS = 10
const STALE_MS = 120_000

export const observeNodes = ({ settings }: Configuration) => {
  const { maxLagBlocks = MAX_LAG_BLOCKS, timeoutMs = TIMEOUT_MS } = settings.rpcLimits ?? {}
  return queryChains(settings, (chainId) =>
    Effect.map(
      probeNodes(chainId, usableUrls(settings.rpcUrls(chainId)), {
        timeoutMs,
        maxLagBlocks,
        detectsSimulationMethod: true
      }),
      (nodes): ChainNodes => ({ chainId, nodes })
    )
  )
}

const isUsable = (node: NodeProbe): boolean => node._tag === "Answered"

/** Returns the chains on which no node returns a usable response. */
export const chainsWithoutNode = (chains: ReadonlyArray<ChainNodes>): ReadonlySet<EvmChainId> =>
  new Set(chains.filter(({ nodes }) => !nodes.some(isUsable)).map(({ chainId }) => chainId))

const CONNECTION_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection (ECONNREFUSED)",
  ENOTFOUND: "has an unknown host name (ENOTFOUND)",
  EAI_AGAIN: "has a host name that could not be resolved (EAI_AGAIN)"
}

/** Describes the failure of a host, as text that follows the host's name. */
export const failureText = (failure: ProbeFailure): string => {
  switch (failure._tag) {
    case "Hung":
      return `did not respond within ${secondsText(failure.timeoutMs)}`
    case "Reset":
      return "closed the connection without a response"
    case "Unreachable":
      return CONNECTION_WORDS[failure.code ?? ""] ?? `could not be reached (${failure.code ?? "no reason given"})`
    case "Limited":
      return failure.retryAfterMs === null
        ? "limits the request rate (HTTP status 429), without a retry time"
        : `limits the request rate (HTTP status 429); retry after ${secondsText(failure.retryAfterMs)}`
    case "HttpStatus":
      return `responded with HTTP status ${failure.status}`
    case "NoJsonRpc":
      return "returned a response that is not JSON-RPC: a web page, invalid JSON, or the response of another service"
    case "Refused":
      return `returned error ${failure.code}: ${redactUrls(failure.message)}`
  }
}

const nodeRemedy = (settingName: string): string =>
  `Check whether the host in ${settingName} is overloaded or down, or set another one.`

/** Returns what the operator can do about a failing host. `settingName` is the setting that contains its URL. */
export const remedyOf = (failure: ProbeFailure, settingName: string): string => {
  switch (failure._tag) {
    case "Hung":
      return nodeRemedy(settingName)
    case "HttpStatus":
      return failure.status < 500 ? `Check the path and the key of the URL in ${settingName}.` : nodeRemedy(settingName)
    case "Reset":
    case "Unreachable":
      return `Check the host and the port of the URL in ${settingName}, and that this machine can reach it.`
    case "Limited":
      return `Ask its provider for a higher limit, or add another host to ${settingName}.`
    case "NoJsonRpc":
      return `Check the URL in ${settingName}: a login page, a proxy or another service responds at this URL.`
    case "Refused":
      return `Check the URL in ${settingName}, and what the host allows.`
  }
}

interface NodeContext {
  readonly chainId: EvmChainId
  /** The host that the service uses while this host fails; null if there is none. */
  readonly substitute: string | null
  /** Name of the setting that contains the node's URL. */
  readonly place: string
}

const consequenceText = ({ chainId, substitute }: NodeContext, retrySentence: string): string =>
  substitute === null
    ? `${retrySentence} Until then quotes on ${nameOf(chainId)} return SWAP_QUOTE. Submitted operations wait, and continue automatically until their deadlines.`
    : `The service uses ${substitute} instead. ${retrySentence}`

/** The service never pauses requests to a host longer than this, even if the host requests it. */
const MAX_COOLDOWN_MS = 30_000

const retryText = (failure: ProbeFailure): string =>
  failure._tag === "Limited" && failure.retryAfterMs !== null
    ? `The service queries this node again after ${secondsText(Math.min(failure.retryAfterMs, MAX_COOLDOWN_MS))}.`
    : "The service queries this node again every 1 to 30 s."

const failureFinding = (subject: string, host: string, failure: ProbeFailure, nodeContext: NodeContext): Finding =>
  failing(subject, failureText(failure), {
    waitsFor: failure._tag === "Limited" ? `${host} to accept requests again` : `a usable response of ${host}`,
    byItself: consequenceText(nodeContext, retryText(failure)),
    whatToDo: remedyOf(failure, nodeContext.place)
  })

const chainText = (chainId: number): string => {
  const chain = evmChainIds.find((id) => id === chainId)
  return chain === undefined ? `chain ${chainId}` : `chain ${chainId} (${nameOf(chain)})`
}

const otherChainFinding = (subject: string, reportedChainId: number, nodeContext: NodeContext): Finding =>
  failing(subject, `is a node of ${chainText(reportedChainId)}, not of ${chainText(nodeContext.chainId)}`, {
    waitsFor: `a node of ${nameOf(nodeContext.chainId)} at that URL`,
    byItself: consequenceText(nodeContext, "The service does not use this node, and checks its chain id every 30 s."),
    whatToDo: `Set ${nodeContext.place} to the URL of a node of ${nameOf(nodeContext.chainId)}.`
  })

type SuccessfulProbe = Extract<NodeProbe, { readonly _tag: "Answered" }>

interface NodeNeeds {
  readonly ownBundler: boolean
  readonly paidFirst: boolean
}

const needsOf = ({ settings }: Configuration): NodeNeeds => ({
  ownBundler: settings.bundler._tag === "Self",
  paidFirst: settings.firstUseOfGasToken === "PAID"
})

interface NodeEvaluation extends NodeContext {
  readonly now: DateTime.Utc
  readonly hasRegularBlocks: boolean
  /** Node features that this service's operations require. */
  readonly needs: NodeNeeds
  /** Whether another node of the chain supports complete traces. */
  readonly isTracedElsewhere: boolean
}

/** What the preview of a quote omits on a node without traces, by the simulation method that the node supports. */
const missingInPreview = {
  SIMULATE: "previews omit token transfers without an event",
  CALL: "previews show no asset changes"
}

const nodeMethodsFinding = (
  subject: string,
  seenHead: string,
  method: NodeSimulationMethod,
  evaluation: NodeEvaluation
): Finding => {
  const { chainId, isTracedElsewhere, needs, place } = evaluation
  if (method === "TRACE") return ok(subject, `${seenHead}; simulates with debug_traceCall`)
  const detail = `${seenHead}; does not support debug_traceCall`
  if (isTracedElsewhere) {
    return waiting(subject, detail, {
      waitsFor: "debug_traceCall",
      byItself: "The service simulates operations on another node of the chain.",
      whatToDo: `Enable the node's debug namespace, so that ${place} contains more than one node for simulations.`
    })
  }
  const simulationText =
    method === "NONE" ? "supports no method with state overrides" : `simulates with ${rpcMethodOf[method]}`
  if (method === "NONE" || (needs.ownBundler && method === "CALL")) {
    return failing(
      subject,
      `${detail}; ${simulationText}; ${needs.ownBundler ? "the bundler" : "the preview"} can't simulate operations with this node`,
      {
        waitsFor: `a node of ${nameOf(chainId)} that supports debug_traceCall or eth_simulateV1`,
        byItself: needs.ownBundler
          ? `Nothing: quotes on ${nameOf(chainId)} return SWAP_QUOTE.`
          : "Only the bundler estimates gas, and previews show no asset changes.",
        whatToDo: `Add such a node to ${place}${needs.ownBundler ? `, or set BUNDLER_URL_${chainId}` : ""}.`
      }
    )
  }
  if (needs.paidFirst) {
    return failing(subject, `${detail}, which FIRST_USE_OF_GAS_TOKEN=paid requires; ${simulationText}`, {
      waitsFor: "debug_traceCall",
      byItself: `Nothing: on ${nameOf(chainId)} the first operation of a wallet that pays gas in a token is rejected.`,
      whatToDo: `Add a node that supports debug_traceCall to ${place}, or set FIRST_USE_OF_GAS_TOKEN=trusted.`
    })
  }
  return ok(subject, `${detail}; ${simulationText}: ${missingInPreview[method]}`)
}

const headFinding = (
  subject: string,
  { head, host, simulationMethod }: SuccessfulProbe,
  evaluation: NodeEvaluation
): Finding => {
  const { chainId, now, place } = evaluation
  const headTime = DateTime.makeUnsafe(head.timestamp * 1_000)
  const seenHead = `block ${head.blockNumber} of ${isoText(headTime)}`
  const ageMs = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(headTime)
  if (head.blocksBehind > 0) {
    return waiting(subject, `LAGGING: ${seenHead}, ${head.blocksBehind} blocks behind the chain's other nodes`, {
      waitsFor: `${host} to catch up`,
      since: isoText(headTime),
      byItself: "The service uses this node last until it has caught up.",
      whatToDo: `If it stays behind, repair the node, or remove it from ${place}.`
    })
  }
  if (evaluation.hasRegularBlocks && ageMs > Math.max(STALE_MS, STALE_BLOCKS * chainOf(chainId).blockTimeMs)) {
    return waiting(subject, `no new block: the last is ${seenHead}, ${secondsText(ageMs)} ago`, {
      waitsFor: "a new block",
      since: isoText(headTime),
      byItself: "Operations wait for a block until their deadlines, or one hour longer if the chain has stopped.",
      whatToDo: `Check whether ${nameOf(chainId)} has stopped. If not, repair the node, or add another one to ${place}.`
    })
  }
  if (evaluation.hasRegularBlocks && ageMs < -STALE_MS) {
    return waiting(subject, `${seenHead}, which is ${secondsText(-ageMs)} ahead of this machine's clock`, {
      waitsFor: "the correct time on this machine",
      byItself: "Quotes and deadlines use this machine's clock, and expire too late.",
      whatToDo: "Synchronize this machine's clock (NTP)."
    })
  }
  return simulationMethod === null
    ? ok(subject, seenHead)
    : nodeMethodsFinding(subject, seenHead, simulationMethod, evaluation)
}

const settingNameOf = (chainId: EvmChainId, { sandboxHome }: Configuration): string =>
  sandboxHome === null ? `RPC_URL_${chainId}` : "the sandbox (`countersign sandbox status`)"

const nodeFinding = (node: NodeProbe, evaluation: NodeEvaluation): Finding => {
  const subject = `${nameOf(evaluation.chainId)} node ${node.host}`
  if (node._tag === "Failed") return failureFinding(subject, node.host, node.failure, evaluation)
  return node._tag === "OtherChain"
    ? otherChainFinding(subject, node.chainId, evaluation)
    : headFinding(subject, node, evaluation)
}

const chainFindings = (
  { chainId, nodes }: ChainNodes,
  configuration: Configuration,
  now: DateTime.Utc
): ReadonlyArray<Finding> =>
  nodes.map((node) => {
    const otherNodes = nodes.filter((other) => other !== node)
    return nodeFinding(node, {
      chainId,
      now,
      substitute: otherNodes.find(isUsable)?.host ?? null,
      place: settingNameOf(chainId, configuration),
      // A sandbox mines a block only for a transaction, so the age of its last block does not matter.
      hasRegularBlocks: configuration.sandboxHome === null,
      needs: needsOf(configuration),
      isTracedElsewhere: otherNodes.some((other) => other._tag === "Answered" && other.simulationMethod === "TRACE")
    })
  })

export const diagnoseNodes = (
  chains: ReadonlyArray<ChainNodes>,
  configuration: Configuration,
  now: DateTime.Utc
): ReadonlyArray<Finding> => chains.flatMap((chain) => chainFindings(chain, configuration, now))
