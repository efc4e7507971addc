import { type PaymasterFunds, probeDeposits, probePaymaster, type ServiceProbe } from "@countersign/adapters/diagnosis"
import type { RpcClients } from "@countersign/adapters/evm"
import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import { Effect } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import { coins, nameOf } from "../words.ts"
import type { Configuration } from "./configuration.ts"
import { failureInWords, remedyOf } from "./nodes.ts"
import { hostAnswers, ownFunds, type ServiceState } from "./onChains.ts"
import { enough, FEW_OPERATIONS, operationsPaidBy, requiredAmount } from "./operationsPaid.ts"

type Paymasters = Readonly<Record<"0.7" | "0.8", Address>>

export type PaymasterState = ServiceState<{ readonly paymasters: Paymasters }, PaymasterFunds>

type Observation = Effect.Effect<ReadonlyArray<PaymasterState>, never, RpcClients>

export const observePaymaster = ({ settings }: Configuration, deadlineMs: number): Observation => {
  const { paymaster } = settings
  if (paymaster._tag === "None") return Effect.succeed([])
  if (paymaster._tag === "Rpc") return hostAnswers(settings, paymaster.urls, probePaymaster)
  const { paymasters } = paymaster
  return ownFunds(settings, { paymasters }, deadlineMs, (chainId) => probeDeposits(chainId, paymasters))
}

const ofDeposit = (
  chainId: EvmChainId,
  version: "0.7" | "0.8",
  paymaster: Address,
  { deposits, maxFeePerGas }: PaymasterFunds
): Finding => {
  const subject = `${nameOf(chainId)} paymaster ${version}`
  const deposit = deposits[version]
  const operations = operationsPaidBy(deposit, maxFeePerGas)
  const detail = `${coins(deposit, chainId)} deposited, ${enough(operations)}; paymaster ${paymaster}`
  if (operations === null || operations >= FEW_OPERATIONS) return ok(subject, detail)
  const requiredBalance = coins(requiredAmount(maxFeePerGas), chainId)
  const whatToDo = `Deposit ${requiredBalance} or more for ${paymaster} at EntryPoint ${version} on ${nameOf(chainId)} (depositTo).`
  return operations === 0n
    ? failing(
        subject,
        `${coins(deposit, chainId)} deposited, less than one operation may cost; paymaster ${paymaster}`,
        {
          waitsFor: `a deposit at EntryPoint ${version}`,
          byItself: `Nothing: operations of accounts on EntryPoint ${version} that pay gas in tokens revert (AA31).`,
          whatToDo
        }
      )
    : waiting(subject, detail, {
        waitsFor: `a larger deposit at EntryPoint ${version}`,
        byItself: "Every operation that pays gas in tokens takes from it, until none is left.",
        whatToDo
      })
}

const ofHost = (chainId: EvmChainId, probe: ServiceProbe): Finding => {
  const subject = `${nameOf(chainId)} paymaster ${probe.host}`
  return probe._tag === "Answered"
    ? ok(subject, "answers")
    : failing(subject, failureInWords(probe.failure), {
        waitsFor: `a usable answer of ${probe.host}`,
        byItself: "Quotes that pay gas in tokens are refused until it answers; those that pay in coin go on.",
        whatToDo: remedyOf(probe.failure, `PAYMASTER_URL_${chainId}`)
      })
}

export const diagnosePaymaster = (states: ReadonlyArray<PaymasterState>): ReadonlyArray<Finding> =>
  states.flatMap((state) => {
    const { chainId } = state
    if (state._tag === "Rpc") return state.hosts.map((host) => ofHost(chainId, host))
    const { funds, paymasters } = state
    if (funds._tag === "Seen") {
      return (["0.7", "0.8"] as const).map((version) => ofDeposit(chainId, version, paymasters[version], funds.value))
    }
    return [
      waiting(`${nameOf(chainId)} paymaster`, `its deposits are not known: ${funds.reason}`, {
        waitsFor: `a node of ${nameOf(chainId)}`
      })
    ]
  })
