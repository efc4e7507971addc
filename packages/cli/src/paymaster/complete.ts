import {
  missingSteps,
  observeNativeBalance,
  observePaymaster,
  ownedPaymasterDeployment,
  type PaymasterPlan,
  type PaymasterStep,
  sendStep,
  waitForPendingTransactions
} from "@countersign/adapters/chains/paymaster-contracts"
import { SettingInvalid } from "@countersign/adapters/service/settings"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, type Redacted } from "effect"
import { CommandRefused } from "../environment/errors.ts"
import type { PaymasterSetUp } from "../environment/paymasterSetUp.ts"

/**
 * A step with its transaction. The transaction is null if the key is not available here, so that the holder of the key
 * must send it.
 */
export interface StepResult extends PaymasterStep {
  readonly transactionHash: Hash32 | null
}

/**
 * Returns why the paymaster cannot be at its address: the address contains other code, or the owner's key would deploy
 * to another address. Null if there is no problem.
 */
const addressProblemOrNull = (plan: PaymasterPlan, hasCode: boolean, codeMatches: boolean, derivedAddress: Address) => {
  if (hasCode && !codeMatches) return `The contract at ${plan.address} is not this paymaster.`
  if (!hasCode && plan.address !== derivedAddress) {
    return `There is no contract at ${plan.address}, and this owner's key would deploy the paymaster to ${derivedAddress}. Use the key that deployed the other contracts, or remove the address from the settings.`
  }
  return null
}

export const requireOwnerKey = ({ ownerKey }: PaymasterSetUp) =>
  ownerKey === null
    ? Effect.fail(
        new SettingInvalid({
          name: "PAYMASTER_OWNER_PRIVATE_KEY",
          expected: "set. It is the key of the account that pays for the contracts and owns them"
        })
      )
    : Effect.succeed(ownerKey)

/**
 * Fails if the owner has no native tokens. The error contains the address, because the operator may have just created
 * the owner's key.
 */
const requireNativeBalance = Effect.fnUntraced(function* (chainId: EvmChainId, owner: Address) {
  if ((yield* observeNativeBalance(chainId, owner)) > 0n) return
  return yield* new CommandRefused({
    reason: `The owner ${owner} has no native tokens on ${chainOf(chainId).name} to pay for gas. Send native tokens to this address.`
  })
})

/** Returns the treasury's key, or the owner's key if both are the same account. Null if the key is unknown. */
const treasuryKeyOf = ({ owner, ownerKey, treasury, treasuryKey }: PaymasterSetUp) =>
  treasuryKey ?? (owner === treasury ? ownerKey : null)

/**
 * Sends the missing setup transactions of a paymaster for which it has the key, one by one. Each run first waits until
 * no transaction is pending, and then reads the chain. So a later run continues an interrupted one.
 */
export const completeSetUp = Effect.fnUntraced(function* (setUp: PaymasterSetUp, plan: PaymasterPlan) {
  const { chainId } = plan
  const ownerKey = yield* requireOwnerKey(setUp)
  const treasuryKey = treasuryKeyOf(setUp)
  yield* requireNativeBalance(chainId, setUp.owner!)
  yield* waitForPendingTransactions(chainId, ownerKey)
  if (treasuryKey !== null) yield* waitForPendingTransactions(chainId, treasuryKey)
  const state = yield* observePaymaster(plan)
  const placement = ownedPaymasterDeployment(plan.version, setUp.owner!)
  const problem = addressProblemOrNull(plan, state.hasCode, state.codeMatches, placement.address)
  if (problem !== null) return yield* new CommandRefused({ reason: problem })
  const keyOf = (step: PaymasterStep): Redacted.Redacted<HexBytes> | null =>
    step.sender === "owner" ? ownerKey : treasuryKey
  return yield* Effect.forEach(missingSteps(plan, state, placement), (step) => {
    const key = keyOf(step)
    if (key === null) return Effect.succeed<StepResult>({ ...step, transactionHash: null })
    return Effect.map(
      sendStep(chainId, key, { to: step.to, data: step.data, value: 0n }),
      (transactionHash): StepResult => ({ ...step, transactionHash })
    )
  })
})
