import { probePaymaster, type ServiceProbe } from "@countersign/adapters/chains/diagnosis"
import type { RpcClients } from "@countersign/adapters/chains/evm"
import {
  isSetUp,
  observePaymaster as observeContract,
  type PaymasterState
} from "@countersign/adapters/chains/paymaster-contracts"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { ALARM_OPERATIONS, affordableOperations, requiredAmount } from "@countersign/core/operations/oversight"
import { Effect } from "effect"
import { setUpOf } from "../../environment/paymasterSetUp.ts"
import { planOf, versions } from "../../paymaster/plans.ts"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import { nameOf, nativeTokensText } from "../words.ts"
import type { Configuration } from "./configuration.ts"
import { failureText, remedyOf } from "./nodes.ts"
import { hostResponses, readServiceFunds, type ServiceState } from "./onChains.ts"
import { operationsText } from "./operationsPaid.ts"

type OfVersion<A> = Readonly<Record<"0.7" | "0.8", A>>

export type PaymasterServiceState = ServiceState<{ readonly paymasters: OfVersion<Address> }, OfVersion<PaymasterState>>

type Observation = Effect.Effect<ReadonlyArray<PaymasterServiceState>, never, RpcClients>

export const observePaymaster = ({ settings }: Configuration, deadlineMs: number): Observation => {
  const { paymaster } = settings
  if (paymaster._tag === "Rpc") return hostResponses(settings, paymaster.urls, probePaymaster)
  const setUp = setUpOf(settings)
  if (paymaster._tag === "None" || setUp === null) return Effect.succeed([])
  const stateOf = (chainId: EvmChainId, version: "0.7" | "0.8") =>
    Effect.flatMap(planOf(setUp, chainId, version, []), observeContract)
  return readServiceFunds(settings, { paymasters: paymaster.paymasters }, deadlineMs, (chainId) =>
    Effect.all({ "0.7": stateOf(chainId, "0.7"), "0.8": stateOf(chainId, "0.8") }, { concurrency: 2 })
  )
}

/** Returns what is missing in the setup of a paymaster; empty if the setup is complete. */
const missingSetUp = (state: PaymasterState): ReadonlyArray<string> => {
  if (isSetUp(state)) return []
  if (!state.codeMatches) return [state.hasCode ? "another contract is at its address" : "its contract is not deployed"]
  return [
    ...(state.signerIsListed ? [] : ["it does not list the signer"]),
    ...(state.unlistedOperators.length === 0 ? [] : [`it does not list ${state.unlistedOperators.join(", ")}`]),
    ...(state.unapprovedTokens.length === 0
      ? []
      : [`its treasury has not approved ${state.unapprovedTokens.map(({ symbol }) => symbol).join(", ")}`])
  ]
}

const setUpFinding = (
  subject: string,
  chainId: EvmChainId,
  paymaster: Address,
  missingSteps: ReadonlyArray<string>
): Finding =>
  failing(subject, `${missingSteps.join("; ")}; paymaster ${paymaster}`, {
    waitsFor: "the remaining steps of its setup",
    byItself: "Nothing: operations that pay gas in tokens are rejected or revert.",
    whatToDo: `Run \`countersign paymaster deploy --chain ${chainId}\`, which sends the missing transactions.`
  })

const contractFinding = (
  chainId: EvmChainId,
  version: "0.7" | "0.8",
  paymaster: Address,
  state: PaymasterState
): Finding => {
  const subject = `${nameOf(chainId)} paymaster ${version}`
  const missingSteps = missingSetUp(state)
  return missingSteps.length > 0
    ? setUpFinding(subject, chainId, paymaster, missingSteps)
    : depositFinding(chainId, version, paymaster, state)
}

const depositFinding = (
  chainId: EvmChainId,
  version: "0.7" | "0.8",
  paymaster: Address,
  { deposit, maxFeePerGas }: PaymasterState
): Finding => {
  const subject = `${nameOf(chainId)} paymaster ${version}`
  const operations = affordableOperations(deposit, maxFeePerGas)
  const detail = `${nativeTokensText(deposit, chainId)} deposited, ${operationsText(operations)}; paymaster ${paymaster}`
  if (operations === null || operations >= ALARM_OPERATIONS) return ok(subject, detail)
  const requiredBalance = nativeTokensText(requiredAmount(maxFeePerGas), chainId)
  const whatToDo = `Deposit ${requiredBalance} or more for ${paymaster} at EntryPoint ${version} on ${nameOf(chainId)} (depositTo).`
  return operations === 0n
    ? failing(
        subject,
        `${nativeTokensText(deposit, chainId)} deposited, less than one operation may cost; paymaster ${paymaster}`,
        {
          waitsFor: `a deposit at EntryPoint ${version}`,
          byItself: `Nothing: operations that pay gas in tokens revert (AA31) for accounts on EntryPoint ${version}.`,
          whatToDo
        }
      )
    : waiting(subject, detail, {
        waitsFor: `a larger deposit at EntryPoint ${version}`,
        byItself: "Operations that pay gas with tokens use up the deposit.",
        whatToDo
      })
}

const hostFinding = (chainId: EvmChainId, probe: ServiceProbe): Finding => {
  const subject = `${nameOf(chainId)} paymaster ${probe.host}`
  return probe._tag === "Answered"
    ? ok(subject, "responds")
    : failing(subject, failureText(probe.failure), {
        waitsFor: `a usable response of ${probe.host}`,
        byItself:
          "Quotes that pay gas in tokens are rejected until this host responds. Quotes that pay gas in native tokens work.",
        whatToDo: remedyOf(probe.failure, `PAYMASTER_URL_${chainId}`)
      })
}

export const diagnosePaymaster = (states: ReadonlyArray<PaymasterServiceState>): ReadonlyArray<Finding> =>
  states.flatMap((state) => {
    const { chainId } = state
    if (state._tag === "Rpc") return state.hosts.map((host) => hostFinding(chainId, host))
    const { funds, paymasters } = state
    if (funds._tag === "Seen") {
      return versions.map((version) => contractFinding(chainId, version, paymasters[version], funds.value[version]))
    }
    return [
      waiting(`${nameOf(chainId)} paymaster`, `its deposits are unknown: ${funds.reason}`, {
        waitsFor: `a node of ${nameOf(chainId)}`
      })
    ]
  })
