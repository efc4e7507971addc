import { Clock, Context, Effect, Layer } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import { type Address, Entropy, type Hash32, isNativeCoin } from "../primitives/index.ts"
import type { SignData } from "../signing/index.ts"
import type { Token } from "../tokens/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import type { Call } from "./Call.ts"
import { ChainReader } from "./ChainReader.ts"
import { GasForecasts, greaterLimits, suffices } from "./GasForecasts.ts"
import { maxGasFeeWei } from "./gasFee.ts"
import { inclusionGraceSeconds } from "./inclusionEstimate.ts"
import {
  allowanceCalls,
  expectedGasFee,
  maxGasFee,
  needsDeployment,
  type OpenRequest,
  type OperationContext,
  prefundOf,
  withoutLimits
} from "./operationContext.ts"
import { type GasTokenNotAccepted, Paymaster, type PaymasterTerms } from "./Paymaster.ts"
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
  /** The calls, for the most that gas can take in base units of the token that pays. */
  readonly plan: (maxGasFee: bigint) => Effect.Effect<P, E>
}

export interface BuiltOperation<P> {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gas: {
    readonly token: Address
    /** The most that the operation can cost, in wei and in base units of the token that pays. */
    readonly maxWei: bigint
    readonly maxToken: bigint
    /** What it would have cost in the simulation, in base units of the token that pays. */
    readonly expectedToken: bigint
  }
  readonly simulation: Simulation
  readonly plan: P
  /** Every call in order, the paymaster's allowance included. */
  readonly calls: ReadonlyArray<Call>
}

/** Limits change the fee, the fee the plan, and the plan the limits: it is settled after one round, or nearly always two. */
const MAX_ADJUSTMENTS = 3

const isAdjustable = ({
  draft,
  simulation
}: {
  readonly draft: { readonly limits: GasLimits }
  readonly simulation: Simulation
}) => simulation.revert === null && !suffices(draft.limits, simulation.limits)

/** What the paymaster may take of the account, and of the one that it refunds from. */
const feeAllowances = ({ address: token }: Token, { address: spender, refundsFrom }: PaymasterTerms) =>
  refundsFrom === null
    ? [{ token, spender }]
    : [
        { token, spender },
        { token, spender, owner: refundsFrom }
      ]

/** A token's transfer in validation, and the bytes that ask for it: an estimate has neither. */
const PREFUND_VERIFICATION_GAS = 45_000n
const PREFUND_CALLDATA_GAS = 400n

const withPrefundGas = (limits: GasLimits): GasLimits => ({
  ...limits,
  paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit + PREFUND_VERIFICATION_GAS,
  preVerificationGas: limits.preVerificationGas + PREFUND_CALLDATA_GAS
})

