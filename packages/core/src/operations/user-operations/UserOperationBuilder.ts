import { Clock, Context, Effect, Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type Address, assume, Entropy, type Hash32, isNativeCoin } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import { type Token, tokenKey } from "../../foundation/tokens/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import type { Call } from "./Call.ts"
import { type AccountStateRequest, ChainReader } from "./ChainReader.ts"
import { FirstUseOfGasToken } from "./FirstUseOfGasToken.ts"
import { maxGasFeeWei } from "./gasFee.ts"
import { inclusionGraceSeconds } from "./inclusionEstimate.ts"
import {
  afterAllowance,
  allowanceCalls,
  expectedGasFee,
  maxGasFee,
  type OpenRequest,
  type OperationContext,
  wantsAllowanceFirst
} from "./operationContext.ts"
import { operationTrials, type Trial, type TrialRequest } from "./operationTrials.ts"
import { type GasTokenNotAccepted, Paymaster, type PaymasterTerms } from "./Paymaster.ts"
import { RecentStates, stateKey } from "./RecentStates.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

export type { OpenRequest, OperationContext } from "./operationContext.ts"

/** On which terms gas is paid with a token; null where it is paid in the chain's coin. */
export type GasTerms = PaymasterTerms | null

export interface BuildRequest<P, E> {
  readonly expiresAtSeconds: number
  /**
   * The gas that such an operation needs, generously: what it is first planned with, where no operation like it was made
   * before. The figures of the quote come from the simulation of the operation as it is.
   */
  readonly provisionalLimits: GasLimits
  /** Gas that the calls take in a later block, and may not have taken in the one that they were run on. */
  readonly laterCallGas?: bigint
  /**
   * The calls, for the most that gas can take in base units of the token that pays. `waitSeconds`: how much later than
   * others they may run, because an operation goes before theirs.
   */
  readonly plan: (maxGasFee: bigint, waitSeconds: number) => Effect.Effect<P, E>
  /** Calls whose effect must be on chain before those of the plan: they are an operation of their own. */
  readonly before?: ReadonlyArray<Call>
}

/** The cost of gas. */
export interface OperationGas {
  readonly token: Address
  /** The most that it can cost, in wei and in base units of the token that pays. */
  readonly maxWei: bigint
  readonly maxToken: bigint
  /** Its cost in the simulation, in base units of the token that pays. */
  readonly expectedToken: bigint
  /** The most of it that may stay unpaid, in wei: all where it is paid after the calls alone, else nothing. */
  readonly unpaidWei: bigint
  /** Whether the allowance from which it is paid is given by the operation itself: calls that revert take it back. */
  readonly isFirstUse: boolean
}

/** An operation that can be signed. */
export interface SignableOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gas: OperationGas
}

/** The operation with the calls of the plan. */
export interface BuiltOperation<P> extends SignableOperation {
  /** The operation that goes before it: lets the paymaster take its fees, makes the calls of `before`; null where none is needed. */
  readonly first: SignableOperation | null
  /** Gas of both together. */
  readonly totalGas: OperationGas
  readonly simulation: Simulation
  readonly plan: P
  /** Every call of both in order, the paymaster's allowance included. */
  readonly calls: ReadonlyArray<Call>
}

/** The paymaster's allowances: of the account, and of the address that it refunds from. */
const feeAllowances = ({ address: token }: Token, { address: spender, refundsFrom }: PaymasterTerms) =>
  refundsFrom === null
    ? [{ token, spender }]
    : [
        { token, spender },
        { token, spender, owner: refundsFrom }
      ]

const sumOf = (one: OperationGas, other: OperationGas): OperationGas => ({
  token: one.token,
  maxWei: one.maxWei + other.maxWei,
  maxToken: one.maxToken + other.maxToken,
  expectedToken: one.expectedToken + other.expectedToken,
  unpaidWei: one.unpaidWei + other.unpaidWei,
  isFirstUse: one.isFirstUse || other.isFirstUse
})

