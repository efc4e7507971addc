import { Clock, Context, Effect, Layer } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { UpstreamUnavailable } from "../errors/index.ts"
import { type Address, Entropy, type Hash32, HexBytes, isNativeCoin, NATIVE_COIN } from "../primitives/index.ts"
import type { SignData } from "../signing/index.ts"
import type { Token } from "../tokens/index.ts"
import type { Account } from "../wallets/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler } from "./Bundler.ts"
import { type Call, erc20Approve } from "./Call.ts"
import { type AccountState, ChainReader } from "./ChainReader.ts"
import { gasFeeInTokenRoundingUp, maxGasFeeWei } from "./gasFee.ts"
import { type GasTokenNotAccepted, Paymaster, type PaymasterTerms } from "./Paymaster.ts"
import type { GasLimits, Simulation } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

export interface OpenRequest {
  readonly chainId: EvmChainId
  readonly account: Account
  readonly payGasFeeToken: Token
  /** Tokens whose balances the caller wants to know. */
  readonly tokens: ReadonlyArray<Address>
}

/** What is known of an account and of its gas before anything is planned. */
export interface OperationContext extends OpenRequest {
  readonly state: AccountState
  /** Null where gas is paid in the chain's coin. */
  readonly paymaster: { readonly terms: PaymasterTerms; readonly allowance: bigint } | null
}

export interface GasFee {
  /** The most that the operation can cost. */
  readonly maxWei: bigint
  /** The same in base units of the token that pays. */
  readonly maxToken: bigint
  /** What it would have cost in the simulation, in base units of the token that pays. */
  readonly expectedToken: bigint
}

export interface BuiltOperation<P> {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signData: ReadonlyArray<SignData>
  readonly gasFee: GasFee
  readonly simulation: Simulation
  readonly plan: P
  /** Every call in order, the paymaster's allowance included. */
  readonly calls: ReadonlyArray<Call>
}

/**
 * The gas that a swap of a wallet yet to be deployed needs, generously. Used once, to plan the calls that are then
 * simulated; the figures of the quote come from that simulation.
 */
const provisionalLimits: GasLimits = {
  callGasLimit: 450_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

/**
 * An allowance that no fees use up. With a smaller one each operation brings its own, also where what is left of earlier
 * ones would do: operations that are prepared side by side all see the same rest, and only the first would find it.
 */
const UNLIMITED = 2n ** 128n

/** How long a signed operation stays executable on chain after its quote has expired: time for it to be included. */
export const INCLUSION_GRACE_SECONDS = 600

/**
 * For a simulation: limits left to the bundler, and no price where the account itself pays, because a generous limit
 * times the price could ask for a prefund that the final operation does not need.
 */
const unlimited = (operation: UserOperation, accountPays: boolean): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  ...(accountPays ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : {})
})

/** Adds what a simulation without a price can't see: that the coin does not suffice for the calls and the gas. */
const withPrefund = (
  context: OperationContext,
  simulation: Simulation,
  maxWei: bigint,
  calls: ReadonlyArray<Call>
): Simulation => {
  if (context.paymaster !== null || simulation.revert !== null) return simulation
  const balance = context.state.balances.get(NATIVE_COIN) ?? 0n
  const needed = calls.reduce((sum, call) => sum + call.value, maxWei)
  return balance >= needed ? simulation : { ...simulation, revert: insufficientPrefund, transfers: [] }
}

/** What the EntryPoint answers to an account that can't pay for its operation. */
const insufficientPrefund: RevertReason = {
  decoded: "AA21 didn't pay prefund: the wallet's coin does not cover the operation's value and its gas",
  raw: HexBytes.make("0x"),
  utf8: ""
}

