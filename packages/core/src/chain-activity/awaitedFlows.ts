import { Effect } from "effect"
import { type Flow, flowsOf } from "../executions/index.ts"
import { type HistoryFilter, HistoryStore, type Transaction } from "../history/index.ts"
import { type Address, NATIVE_COIN } from "../primitives/index.ts"
import { isToken } from "../tokens/index.ts"
import { WalletStore } from "../wallets/index.ts"
import type { Evidence } from "./Activity.ts"
import type { Sighted } from "./ActivityStore.ts"

/** Transfers of a wallet that are on their way to other chains at once, and orders that are open. */
const UNDER_WAY_MOST = 100

/** The very amount that was quoted, on the chain where it is to arrive. */
const isExpected = ({ expected }: Transaction, chainId: number, { account, net, token }: Flow): boolean =>
  expected.some(
    (moved) =>
      moved.direction === "IN" &&
      moved.account === account &&
      isToken(moved.asset) &&
      moved.asset.chainId === chainId &&
      moved.asset.token === token &&
      moved.amount === net
  )

/** Something comes back from where the transaction has sent it: alone, or in one sum with others. */
const isReturn = ({ movements }: Transaction, chainId: number, { account, counterparty }: Flow): boolean =>
  movements.some(
    (moved) =>
      moved.direction === "OUT" &&
      moved.role === "PRINCIPAL" &&
      moved.account === account &&
      isToken(moved.asset) &&
      moved.asset.chainId === chainId &&
      moved.counterparty === counterparty
  )

/** What an order of the wallet sells goes to where it is settled. A fill that the order's history has is known. */
const isFill = ({ expected, legs }: Transaction, { chainId, transactionHash }: Place, flow: Flow): boolean =>
  flow.net < 0n &&
  !legs.some(({ hash }) => hash === transactionHash) &&
  expected.some(
    (moved) =>
      moved.direction === "OUT" &&
      moved.account === flow.account &&
      isToken(moved.asset) &&
      moved.asset.chainId === chainId &&
      moved.asset.token === flow.token &&
      moved.counterparty === flow.counterparty
  )

type Place = Pick<Sighted["sighting"], "chainId" | "transactionHash">

/**
 * Whether what came to an account, or left it, is what one of its transactions waits for, which will record it: a transfer to
 * another chain, or a limit order. A watcher of the chain may see it first, and nothing in the block tells, since somebody
 * else has made it.
 */
export const awaitedFlows = Effect.gen(function* () {
  const history = yield* HistoryStore
  const wallets = yield* WalletStore

  const underWayOf = Effect.fnUntraced(function* (address: Address, filter: HistoryFilter) {
    const registrations = yield* wallets.registrations(address)
    const lists = yield* Effect.forEach(registrations, ({ projectId }) =>
      history.list({ projectId, walletAddress: address, filter, after: null, take: UNDER_WAY_MOST })
    )
    return lists.flat()
  })

  return Effect.fnUntraced(function* ({ sighting }: Sighted, { transfers }: Evidence) {
    const { address, chainId, coin } = sighting
    const coins = coin.map((moved) => ({ token: NATIVE_COIN, ...moved }))
    const flows = flowsOf([...transfers, ...coins], [address])
    const arrivals = flows.filter(({ net }) => net > 0n)
    if (arrivals.length > 0) {
      const crossing = yield* underWayOf(address, { statuses: ["ON_BRIDGE"] })
      const isOf = (flow: Flow) => (each: Transaction) =>
        isExpected(each, chainId, flow) || isReturn(each, chainId, flow)
      if (arrivals.some((flow) => crossing.some(isOf(flow)))) return true
    }
    if (arrivals.length === flows.length) return false
    const orders = yield* underWayOf(address, { types: ["LIMIT_ORDER"], statuses: ["PROCESSING"] })
    return flows.some((flow) => orders.some((order) => isFill(order, sighting, flow)))
  })
})
