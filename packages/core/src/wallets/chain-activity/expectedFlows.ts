import { DateTime, Effect } from "effect"
import { type HistoryFilter, HistoryStore, type Transaction } from "../../accounting/history/index.ts"
import { NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import { type Flow, flowsOf } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { WalletStore } from "../registry/index.ts"
import type { Evidence } from "./Activity.ts"
import { ActivityStore, type StoredTransfer } from "./ActivityStore.ts"
import { unrecordedFlows } from "./unrecordedFlows.ts"

/** Maximum number of a wallet's pending cross-chain transfers and open orders that are compared. */
const MAX_PENDING = 100

/** Divisor of the tolerance for an amount that depends on prices: 1/20 of the quoted amount. */
const TOLERANCE_DIVISOR = 20n

const isAbout = (amount: bigint, quotedAmount: bigint): boolean =>
  amount * TOLERANCE_DIVISOR >= quotedAmount * (TOLERANCE_DIVISOR - 1n) &&
  amount * TOLERANCE_DIVISOR <= quotedAmount * (TOLERANCE_DIVISOR + 1n)

/**
 * Returns whether the flow is approximately the quoted amount on the destination chain, or another asset from the
 * quoted sender.
 */
const isExpected = ({ expected }: Transaction, chainId: number, { account, counterparty, net, token }: Flow): boolean =>
  expected.some(
    (movement) =>
      movement.direction === "IN" &&
      movement.account === account &&
      isToken(movement.asset) &&
      movement.asset.chainId === chainId &&
      ((movement.asset.token === token && isAbout(net, movement.amount)) || movement.counterparty === counterparty)
  )

/**
 * Returns whether the flow comes from an account that the transaction paid, so that it may be a refund. The amount is
 * not compared.
 */
const isRefund = ({ movements }: Transaction, chainId: number, { account, counterparty }: Flow): boolean =>
  movements.some(
    (movement) =>
      movement.direction === "OUT" &&
      movement.role === "PRINCIPAL" &&
      movement.account === account &&
      isToken(movement.asset) &&
      movement.asset.chainId === chainId &&
      movement.counterparty === counterparty
  )

/**
 * Returns whether the flow is the sold amount of the wallet's order, sent to the settlement contract. Excludes a fill
 * that the order's history entry already contains.
 */
const isOrderFill = (
  { expected, legs }: Transaction,
  { chainId, transactionHash }: TransactionOnChain,
  flow: Flow
): boolean =>
  flow.net < 0n &&
  !legs.some(({ hash }) => hash === transactionHash) &&
  expected.some(
    (movement) =>
      movement.direction === "OUT" &&
      movement.account === flow.account &&
      isToken(movement.asset) &&
      movement.asset.chainId === chainId &&
      movement.asset.token === flow.token &&
      movement.counterparty === flow.counterparty
  )

/**
 * Minutes within which a fiat provider usually reports its transfer. Until then the watcher waits, because the provider
 * may credit a different amount than quoted.
 */
const FIAT_REPORT_MINUTES = 2

/** Returns whether the flow is in the token of a pending fiat deposit. The amount is not compared. */
const isOfDeposit = ({ expected, type }: Transaction, chainId: number, { account, token }: Flow): boolean =>
  type === "FIAT_DEPOSIT" &&
  expected.some(
    ({ account: to, asset, direction }) =>
      direction === "IN" && to === account && isToken(asset) && asset.chainId === chainId && asset.token === token
  )

type TransactionOnChain = Pick<StoredTransfer["detectedTransfer"], "chainId" | "transactionHash">

/**
 * Determines whether a pending transaction of the account expects one of these flows, and will record it. The
 * transaction is a cross-chain transfer, a limit order or a fiat order. The chain watcher may detect the flow first,
 * and the block does not show its purpose, because another party sent the transfer.
 */
export const expectedFlowFinder = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const history = yield* HistoryStore
  const wallets = yield* WalletStore

  const bankTypes = ["FIAT_DEPOSIT", "FIAT_WITHDRAWAL"] as const

  const isExpectedIn = Effect.fnUntraced(function* (
    projectId: ProjectId,
    { seenAt, detectedTransfer }: StoredTransfer,
    flows: ReadonlyArray<Flow>
  ) {
    const { address, chainId } = detectedTransfer
    const pendingOf = (filter: HistoryFilter) =>
      history.list({ projectId, walletAddress: address, filter, after: null, take: MAX_PENDING })
    const arrivals = flows.filter(({ net }) => net > 0n)
    if (arrivals.length > 0) {
      const pendingTransactions = yield* pendingOf({ statuses: ["ON_BRIDGE", "PROCESSING"] })
      // Includes transactions that a reorg has moved back to their first stage, because their output may still have
      // arrived.
      const crossChainTransactions = pendingTransactions.filter(
        ({ chainIdIn, chainIdOut, status }) => status === "ON_BRIDGE" || chainIdIn !== chainIdOut
      )
      const fiatTransactions = yield* pendingOf({ types: [...bankTypes], statuses: ["PROCESSING"] })
      const isNew = DateTime.isLessThan(yield* DateTime.now, DateTime.add(seenAt, { minutes: FIAT_REPORT_MINUTES }))
      const isOf = (flow: Flow) => (each: Transaction) =>
        isExpected(each, chainId, flow) || isRefund(each, chainId, flow) || (isNew && isOfDeposit(each, chainId, flow))
      if (arrivals.some((flow) => [...crossChainTransactions, ...fiatTransactions].some(isOf(flow)))) return true
    }
    if (arrivals.length === flows.length) return false
    const orders = yield* pendingOf({ types: ["LIMIT_ORDER", "FIAT_WITHDRAWAL"], statuses: ["PROCESSING"] })
    return flows.some((flow) => orders.some((order) => isOrderFill(order, detectedTransfer, flow)))
  })

  return Effect.fnUntraced(function* (storedTransfer: StoredTransfer, { transfers }: Evidence) {
    const { address, chainId, coin, transactionHash } = storedTransfer.detectedTransfer
    const nativeTokenTransfers = coin.map((nativeTokenTransfer) => ({ token: NATIVE_TOKEN, ...nativeTokenTransfer }))
    const flows = flowsOf([...transfers, ...nativeTokenTransfers], [address])
    for (const { projectId } of yield* wallets.listRegistrations(address)) {
      if (!(yield* isExpectedIn(projectId, storedTransfer, flows))) continue
      // If one transaction has recorded a flow, no other transaction expects it.
      const recordedFlows = yield* activity.listRecorded(projectId, address, chainId, transactionHash)
      if (unrecordedFlows(flows, recordedFlows).length > 0) return true
    }
    return false
  })
})