/** Makes user operations out of calls: nonce, deployment, gas, paymaster, hash, what to sign. */
export class UserOperationBuilder extends Context.Service<
  UserOperationBuilder,
  {
    /** First round trip: the account's state and the paymaster's terms. */
    readonly open: (request: OpenRequest) => Effect.Effect<OperationContext, UpstreamUnavailable | GasTokenNotAccepted>
    /**
     * Second round trip: simulates the planned calls, sets the gas limits from that, and plans again with the final
     * gas fee. `plan` gets the most that gas can take, in base units of the token that pays, and must not ask a chain.
     */
    readonly build: <P extends { readonly calls: ReadonlyArray<Call> }, E>(
      context: OperationContext,
      expiresAtSeconds: number,
      plan: (maxGasFee: bigint) => Effect.Effect<P, E>
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

      const open = Effect.fn("UserOperationBuilder.open")(function* (request: OpenRequest) {
        const { account, chainId, payGasFeeToken } = request
        const tokens = [...new Set([...request.tokens, payGasFeeToken.address])]
        const stateWith = (spender: Address | null) =>
          reader.accountState(chainId, {
            address: account.address,
            tokens,
            allowances: spender === null ? [] : [{ token: payGasFeeToken.address, spender }]
          })
        if (isNativeCoin(payGasFeeToken.address)) {
          return { ...request, state: yield* stateWith(null), paymaster: null }
        }
        const { version } = accounts.entryPointOf(account)
        const termsAsked = paymasters.terms(chainId, version, payGasFeeToken)
        const known = paymasters.addressOrNull(chainId, version)
        const [terms, state] =
          known === null
            ? yield* Effect.flatMap(termsAsked, (terms) =>
                Effect.map(stateWith(terms.address), (state) => [terms, state] as const)
              )
            : yield* Effect.all([termsAsked, stateWith(known)], { concurrency: 2 })
        return { ...request, state, paymaster: { terms, allowance: state.allowances[0] ?? 0n } }
      })

      const feeOf = (context: OperationContext, limits: GasLimits): bigint => {
        const wei = maxGasFeeWei(limits, context.state.maxFeePerGas)
        if (context.paymaster === null) return wei
        const { postOpGasCharge, tokenUnitsPerCoin } = context.paymaster.terms
        return gasFeeInTokenRoundingUp(wei + postOpGasCharge * context.state.maxFeePerGas, tokenUnitsPerCoin)
      }

      /** Lets the paymaster take its fee. A smaller allowance is cleared first, because USDT refuses to change one. */
      const allowanceCalls = (context: OperationContext, fee: bigint): ReadonlyArray<Call> => {
        if (context.paymaster === null || context.paymaster.allowance >= UNLIMITED) return []
        const { allowance, terms } = context.paymaster
        const allow = erc20Approve(context.payGasFeeToken, terms.address, fee)
        return allowance === 0n ? [allow] : [erc20Approve(context.payGasFeeToken, terms.address, 0n), allow]
      }

      const needsDeployment = ({ account, state }: OperationContext): boolean =>
        account.eip7702 ? state.delegate !== account.implementation : !state.hasCode

      const operationOf = (
        context: OperationContext,
        nonce: bigint,
        calls: ReadonlyArray<Call>,
        limits: GasLimits
      ): UserOperation => {
        const { account, chainId, state } = context
        const deploys = needsDeployment(context)
        const deployment = deploys ? accounts.deployment(account) : { factory: null, factoryData: null }
        const entryPoint = accounts.entryPointOf(account)
        return {
          chainId,
          entryPoint: entryPoint.address,
          entryPointVersion: entryPoint.version,
          sender: account.address,
          nonce,
          ...deployment,
          callData: accounts.encodeCalls(account, calls),
          callGasLimit: limits.callGasLimit,
          verificationGasLimit: limits.verificationGasLimit,
          preVerificationGas: limits.preVerificationGas,
          maxFeePerGas: state.maxFeePerGas,
          maxPriorityFeePerGas: state.maxPriorityFeePerGas,
          paymaster:
            context.paymaster === null
              ? null
              : {
                  address: context.paymaster.terms.address,
                  verificationGasLimit: limits.paymasterVerificationGasLimit,
                  postOpGasLimit: limits.paymasterPostOpGasLimit,
                  data: context.paymaster.terms.stubData
                },
          authorization:
            deploys && account.eip7702
              ? accounts.authorization(chainId, account.implementation, state.transactionCount)
              : null
        }
      }

      const signedByPaymaster = Effect.fnUntraced(function* (
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
      >(context: OperationContext, expiresAtSeconds: number, plan: (maxGasFee: bigint) => Effect.Effect<P, E>) {
        const nonce = yield* freshNonce
        const callsFor = (planned: P, fee: bigint) => [...allowanceCalls(context, fee), ...planned.calls]

        /** Runs what is planned for a fee. The paymaster's stub will do: a simulation does not look at signatures. */
        const simulatedFor = Effect.fnUntraced(function* (fee: bigint) {
          const planned = yield* plan(fee)
          const draft = operationOf(context, nonce, callsFor(planned, fee), provisionalLimits)
          return yield* bundler.simulate(
            unlimited(draft, context.paymaster === null),
            accounts.stubSignature(context.account)
          )
        })

        const provisionalFee = feeOf(context, provisionalLimits)
        const first = yield* simulatedFor(provisionalFee)
        const firstFee = feeOf(context, first.limits)
        // An operation heavier than was provided for may have failed for that alone.
        const simulation = firstFee > provisionalFee ? yield* simulatedFor(firstFee) : first

        const fee = feeOf(context, simulation.limits)
        const planned = yield* plan(fee)
        const calls = callsFor(planned, fee)
        const operation = yield* signedByPaymaster(
          context,
          operationOf(context, nonce, calls, simulation.limits),
          expiresAtSeconds
        )
        const maxWei = maxGasFeeWei(simulation.limits, context.state.maxFeePerGas)
        const price = context.state.baseFeePerGas + context.state.maxPriorityFeePerGas
        const expectedWei = simulation.gasUsed * price
        return {
          operation,
          hash: accounts.hash(operation),
          signData: accounts.signData(context.account, operation),
          gasFee: {
            maxWei,
            maxToken: fee,
            expectedToken:
              context.paymaster === null
                ? expectedWei
                : gasFeeInTokenRoundingUp(expectedWei, context.paymaster.terms.tokenUnitsPerCoin)
          },
          simulation: withPrefund(context, simulation, maxWei, calls),
          plan: planned,
          calls
        }
      })

      return UserOperationBuilder.of({ open, build })
    })
  )
}