/** Makes user operations out of calls: nonce, deployment, gas, paymaster, hash, what to sign. */
export class UserOperationBuilder extends Context.Service<
  UserOperationBuilder,
  {
    /** Whether gas can be paid with the token, and on which terms. */
    readonly gasTerms: (
      request: Pick<OpenRequest, "account" | "chainId" | "payGasFeeToken">
    ) => Effect.Effect<GasTerms, UpstreamUnavailable | GasTokenNotAccepted>
    /** First round trip to the node: the account's state, which may be assumed (`withAssumptions`). */
    readonly open: (request: OpenRequest, terms: GasTerms) => Effect.Effect<OperationContext, UpstreamUnavailable>
    /**
     * Second round trip: runs the operation as it will be, with its final fee, plan and limits. Where no operation like it
     * was made before, a run that finds the limits comes first. Where the first use of a gas token is to be paid, or calls are
     * to go before, the operation that does so is run before it.
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
      const recentStates = new RecentStates()

      /** A key of its own for each quote (ERC-4337 two-dimensional nonces), so that none waits for another. */
      const freshNonce = Effect.map(
        entropy.bytes(24),
        (key) => key.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) << 64n
      )

      const stateOf = Effect.fnUntraced(function* (chainId: EvmChainId, request: AccountStateRequest) {
        const nowMs = yield* Clock.currentTimeMillis
        const key = stateKey(chainId, request)
        const read = Effect.tap(reader.accountState(chainId, request), (state) =>
          Effect.sync(() => recentStates.remember(key, state, nowMs))
        )
        return yield* assume(key, recentStates.find(key, chainId, nowMs), read)
      })

      const open = Effect.fn("UserOperationBuilder.open")(function* (request: OpenRequest, terms: GasTerms) {
        const { account, chainId, payGasFeeToken } = request
        const entryPoint = accounts.entryPointOf(account).address
        const state = yield* stateOf(chainId, {
          address: account.address,
          // An EntryPoint tells of deposits as a token does of balances.
          tokens: [...new Set([...request.tokens, payGasFeeToken.address, ...(terms === null ? [entryPoint] : [])])],
          allowances: terms === null ? [] : feeAllowances(payGasFeeToken, terms)
        })
        const [allowance = 0n, refundAllowance = 0n] = state.allowances
        const paymaster = terms === null ? null : { terms, allowance, refundAllowance }
        const deposit = state.balances.get(tokenKey({ chainId, address: entryPoint })) ?? 0n
        return { ...request, state, paymaster, deposit }
      })

      /** When an operation of a quote ends on chain. The chain compares with its own clock, which may be ahead of ours. */
      const lastMoment = Effect.fnUntraced(function* ({ chainId, state }: OperationContext, expiresAtSeconds: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        return expiresAtSeconds + Math.max(0, state.blockTimestamp - now) + inclusionGraceSeconds(chainId)
      })

      /** The paymaster signs no operation that would revert. */
      const signable = Effect.fnUntraced(function* <P>(
        request: Pick<TrialRequest<P, unknown>, "context" | "validUntil">,
        { draft, signed, simulation }: Pick<Trial<P>, "draft" | "signed" | "simulation">,
        isPaidFor: boolean
      ) {
        const operation = isPaidFor ? (signed ?? (yield* trials.signByPaymaster(request, draft))) : draft.operation
        const { context } = request
        const { paymaster, payGasFeeToken, state } = context
        const maxWei = maxGasFeeWei(draft.limits, state.maxFeePerGas)
        const isPaidAfterwards = paymaster !== null && !draft.isPrefunded
        const signableOperation: SignableOperation = {
          operation,
          hash: accounts.hash(operation),
          signData: accounts.signData(context.account, operation),
          gas: {
            token: payGasFeeToken.address,
            maxWei,
            maxToken: draft.fee,
            expectedToken: expectedGasFee(context, simulation),
            unpaidWei: isPaidAfterwards ? maxWei : 0n,
            isFirstUse: isPaidAfterwards && paymaster.allowance < draft.fee
          }
        }
        return signableOperation
      })

      /**
       * Two operations: the first gives the allowance for such a fee and makes the calls that go before, the second has the
       * others. They share a nonce key, so that the EntryPoint takes them in this order alone.
       */
      const buildAfterFirst = Effect.fnUntraced(function* <P extends { readonly calls: ReadonlyArray<Call> }, E>(
        context: OperationContext,
        nonce: bigint,
        fee: bigint,
        request: BuildRequest<P, E>
      ) {
        const calls = [...allowanceCalls(context, fee), ...(request.before ?? [])]
        const firstRequest = {
          context,
          nonce,
          validUntil: yield* lastMoment(context, request.expiresAtSeconds),
          provisionalLimits: request.provisionalLimits,
          plan: () => Effect.succeed({ calls }),
          isFollowed: true
        }
        const firstTrial = yield* trials.run(firstRequest)
        const waitSeconds = inclusionGraceSeconds(context.chainId)
        const secondRequest = {
          context: afterAllowance(context, fee, firstTrial.draft.fee),
          nonce: nonce + 1n,
          validUntil: firstRequest.validUntil + waitSeconds,
          provisionalLimits: request.provisionalLimits,
          laterCallGas: request.laterCallGas ?? 0n,
          plan: (secondFee: bigint) => request.plan(firstTrial.draft.fee + secondFee, waitSeconds)
        }
        const second =
          firstTrial.changes === null
            ? {
                draft: yield* trials.draftFor(secondRequest, request.provisionalLimits),
                signed: null,
                simulation: firstTrial.simulation
              }
            : yield* trials.run({ ...secondRequest, after: firstTrial.changes })
        const revert = firstTrial.simulation.revert ?? second.simulation.revert
        const first = yield* signable(firstRequest, firstTrial, revert === null)
        const built = yield* signable(secondRequest, second, revert === null)
        return {
          ...built,
          first,
          totalGas: sumOf(first.gas, built.gas),
          simulation: {
            ...second.simulation,
            revert,
            transfers: revert === null ? [...firstTrial.simulation.transfers, ...second.simulation.transfers] : [],
            allowanceChanges:
              revert === null ? [...firstTrial.simulation.allowanceChanges, ...second.simulation.allowanceChanges] : []
          },
          plan: second.draft.plan,
          calls: [...calls, ...second.draft.calls]
        }
      })

      const build = Effect.fn("UserOperationBuilder.build")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(
        context: OperationContext,
        request: BuildRequest<P, E>
      ): Effect.fn.Return<BuiltOperation<P>, E | UpstreamUnavailable> {
        const nonce = yield* freshNonce
        const isUnpaidFirstUse = (limits: GasLimits) => firstUse === "PAID" && wantsAllowanceFirst(context, limits)
        const { provisionalLimits } = request
        if ((request.before ?? []).length > 0 || isUnpaidFirstUse(provisionalLimits)) {
          // Generous limits are about twice what such operations take.
          return yield* buildAfterFirst(context, nonce, maxGasFee(context, provisionalLimits) / 2n, request)
        }
        const trialRequest = {
          context,
          nonce,
          validUntil: yield* lastMoment(context, request.expiresAtSeconds),
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
        // An allowance that covers what was expected, and not what the calls really take.
        if (isUnpaidFirstUse(draft.limits)) return yield* buildAfterFirst(context, nonce, draft.fee, request)
        const built = yield* signable(trialRequest, trial, simulation.revert === null)
        return {
          ...built,
          first: null,
          totalGas: built.gas,
          simulation,
          plan: draft.plan.plan,
          calls: draft.calls
        }
      })

      return UserOperationBuilder.of({
        gasTerms: ({ account, chainId, payGasFeeToken }) =>
          isNativeCoin(payGasFeeToken.address)
            ? Effect.succeed(null)
            : paymasters.terms(chainId, accounts.entryPointOf(account).version, payGasFeeToken),
        open,
        build
      })
    })
  )
}
