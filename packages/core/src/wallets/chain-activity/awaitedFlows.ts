import { DateTime, Effect } from "effect"
import { type HistoryFilter, HistoryStore, type Transaction } from "../../accounting/history/index.ts"
import { NATIVE_COIN } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import { type Flow, flowsOf } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { WalletStore } from "../registry/index.ts"
import type { Evidence } from "./Activity.ts"
import { ActivityStore, type Sighted } from "./ActivityStore.ts"
import { unrecorded } from "./unrecorded.ts"

/** Transfers of a wallet that are on their way to other chains at once, and orders that are open. */
const UNDER_WAY_MOST = 100

/** Of what depends on prices a twentieth more or less may arrive than was quoted. */
const SPREAD = 20n

const isAbout = (amount: bigint, quoted: bigint): boolean =>
  amount * SPREAD >= quoted * (SPREAD - 1n) && amount * SPREAD <= quoted * (SPREAD + 1n)

/** About the amount that was quoted, on the chain where it is to arrive, or something else from who was to send it there. */
const isExpected = ({ expected }: Transaction, chainId: number, { account, counterparty, net, token }: Flow): boolean =>
  expected.some(
    (moved) =>
      moved.direction === "IN" &&
      moved.account === account &&
      isToken(moved.asset) &&
      moved.asset.chainId === chainId &&
      ((moved.asset.token === token && isAbout(net, moved.amount)) || moved.counterparty === counterparty)
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

/** A provider of bank payments may credit another amount than was quoted: it names the transfer within this time, mostly. */
const NAMED_MINUTES = 2

/** Some amount of the token that a deposit from a bank waits for. */
const isOfDeposit = ({ expected, type }: Transaction, chainId: number, { account, token }: Flow): boolean =>
  type === "FIAT_DEPOSIT" &&
  expected.some(
    ({ account: to, asset, direction }) =>
      direction === "IN" && to === account && isToken(asset) && asset.chainId === chainId && asset.token === token
  )

type Place = Pick<Sighted["sighting"], "chainId" | "transactionHash">

/**
 * Whether what came to an account, or left it, is what one of its transactions waits for, which will record it: a transfer to
 * another chain, a limit order, or money of a bank. A watcher of the chain may see it first, and nothing in the block tells, since somebody
 * else has made it.
 */
export const awaitedFlows = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const history = yield* HistoryStore
  const wallets = yield* WalletStore

  const bankTypes = ["FIAT_DEPOSIT", "FIAT_WITHDRAWAL"] as const

  const isAwaitedIn = Effect.fnUntraced(function* (
    projectId: ProjectId,
    { seenAt, sighting }: Sighted,
    flows: ReadonlyArray<Flow>
  ) {
    const { address, chainId } = sighting
    const underWayOf = (filter: HistoryFilter) =>
      history.list({ projectId, walletAddress: address, filter, after: null, take: UNDER_WAY_MOST })
    const arrivals = flows.filter(({ net }) => net > 0n)
    if (arrivals.length > 0) {
      const underWay = yield* underWayOf({ statuses: ["ON_BRIDGE", "PROCESSING"] })
      // One that a reorganisation has sent back to its start may have arrived all the same.
      const crossing = underWay.filter(
        ({ chainIdIn, chainIdOut, status }) => status === "ON_BRIDGE" || chainIdIn !== chainIdOut
      )
      const atBank = yield* underWayOf({ types: [...bankTypes], statuses: ["PROCESSING"] })
      const isNew = DateTime.isLessThan(yield* DateTime.now, DateTime.add(seenAt, { minutes: NAMED_MINUTES }))
      const isOf = (flow: Flow) => (each: Transaction) =>
        isExpected(each, chainId, flow) || isReturn(each, chainId, flow) || (isNew && isOfDeposit(each, chainId, flow))
      if (arrivals.some((flow) => [...crossing, ...atBank].some(isOf(flow)))) return true
    }
    if (arrivals.length === flows.length) return false
    const orders = yield* underWayOf({ types: ["LIMIT_ORDER", "FIAT_WITHDRAWAL"], statuses: ["PROCESSING"] })
    return flows.some((flow) => orders.some((order) => isFill(order, sighting, flow)))
  })

  return Effect.fnUntraced(function* (sighted: Sighted, { transfers }: Evidence) {
    const { address, chainId, coin, transactionHash } = sighted.sighting
    const coins = coin.map((moved) => ({ token: NATIVE_COIN, ...moved }))
    const flows = flowsOf([...transfers, ...coins], [address])
    for (const { projectId } of yield* wallets.registrations(address)) {
      if (!(yield* isAwaitedIn(projectId, sighted, flows))) continue
      // What one transaction has recorded, another does not wait for.
      const recorded = yield* activity.recorded(projectId, address, chainId, transactionHash)
      if (unrecorded(flows, recorded).length > 0) return true
    }
    return false
  })
})
