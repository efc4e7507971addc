import type { Movement } from "../../../accounting/history/index.ts"
import { type Address, isNativeToken, type WalletAddress } from "../../../foundation/primitives/index.ts"
import { isToken } from "../../../foundation/tokens/index.ts"
import { isUserOperation } from "../../intents/index.ts"
import type { Quote } from "../../quotes/index.ts"
import { maxUnpaidGasOf } from "../../unpaid-gas/index.ts"
import type { Reservation } from "./Reservation.ts"

/**
 * Returns the maximum cumulative outflow of each token. It can be lower than the sum of all outflows, because the
 * output of a swap can pay for a later transfer in the same operation.
 */
const valuesOf = (
  movements: ReadonlyArray<Movement>,
  chainId: Reservation["chainId"],
  wallet: WalletAddress
): ReadonlyMap<Address, bigint> => {
  const netOutflows = new Map<Address, bigint>()
  const maxOutflows = new Map<Address, bigint>()
  for (const { account, amount, asset, direction } of movements) {
    if (account !== wallet || !isToken(asset) || asset.chainId !== chainId) continue
    const netOutflow = (netOutflows.get(asset.token) ?? 0n) + (direction === "OUT" ? amount : -amount)
    netOutflows.set(asset.token, netOutflow)
    if (netOutflow > (maxOutflows.get(asset.token) ?? 0n)) maxOutflows.set(asset.token, netOutflow)
  }
  return maxOutflows
}

/** Returns the reservation for a quote's user operations. Null if the quote has none. */
export const reservationOf = (quote: Quote): Reservation | null => {
  const { intents, transaction, uses, walletAddress } = quote
  const operations = intents.filter(isUserOperation)
  const [first] = operations
  if (first === undefined) return null
  const { chainId } = first.operation
  // A limit order spends its token only when it is filled. Only the wrapping of native tokens happens earlier, in the
  // operation.
  const isOrder = intents.some(({ type }) => type === "LIMIT_ORDER")
  const operationMovements = transaction.expected.filter(
    ({ asset }) => !isOrder || (isToken(asset) && isNativeToken(asset.token))
  )
  const values = valuesOf(operationMovements, chainId, walletAddress)
  const isLongLived = uses.some(({ until }) => until !== undefined)
  const principalMovements = operationMovements.filter(({ role }) => role === "PRINCIPAL")
  const heldAmounts = isLongLived ? valuesOf(principalMovements, chainId, walletAddress) : null
  const tokens = new Set([...values.keys(), ...operations.map(({ gas }) => gas.token)])
  const reservedSpending = [...tokens].map((token) => ({
    token,
    value: values.get(token) ?? 0n,
    ...(heldAmounts === null ? {} : { held: heldAmounts.get(token) ?? 0n }),
    gas: operations.reduce((sum, { gas }) => (gas.token === token ? sum + gas.maxToken : sum), 0n)
  }))
  const nonces = operations.map(({ operation }) => operation.nonce)
  return { chainId, spending: reservedSpending, uses, nonces, block: null, unpaid: maxUnpaidGasOf(quote) }
}
