import { Clock, Context, Effect, Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { assume, Entropy, isNativeToken } from "../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../foundation/tokens/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import type { BuildRequest, BuiltOperation, GasTerms } from "./BuiltOperation.ts"
import type { Call } from "./Call.ts"
import { type AccountStateRequest, ChainReader } from "./ChainReader.ts"
import { FirstUseOfGasToken } from "./FirstUseOfGasToken.ts"
import {
  allowanceCalls,
  maxGasFee,
  needsAllowanceFirst,
  type OpenRequest,
  type OperationContext
} from "./operationContext.ts"
import { operationTrials } from "./operationTrials.ts"
import { type GasTokenNotAccepted, Paymaster, type PaymasterTerms } from "./Paymaster.ts"
import { precededOperations } from "./precededOperations.ts"
import { RecentStates, stateKey } from "./RecentStates.ts"
import type { GasLimits } from "./Simulation.ts"
import { lastValidSecond, signableOperations } from "./signableOperations.ts"

export type { BuildRequest, BuiltOperation, GasTerms, OperationGas, SignableOperation } from "./BuiltOperation.ts"
export type { OpenRequest, OperationContext } from "./operationContext.ts"

/** Returns the allowances that the paymaster needs: from the account, and from the refunding account. */
const feeAllowances = ({ address: token }: Token, { address: spender, refundsFrom }: PaymasterTerms) =>
  refundsFrom === null
    ? [{ token, spender }]
    : [
        { token, spender },
        { token, spender, owner: refundsFrom }
      ]

/** Builds user operations from calls: nonce, deployment, gas, paymaster, hash, and elements to sign. */
export class UserOperationBuilder extends Context.Service<
  UserOperationBuilder,
  {
    /** Returns the terms for a gas payment in the token. Fails if the token can't pay for gas. */
    readonly gasTerms: (
      request: Pick<OpenRequest, "account" | "chainId" | "payGasFeeToken">
    ) => Effect.Effect<GasTerms, UpstreamUnavailable | GasTokenNotAccepted>
    /**
     * First round trip to the node: reads the account's state. Inside `withAssumptions`, continues with the last known
     * state until the read ends.
     */
    readonly readContext: (
      request: OpenRequest,
      terms: GasTerms
    ) => Effect.Effect<OperationContext, UpstreamUnavailable>
    /**
     * Second round trip: simulates the operation with its fee, plan and limits. Without a similar earlier operation,
     * another simulation estimates the limits first. Some quotes need two operations: those with `request.before`, and
     * the first use of a gas token if `FIRST_USE_OF_GAS_TOKEN` is PAID. Then the first operation is simulated before
     * the second.
     */
    readonly build: <P extends { readonly calls: ReadonlyArray<Call> }, E>(
      context: OperationContext,
      request: BuildRequest<P, E>
    ) => Effect.Effect<BuiltOperation<P>, E | UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/UserOperationBuilder") {
  static readonly layer = Layer.effect(
    UserOperationBuilder,
    Effect.gen(function* () {
      const accounts = yield* AccountOperations
      const reader = yield* ChainReader
      const paymasters = yield* Paymaster
      const entropy = yield* Entropy
      const firstUse = yield* FirstUseOfGasToken
      const trials = yield* operationTrials
      const makeSignable = yield* signableOperations
      const buildAfterFirst = yield* precededOperations(trials)
      const recentStates = new RecentStates()

      /**
       * Returns a new nonce key per quote (ERC-4337 two-dimensional nonces), so that operations do not have to wait for
       * each other.
       */
      const freshNonce = Effect.map(
        entropy.bytes(24),
        (key) => key.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) << 64n
      )

      const stateOf = Effect.fnUntraced(function* (chainId: EvmChainId, request: AccountStateRequest) {
        const nowMs = yield* Clock.currentTimeMillis
        const key = stateKey(chainId, request)
        const readState = Effect.tap(reader.readAccountState(chainId, request), (state) =>
          Effect.sync(() => recentStates.remember(key, state, nowMs))
        )
        return yield* assume(key, recentStates.find(key, chainId, nowMs), readState)
      })

      const open = Effect.fn("UserOperationBuilder.open")(function* (request: OpenRequest, terms: GasTerms) {
        const { account, chainId, payGasFeeToken } = request
        const entryPoint = accounts.entryPointOf(account).address
        const state = yield* stateOf(chainId, {
          address: account.address,
          // `balanceOf` of the EntryPoint returns the account's deposit.
          tokens: [...new Set([...request.tokens, payGasFeeToken.address, ...(terms === null ? [entryPoint] : [])])],
          allowances: terms === null ? [] : feeAllowances(payGasFeeToken, terms)
        })
        const [allowance = 0n, refundAllowance = 0n] = state.allowances
        const paymaster = terms === null ? null : { terms, allowance, refundAllowance }
        const deposit = state.balances.get(tokenKey({ chainId, address: entryPoint })) ?? 0n
        return { ...request, state, paymaster, deposit }
      })

      const build = Effect.fn("UserOperationBuilder.build")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(
        context: OperationContext,
        request: BuildRequest<P, E>
      ): Effect.fn.Return<BuiltOperation<P>, E | UpstreamUnavailable> {
        const nonce = yield* freshNonce
        const isUnpaidFirstUse = (limits: GasLimits) => firstUse === "PAID" && needsAllowanceFirst(context, limits)
        const { provisionalLimits } = request
        if ((request.before ?? []).length > 0 || isUnpaidFirstUse(provisionalLimits)) {
          // Uses half of the fee, because provisional limits are about twice the gas that such operations use.
          return yield* buildAfterFirst(context, nonce, maxGasFee(context, provisionalLimits) / 2n, request)
        }
        const trialRequest = {
          context,
          nonce,
          validUntil: yield* lastValidSecond(context, request.expiresAtSeconds),
          provisionalLimits,
          laterCallGas: request.laterCallGas ?? 0n,
          plan: (fee: bigint) =>
            Effect.map(request.plan(fee, 0), (plan) => ({
              plan,
              calls: [...allowanceCalls(context, fee), ...plan.calls]
            }))
        }
        const trial = yield* trials.run(trialRequest)
        const { draft, simulation } = trial
        // The existing allowance covers the provisional fee, but not the fee for the simulated gas.
        if (isUnpaidFirstUse(draft.limits)) return yield* buildAfterFirst(context, nonce, draft.fee, request)
        const signableOperation = yield* makeSignable(trialRequest, trial, simulation.revert === null)
        return {
          ...signableOperation,
          first: null,
          totalGas: signableOperation.gas,
          simulation,
          plan: draft.plan.plan,
          calls: draft.calls
        }
      })

      return UserOperationBuilder.of({
        gasTerms: ({ account, chainId, payGasFeeToken }) =>
          isNativeToken(payGasFeeToken.address)
            ? Effect.succeed(null)
            : paymasters.readTerms(chainId, accounts.entryPointOf(account).version, payGasFeeToken),
        readContext: open,
        build
      })
    })
  )
}
