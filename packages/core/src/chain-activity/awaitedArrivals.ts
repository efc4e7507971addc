import { Effect } from "effect"
import { type Flow, flowsOf } from "../executions/index.ts"
import { HistoryStore, type Transaction } from "../history/index.ts"
import { type Address, NATIVE_COIN } from "../primitives/index.ts"
import { isToken } from "../tokens/index.ts"
import { WalletStore } from "../wallets/index.ts"
import type { Evidence } from "./Activity.ts"
import type { Sighted } from "./ActivityStore.ts"

/** Transfers of a wallet that are on their way to other chains at once. */
const ON_THEIR_WAY_MOST = 100

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

/**
 * Whether what came to an account is what one of its transfers to another chain waits for, which will record it: a watcher
 * of the chain may see it first. Nothing in the transaction itself tells, since somebody else has made it.
 */
export const awaitedArrivals = Effect.gen(function* () {
  const history = yield* HistoryStore
  const wallets = yield* WalletStore

  const underWayOf = Effect.fnUntraced(function* (address: Address) {
    const registrations = yield* wallets.registrations(address)
    const lists = yield* Effect.forEach(registrations, ({ projectId }) =>
      history.list({
        projectId,
        walletAddress: address,
        filter: { statuses: ["ON_BRIDGE"] },
        after: null,
        take: ON_THEIR_WAY_MOST
      })
    )
    return lists.flat()
  })

  return Effect.fnUntraced(function* ({ sighting: { address, chainId, coin } }: Sighted, { transfers }: Evidence) {
    const coins = coin.map((moved) => ({ token: NATIVE_COIN, ...moved }))
    const arrivals = flowsOf([...transfers, ...coins], [address]).filter(({ net }) => net > 0n)
    if (arrivals.length === 0) return false
    const underWay = yield* underWayOf(address)
    return arrivals.some((flow) =>
      underWay.some((transaction) => isExpected(transaction, chainId, flow) || isReturn(transaction, chainId, flow))
    )
  })
})
