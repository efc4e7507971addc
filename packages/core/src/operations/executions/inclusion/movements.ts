import type { Movement, MovementValue } from "../../../accounting/history/index.ts"
import type { ChainId } from "../../../foundation/chains/index.ts"
import { type Address, NATIVE_TOKEN, type WalletAddress } from "../../../foundation/primitives/index.ts"
import { isSameAsset } from "../../../foundation/tokens/index.ts"
import type { OperationOutcome } from "../../user-operations/index.ts"
import { type Flow, flowsOf, withoutPassedWrapping } from "./flows.ts"

export interface MovementScope {
  readonly chainId: ChainId
  /** The account that executes the operation. */
  readonly sender: Address
  /** The accounts whose movements are recorded: the sender, and receivers that the owner selected. */
  readonly accounts: ReadonlyArray<WalletAddress>
  /** Whether the account itself pays the EntryPoint in the native token, without a paymaster. */
  readonly paysInNativeToken: boolean
  /** The recipients of the operation's fees. */
  readonly feeRecipients: ReadonlySet<string>
  /** Returns whether the token is listed. Transfers of unlisted tokens are not recorded. */
  readonly isListed: (token: Address) => boolean
  /** The quote's expected movements, including those on other chains. */
  readonly expected: ReadonlyArray<Movement>
  readonly movementValueOf: (token: Address, amount: bigint) => MovementValue
  readonly leg: number
}

interface GasPayment {
  readonly token: Address
  readonly amount: bigint
  readonly to: Address | null
}

/** Returns the account's gas payment, in its paymaster's token or in the native token. Null if it paid nothing. */
const gasPayment = (
  { actualGasCost, tokenPayment }: OperationOutcome,
  paysInNativeToken: boolean
): GasPayment | null => {
  if (tokenPayment !== null) return tokenPayment
  return paysInNativeToken && actualGasCost > 0n ? { token: NATIVE_TOKEN, amount: actualGasCost, to: null } : null
}

/** Returns whether the quote expects a movement with the flow's account, token and direction on this chain. */
const isExpectedIn =
  ({ chainId, expected }: Pick<MovementScope, "chainId" | "expected">) =>
  ({ account, net, token }: Flow): boolean =>
    expected.some(
      (movement) =>
        movement.account === account &&
        isSameAsset(movement.asset, { chainId, token }) &&
        movement.direction === (net < 0n ? "OUT" : "IN")
    )

/** Returns the movements of an included operation, including its gas payment. */
export const movementsOf = (outcome: OperationOutcome, scope: MovementScope): ReadonlyArray<Movement> => {
  const { chainId, feeRecipients, isListed, leg, sender, movementValueOf: value } = scope
  const gas = gasPayment(outcome, scope.paysInNativeToken)
  const listedTransfers = outcome.transfers.filter(({ token }) => isListed(token))
  const flows = withoutPassedWrapping(flowsOf(listedTransfers, scope.accounts), isExpectedIn(scope))
  const movements = flows.map(({ account, counterparty, net, token }): Movement => {
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
