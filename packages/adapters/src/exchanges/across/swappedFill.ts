import { isNativeToken, maxBigInt, minBigInt } from "@countersign/core/foundation/primitives"
import { amountOf, arrivingTransfers } from "@countersign/core/operations/executions"
import { decodeAbiParameters, getAbiItem, type Hex, parseAbi, toEventSelector } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { nativeTransfersTo, type RpcClients } from "../../chains/evm/index.ts"
import { multicallHandlerAbi } from "./abi.ts"
import { instructions } from "./arrivalSwap.ts"
import { type Deposit, wordToAddress } from "./deposits.ts"
import type { Fill, Settlement } from "./fills.ts"
import { arrivedByFill, findArrivedToken, type ReceiptLog, type SwappedFill } from "./handledFill.ts"

const CALLS_FAILED = toEventSelector(getAbiItem({ abi: multicallHandlerAbi, name: "CallsFailed" }))
/** Event of WETH9. WPOL, WBNB and WAVAX emit the same event. */
const WITHDRAWAL = toEventSelector(parseAbi(["event Withdrawal(address indexed src, uint256 wad)"])[0])

interface ExpectedSwap extends SwappedFill {
  /** The expected output of the swap. */
  readonly amountOut: bigint
}

/** Sums the native tokens that the handler and the routers of a message unwrapped. The receiver gets all of them. */
const unwrappedAmountIn = (logs: ReadonlyArray<ReceiptLog>, { destinationChainId, relay }: Deposit): bigint => {
  const [{ calls }] = decodeAbiParameters(instructions, relay.message)
  const payers = new Set([wordToAddress(relay.recipient), ...calls.map(({ target }) => target.toLowerCase())])
  const { address } = deploymentOf(destinationChainId).wrappedNative
  return logs
    .filter((log) => log.address.toLowerCase() === address && log.topics[0] === WITHDRAWAL)
    .filter(({ topics }) => payers.has(wordToAddress(topics[1] as Hex)))
    .reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/**
 * Determines the native tokens that a swap paid to its receiver. If no node traces the transaction, the logs of the
 * routers show the amount. A pool that holds native tokens emits no such log. In this case the amount is the increase
 * of the balance, but at least the minimum that the router enforced and at most the expected output.
 */
const nativeOutput = async (
  rpc: RpcClients["Service"],
  deposit: Deposit,
  { block, hash, logs }: Fill,
  { amountOut, minAmountOut, receiver }: ExpectedSwap
) => {
  const arrivedTransfers = await nativeTransfersTo(rpc, deposit.destinationChainId, { account: receiver, hash, block })
  if (arrivedTransfers.hash === hash) {
    const transfers = arrivingTransfers(arrivedTransfers.transfers, amountOut)
    return { arrived: arrivedTransfers, amount: amountOf(transfers), from: transfers[0]?.from ?? null }
  }
  const unwrappedAmount = unwrappedAmountIn(logs, deposit)
  const receivedAmount = maxBigInt(minAmountOut, minBigInt(amountOf(arrivedTransfers.transfers), amountOut))
  return {
    arrived: arrivedTransfers,
    amount: unwrappedAmount >= minAmountOut ? unwrappedAmount : receivedAmount,
    from: null
  }
}

/**
 * Determines the token that a fill with a swap delivered to its receiver: the output token, or the bridged token if the
 * swap failed. Null if the fill delivered nothing.
 */
export const settlementOfSwap = async (
  rpc: RpcClients["Service"],
  deposit: Deposit,
  fill: Fill,
  swap: ExpectedSwap
): Promise<Settlement | null> => {
  const handler = wordToAddress(deposit.relay.recipient)
  const isNative = isNativeToken(swap.tokenOut)
  const hasFailed = fill.logs.some(
    ({ address, topics }) => address.toLowerCase() === handler && topics[0] === CALLS_FAILED
  )
  if (isNative && !hasFailed) {
    const { amount, arrived, from } = await nativeOutput(rpc, deposit, fill, swap)
    return amount === 0n ? null : { ...fill, token: swap.tokenOut, amount, arrived, counterparty: from ?? handler }
  }
  const arrival = isNative ? findArrivedToken(fill.logs, swap.bridged, swap.receiver) : arrivedByFill(fill.logs, swap)
  return arrival === null
    ? null
    : { ...fill, ...arrival, arrived: { ...arrival, hash: fill.hash }, counterparty: arrival.from }
}
