import { NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import type { Flow } from "../../operations/executions/index.ts"
import type { RecordedFlow } from "./ActivityStore.ts"

/** An amount that the history has recorded. Negative for an outflow. Matching subtracts the matched amount from it. */
interface UnmatchedAmount {
  readonly token: string
  readonly counterparty: string | null
  net: bigint
}

/**
 * Returns whether the movement pays native tokens for gas to the EntryPoint, or returns them. Detected transfers do not
 * include these.
 */
const isNativeTokenForGas = ({ asset, counterparty, role }: RecordedFlow): boolean =>
  role === "GAS" && counterparty === null && isToken(asset) && asset.token === NATIVE_TOKEN

const unmatchedAmountsOf = (recordedFlows: ReadonlyArray<RecordedFlow>): ReadonlyArray<UnmatchedAmount> =>
  recordedFlows
    .filter((flow) => !isNativeTokenForGas(flow))
    .flatMap(({ amount, asset, counterparty, direction }) =>
      isToken(asset) ? [{ token: asset.token, counterparty, net: direction === "IN" ? amount : -amount }] : []
    )

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/** If the flow and the recorded amount have the same direction, subtracts the smaller amount from both. */
const subtractMatched = (flow: Flow, part: UnmatchedAmount): void => {
  if (flow.net === 0n || flow.net > 0n !== part.net > 0n) return
  const matchedAmount = absolute(part.net) < absolute(flow.net) ? part.net : flow.net
  flow.net -= matchedAmount
  part.net -= matchedAmount
}

const sumOf = (flows: ReadonlyArray<Flow>, token: string): bigint =>
  flows.reduce((sum, flow) => (flow.token === token ? sum + flow.net : sum), 0n)

/**
 * Returns the flows of an account in a transaction, minus the amounts that the history already contains, even if it
 * contains them with another counterparty. For each token, the recorded and the remaining amounts add up to the moved
 * amount.
 */
export const unrecordedFlows = (
  flows: ReadonlyArray<Flow>,
  recordedFlows: ReadonlyArray<RecordedFlow>
): ReadonlyArray<Flow> => {
  const remainingFlows = flows.map((flow) => ({ ...flow }))
  for (const part of unmatchedAmountsOf(recordedFlows)) {
    const tokenFlows = remainingFlows.filter(({ token }) => token === part.token)
    const sameCounterpartyFlow = tokenFlows.find(({ counterparty }) => counterparty === part.counterparty)
    if (sameCounterpartyFlow === undefined) for (const flow of tokenFlows) subtractMatched(flow, part)
    const matchingFlow = sameCounterpartyFlow ?? tokenFlows[0]
    if (matchingFlow !== undefined) matchingFlow.net -= part.net
  }
  return remainingFlows.filter(({ net, token }) => net !== 0n && sumOf(remainingFlows, token) !== 0n)
}