/** Makes user operations out of calls: nonce, deployment, gas, paymaster, hash, what to sign. */
export class UserOperationBuilder extends Context.Service<
  UserOperationBuilder,
  {
    /** Whether gas can be paid with the token, and on which terms. */
    readonly gasTerms: (
      request: Pick<OpenRequest, "account" | "chainId" | "payGasFeeToken">
    ) => Effect.Effect<GasTerms, UpstreamUnavailable | GasTokenNotAccepted>
    /** First round trip to the node: the account's state. */
    readonly open: (request: OpenRequest, terms: GasTerms) => Effect.Effect<OperationContext, UpstreamUnavailable>
    /**
     * Second round trip: runs the operation as it will be, with its final fee, plan and limits. Where no operation like it
     * was made before, a run that finds the limits comes first.
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
      const bundler = yield* Bundler
      const paymasters = yield* Paymaster
      const entropy = yield* Entropy
      const forecasts = new GasForecasts()

      /** A key of its own for each operation (ERC-4337 two-dimensional nonces), so that none waits for another. */
      const freshNonce = Effect.map(
        entropy.bytes(24),
        (key) => key.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) << 64n
      )

      const open = Effect.fn("UserOperationBuilder.open")(function* (request: OpenRequest, terms: GasTerms) {
        const { account, chainId, payGasFeeToken } = request
        const state = yield* reader.accountState(chainId, {
          address: account.address,
          tokens: [...new Set([...request.tokens, payGasFeeToken.address])],
          allowances: terms === null ? [] : feeAllowances(payGasFeeToken, terms)
        })
        const [allowance = 0n, refundAllowance = 0n] = state.allowances
        const paymaster = terms === null ? null : { terms, allowance, refundAllowance }
        return { ...request, state, paymaster }
      })

      const operationOf = (
        context: OperationContext,
        nonce: bigint,
        calls: ReadonlyArray<Call>,
        limits: GasLimits,
        validUntil: number
      ): UserOperation => {
        const { account, chainId, paymaster, state } = context
        const deploys = needsDeployment(context)
        const entryPoint = accounts.entryPointOf(account)
        return {
          chainId,
          entryPoint: entryPoint.address,
          entryPointVersion: entryPoint.version,
          sender: account.address,
          nonce,
          ...(deploys ? accounts.deployment(account) : { factory: null, factoryData: null }),
          callData: accounts.encodeCalls(account, calls),
          callGasLimit: limits.callGasLimit,
          verificationGasLimit: limits.verificationGasLimit,
          preVerificationGas: limits.preVerificationGas,
          maxFeePerGas: state.maxFeePerGas,
          maxPriorityFeePerGas: state.maxPriorityFeePerGas,
          paymaster:
            paymaster === null
              ? null
              : {
                  address: paymaster.terms.address,
                  verificationGasLimit: limits.paymasterVerificationGasLimit,
                  postOpGasLimit: limits.paymasterPostOpGasLimit,
                  data: paymaster.terms.stubData
                },
          authorization:
            deploys && account.eip7702
              ? accounts.authorization(chainId, account.implementation, state.transactionCount)
              : null,
          validUntil: accounts.signsValidity(account) ? validUntil : null
        }
      }

      /** When the operation of a quote ends on chain. The chain compares with its own clock, which may be ahead of ours. */
      const lastMoment = Effect.fnUntraced(function* ({ chainId, state }: OperationContext, expiresAtSeconds: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        return expiresAtSeconds + Math.max(0, state.blockTimestamp - now) + inclusionGraceSeconds(chainId)
      })

      const signByPaymaster = Effect.fnUntraced(function* (
        context: OperationContext,
        operation: UserOperation,
        prefund: bigint,
        validUntil: number
      ) {
        if (context.paymaster === null || operation.paymaster === null) return operation
        const { payGasFeeToken, paymaster } = context
        const data = yield* paymasters.sign(operation, payGasFeeToken, paymaster.terms, { validUntil, prefund })
        return { ...operation, paymaster: { ...operation.paymaster, data } }
      })

      const build = Effect.fn("UserOperationBuilder.build")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(context: OperationContext, { expiresAtSeconds, plan, provisionalLimits }: BuildRequest<P, E>) {
        const nonce = yield* freshNonce
        const validUntil = yield* lastMoment(context, expiresAtSeconds)
        const stubSignature = accounts.stubSignature(context.account)

        /** The operation with these limits, and all that follows from them, with the paymaster's stub. */
        const draftFor = Effect.fnUntraced(function* (limits: GasLimits) {
          const fee = maxGasFee(context, limits)
          const callPlan = yield* plan(fee)
          const calls = [...allowanceCalls(context, fee), ...callPlan.calls]
          const prefund = prefundOf(context, limits)
          const operation = operationOf(context, nonce, calls, limits, validUntil)
          return { limits, fee, plan: callPlan, calls, prefund, isPrefunded: prefund > 0n, operation }
        })

        /** Limits from generous ones. An operation that is heavier is planned again. */
        const estimate = Effect.fnUntraced(function* () {
          const draft = yield* draftFor(provisionalLimits)
          const first = yield* bundler.simulate(withoutLimits(draft.operation), stubSignature, "STUB")
          if (first.revert === null || maxGasFee(context, first.limits) <= draft.fee) return first
          const heavier = yield* draftFor(first.limits)
          return yield* bundler.simulate(withoutLimits(heavier.operation), stubSignature, "STUB")
        })

        /** A run of the operation as it will be. What is taken before the calls is only taken with a good signature. */
        const tryLimits = Effect.fnUntraced(function* (limits: GasLimits) {
          const draft = yield* draftFor(limits)
          const signed = draft.isPrefunded
            ? yield* signByPaymaster(context, draft.operation, draft.prefund, validUntil)
            : null
          const simulation = yield* bundler.simulate(signed ?? draft.operation, stubSignature, "STUB")
          return { draft, signed, simulation }
        })

        /** Begins with what operations like it needed. What reverts is estimated, because that tells why. */
        const firstTrial = Effect.fnUntraced(function* () {
          const forecast = forecasts.find(context, yield* draftFor(provisionalLimits))
          const trial = forecast === null ? null : yield* tryLimits(forecast)
          if (trial !== null && trial.simulation.revert === null) return trial
          const simulation = yield* estimate()
          const draft = yield* draftFor(simulation.limits)
          if (simulation.revert !== null) return { draft, signed: null, simulation }
          return yield* tryLimits(draft.isPrefunded ? withPrefundGas(simulation.limits) : simulation.limits)
        })

        let trial = yield* firstTrial()
        for (let attempt = 0; attempt < MAX_ADJUSTMENTS && isAdjustable(trial); attempt++) {
          const { draft, simulation } = trial
          // Limits that go up and down with the fee that they lead to go up in the end.
          trial = yield* tryLimits(attempt === 0 ? simulation.limits : greaterLimits(draft.limits, simulation.limits))
        }
        const { draft, signed, simulation } = trial
        if (simulation.revert === null) forecasts.remember(context, draft, simulation.limits)

        // What would revert is not paid for: no signature of it leaves this process.
        const operation =
          simulation.revert === null
            ? (signed ?? (yield* signByPaymaster(context, draft.operation, 0n, validUntil)))
            : draft.operation
        return {
          operation,
          hash: accounts.hash(operation),
          signData: accounts.signData(context.account, operation),
          gas: {
            token: context.payGasFeeToken.address,
            maxWei: maxGasFeeWei(draft.limits, context.state.maxFeePerGas),
            maxToken: draft.fee,
            expectedToken: expectedGasFee(context, simulation)
          },
          simulation,
          plan: draft.plan,
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
