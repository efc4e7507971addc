import { Clock, Context, Effect, Layer } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import { type Address, Entropy, type Hash32, isNativeCoin } from "../primitives/index.ts"
import type { SignData } from "../signing/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import type { Call } from "./Call.ts"
import { ChainReader } from "./ChainReader.ts"
import { maxGasFeeWei } from "./gasFee.ts"
import {
  allowanceCalls,
  expectedGasFee,
  maxGasFee,
  needsDeployment,
  type OpenRequest,
  type OperationContext,
  withoutLimits,
  withPrefund
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
   * The gas that such an operation needs, generously. Used once, to plan the calls that are then simulated; the figures
   * of the quote come from that simulation.
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

/** How long a signed operation stays executable on chain after its quote has expired: time for it to be included. */
export const INCLUSION_GRACE_SECONDS = 600

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
    /** Second round trip: simulates the planned calls, sets the gas limits from that, and plans again with the final gas fee. */
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
          allowances: terms === null ? [] : [{ token: payGasFeeToken.address, spender: terms.address }]
        })
        const paymaster = terms === null ? null : { terms, allowance: state.allowances[0] ?? 0n }
        return { ...request, state, paymaster }
      })

      const operationOf = (
        context: OperationContext,
        nonce: bigint,
        calls: ReadonlyArray<Call>,
        limits: GasLimits
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
              : null
        }
      }

      const signByPaymaster = Effect.fnUntraced(function* (
        context: OperationContext,
        operation: UserOperation,
        expiresAtSeconds: number
      ) {
        if (context.paymaster === null || operation.paymaster === null) return operation
        // The chain compares with its own clock, which may be ahead of ours.
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const ahead = Math.max(0, context.state.blockTimestamp - now)
        const data = yield* paymasters.sign(
          operation,
          context.payGasFeeToken,
          context.paymaster.terms,
          expiresAtSeconds + ahead + INCLUSION_GRACE_SECONDS
        )
        return { ...operation, paymaster: { ...operation.paymaster, data } }
      })

      const build = Effect.fn("UserOperationBuilder.build")(function* <
        P extends { readonly calls: ReadonlyArray<Call> },
        E
      >(context: OperationContext, { expiresAtSeconds, plan, provisionalLimits }: BuildRequest<P, E>) {
        const nonce = yield* freshNonce
        const callsFor = (plannedCalls: P, fee: bigint) => [...allowanceCalls(context, fee), ...plannedCalls.calls]

        /** Runs what is planned for a fee. The paymaster's stub will do: a simulation does not look at signatures. */
        const simulateFor = Effect.fnUntraced(function* (fee: bigint) {
          const callPlan = yield* plan(fee)
          const draft = operationOf(context, nonce, callsFor(callPlan, fee), provisionalLimits)
          return yield* bundler.simulate(withoutLimits(draft), accounts.stubSignature(context.account))
        })

        const provisionalFee = maxGasFee(context, provisionalLimits)
        const first = yield* simulateFor(provisionalFee)
        const firstFee = maxGasFee(context, first.limits)
        // An operation heavier than was provided for may have failed for that alone.
        const simulation = firstFee > provisionalFee ? yield* simulateFor(firstFee) : first

        const fee = maxGasFee(context, simulation.limits)
        const callPlan = yield* plan(fee)
        const calls = callsFor(callPlan, fee)
        const operation = yield* signByPaymaster(
          context,
          operationOf(context, nonce, calls, simulation.limits),
          expiresAtSeconds
        )
        const maxWei = maxGasFeeWei(simulation.limits, context.state.maxFeePerGas)
        return {
          operation,
          hash: accounts.hash(operation),
          signData: accounts.signData(context.account, operation),
          gas: {
            token: context.payGasFeeToken.address,
            maxWei,
            maxToken: fee,
            expectedToken: expectedGasFee(context, simulation)
          },
          simulation: withPrefund(context, simulation, maxWei, calls),
          plan: callPlan,
          calls
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
