import { type Address, isNativeToken, type WalletAddress } from "../../../foundation/primitives/index.ts"
import { mainOperation } from "../../../operations/intents/index.ts"
import { assetChanges, type PreparedOperation } from "../../../operations/quotes/index.ts"
import type { OfferRun } from "../provider/OfferRun.ts"
import type { SwapPlan } from "./swapPlan.ts"

/**
 * Returns the gas that is paid in a token. Uses the maximum if the simulation does not show the payment. Native token
 * payments to the EntryPoint are not included, because they are not among the transfers.
 */
const paidGasOf = ({ gas, simulation }: PreparedOperation<SwapPlan>): ReadonlyMap<Address, bigint> =>
  isNativeToken(gas.token) ? new Map() : new Map([[gas.token, simulation.tokenPaid ?? gas.maxToken]])

/** Returns the effects of an offer's calls in a simulated operation, without the fees and the gas payment. */
export const offerRunOf = (preparedOperation: PreparedOperation<SwapPlan>): OfferRun => {
  const { allowances, intents, notSeen, plan, revertReason, simulation } = preparedOperation
  const { offer, payments, terms } = plan
  const { chainId } = offer.tokenIn
  const changesOf = (wallet: WalletAddress) =>
    new Map(assetChanges(chainId, wallet, simulation.transfers).map(({ change, token }) => [token, change]))

  const gasByToken = new Map(paidGasOf(preparedOperation))
  const fees = payments.reduce((sum, { amount }) => sum + amount, 0n)
  gasByToken.set(offer.tokenIn.address, (gasByToken.get(offer.tokenIn.address) ?? 0n) + fees)
  const spentAmounts = [...changesOf(terms.sender)].map(
    ([token, change]) => [token, -change - (gasByToken.get(token) ?? 0n)] as const
  )
  const arrivedUnits =
    (changesOf(terms.recipient).get(offer.tokenOut.address) ?? 0n) +
    (terms.recipient === terms.sender ? (gasByToken.get(offer.tokenOut.address) ?? 0n) : 0n)
  const paymaster = mainOperation(intents)?.operation.paymaster?.address
  return {
    revert: revertReason,
    notSeen,
    taken: new Map(spentAmounts.filter(([, amount]) => amount > 0n)),
    arrived: offer.tokenOut.chainId === chainId ? arrivedUnits : null,
    allowances: allowances.filter(({ spender }) => spender !== paymaster)
  }
}
