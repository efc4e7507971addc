import { evmChainIds } from "@countersign/core/foundation/chains"
import { LIFI_BITCOIN } from "../../../src/exchanges/aggregators/index.ts"
import type { EmulatorResponse } from "../emulator.ts"
import { INVALID, refusal } from "../lifiWire.ts"
import type { DetectedDeposit, SandboxLiFi } from "./SandboxLiFi.ts"

const lifiChainId = (chainId: number): number => (chainId === 0 ? Number(LIFI_BITCOIN) : chainId)

const progressOf = ({ end, isInBlock }: DetectedDeposit) => {
  if (end !== undefined) return { status: "DONE", substatus: end.isRefund ? "REFUNDED" : "COMPLETED" }
  const substatus = isInBlock ? "WAIT_DESTINATION_TRANSACTION" : "WAIT_SOURCE_CONFIRMATIONS"
  return { status: "PENDING", substatus }
}

/** Builds LI.FI's status of a transfer from or to Bitcoin. */
export const statusResponse = async (lifi: SandboxLiFi, query: URLSearchParams): Promise<EmulatorResponse> => {
  const hash = query.get("txHash") ?? ""
  if (!/^(?:0x)?[\da-f]{64}$/iu.test(hash)) return refusal(400, INVALID, "Invalid txHash")
  const fromChain = query.get("fromChain")
  const chainId = evmChainIds.find((id) => String(id) === fromChain)
  const deposit =
    chainId === undefined
      ? await lifi.paymentBy(hash.replace(/^0x/u, ""))
      : await lifi.depositBy(chainId, hash, query.get("fromAddress"))
  const sending = { txHash: hash, chainId: Number(fromChain ?? LIFI_BITCOIN) }
  if (deposit === undefined) return { status: 200, body: { sending, receiving: {}, status: "NOT_FOUND" } }
  const { amount, end } = deposit
  const receiving = end === undefined ? {} : { chainId: lifiChainId(end.chainId), txHash: end.hash, amount: end.amount }
  return {
    status: 200,
    body: { tool: "chainflip", sending: { ...sending, amount: String(amount) }, receiving, ...progressOf(deposit) }
  }
}
