import type { ChainId } from "../../chains/index.ts"
import type { Movement, MovementValue } from "../../history/index.ts"
import { type Address, NATIVE_COIN, type WalletAddress } from "../../primitives/index.ts"
import type { OperationOutcome, TokenTransfer } from "../../user-operations/index.ts"

export interface MovementScope {
  readonly chainId: ChainId
  /** The account that made the operation. */
  readonly sender: Address
  /** The accounts whose movements are recorded: the sender, and the receivers that the owner named. */
  readonly accounts: ReadonlyArray<WalletAddress>
  /** Whether the account pays the EntryPoint itself, and no paymaster does. */
  readonly paysInCoin: boolean
  /** The recipients of the operation's fees. */
  readonly feeRecipients: ReadonlySet<string>
  /** Whether the service lists the token. Transfers of other contracts are not recorded. */
  readonly isListed: (token: Address) => boolean
  readonly value: (token: Address, amount: bigint) => MovementValue
  readonly leg: number
}

/** What an account gave and got of a token, to and from one other account. */
export interface Flow {
  readonly account: WalletAddress
  readonly token: Address
  readonly counterparty: Address
  net: bigint
}

/** Net amounts by account, token and counterparty, in the order in which they first occur. */
export const flowsOf = (
  transfers: ReadonlyArray<TokenTransfer>,
  accounts: ReadonlyArray<WalletAddress>
): ReadonlyArray<Flow> => {
  const flows = new Map<string, Flow>()
  const add = (account: WalletAddress, token: Address, counterparty: Address, change: bigint) => {
    const key = `${account} ${token} ${counterparty}`
    const flow = flows.get(key) ?? { account, token, counterparty, net: 0n }
    flow.net += change
    flows.set(key, flow)
  }
  for (const { amount, from, to, token } of transfers) {
    if (from === to) continue
    if (accounts.includes(from)) add(from, token, to, -amount)
    if (accounts.includes(to)) add(to, token, from, amount)
  }
  return [...flows.values()].filter(({ net }) => net !== 0n)
}

interface GasPayment {
  readonly token: Address
  readonly amount: bigint
  readonly to: Address | null
}

/** The account's payment for its gas: the token that its paymaster took, or the chain's coin; null where it paid nothing. */
const gasPayment = ({ actualGasCost, tokenPayment }: OperationOutcome, paysInCoin: boolean): GasPayment | null => {
  if (tokenPayment !== null) return tokenPayment
  return paysInCoin && actualGasCost > 0n ? { token: NATIVE_COIN, amount: actualGasCost, to: null } : null
}

/** The movements of an included operation, with its gas. */
export const movementsOf = (outcome: OperationOutcome, scope: MovementScope): ReadonlyArray<Movement> => {
  const { chainId, feeRecipients, isListed, leg, sender, value } = scope
  const gas = gasPayment(outcome, scope.paysInCoin)
  const listedTransfers = outcome.transfers.filter(({ token }) => isListed(token))
  const movements = flowsOf(listedTransfers, scope.accounts).map(({ account, counterparty, net, token }): Movement => {
    const amount = net < 0n ? -net : net
    return {
      direction: net < 0n ? "OUT" : "IN",
      role: net < 0n && feeRecipients.has(counterparty) ? "FEE" : "PRINCIPAL",
      account,
      asset: { chainId, token },
      amount,
      ...value(token, amount),
      counterparty,
      leg
    }
  })
  return gas === null
    ? movements
    : [
        ...movements,
        {
          direction: "OUT",
          role: "GAS",
          account: sender,
          asset: { chainId, token: gas.token },
          amount: gas.amount,
          ...value(gas.token, gas.amount),
          counterparty: gas.to,
          leg
        }
      ]
}
