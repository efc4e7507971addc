import { assert, layer } from "@effect/vitest"
import { Context, Effect, type Layer, Option, Schedule } from "effect"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { Bundler, OperationRejected } from "./Bundler.ts"
import type { TokenTransfer } from "./Simulation.ts"
import type { UserOperation } from "./UserOperation.ts"

/** An operation that its owner has signed, ready to submit. */
export interface SubmittableOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly signature: HexBytes
  readonly authorizationSignature: HexBytes | null
  readonly fromBlock: bigint
}

/** Creates operations for the contract tests, for each test, on a chain that mines automatically. */
export class BundlerScenarios extends Context.Service<
  BundlerScenarios,
  {
    /** An operation that deploys its account and makes a transfer. */
    readonly transferOperation: Effect.Effect<SubmittableOperation & { readonly expected: TokenTransfer }>
    /** An operation that passes validation, and whose calls revert with a message. */
    readonly revertingOperation: Effect.Effect<SubmittableOperation & { readonly message: RegExp }>
    /** A valid operation that another key has signed. */
    readonly wronglySignedOperation: Effect.Effect<SubmittableOperation>
    /** Two operations. The second one depends on the first one, and makes a transfer. */
    readonly orderedOperations: Effect.Effect<{
      readonly first: SubmittableOperation
      readonly second: SubmittableOperation & { readonly expected: TokenTransfer }
    }>
  }
>()("@countersign/core/user-operations/BundlerScenarios") {}

const withoutLimits = (operation: UserOperation): UserOperation => ({
  ...operation,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n
})

const submit = Effect.fnUntraced(function* ({ operation, signature, authorizationSignature }: SubmittableOperation) {
  const bundler = yield* Bundler
  return yield* bundler.submit(operation, signature, authorizationSignature)
})

const findOutcome = Effect.fnUntraced(function* ({ operation, hash, fromBlock }: SubmittableOperation) {
  const bundler = yield* Bundler
  return yield* bundler.findOutcome(operation, hash, fromBlock)
})

const submitAndWait = (operation: SubmittableOperation) =>
  findOutcome(operation).pipe(
    Effect.flatMap(Effect.fromOption),
    Effect.retry(Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: "2 minutes" })))
  )

/** Contract tests that every `Bundler` must pass. */
export const bundlerContract = <E>(name: string, bundlers: Layer.Layer<Bundler | BundlerScenarios, E>): void => {
  layer(bundlers, { excludeTestServices: true })(`Bundler of ${name}`, (it) => {
    it.effect("sets the gas limits of an operation without limits, and reports its transfers", () =>
      Effect.gen(function* () {
        const { operation, signature, expected } = yield* (yield* BundlerScenarios).transferOperation
        const simulation = yield* (yield* Bundler).simulate(withoutLimits(operation), signature, "OWNER")
        assert.isNull(simulation.revert)
        assert.deepInclude(simulation.transfers, expected)
        const { limits } = simulation
        assert.isTrue(
          limits.callGasLimit > 0n && limits.verificationGasLimit > 0n && limits.preVerificationGas > 21_000n
        )
        assert.strictEqual(limits.paymasterVerificationGasLimit > 0n, operation.paymaster !== null)
        assert.isTrue(simulation.gasUsed > 21_000n)
      })
    )

    it.effect("reports why an operation would revert, with and without limits", () =>
      Effect.gen(function* () {
        const { operation, signature, message } = yield* (yield* BundlerScenarios).revertingOperation
        const bundler = yield* Bundler
        for (const simulatedOperation of [operation, withoutLimits(operation)]) {
          const { revert, transfers } = yield* bundler.simulate(simulatedOperation, signature, "OWNER")
          assert.match(revert?.decoded ?? "", message)
          assert.deepStrictEqual(transfers, [])
        }
      })
    )

    it.effect("returns no outcome before the submission, and the outcome after the inclusion", () =>
      Effect.gen(function* () {
        const scenario = yield* (yield* BundlerScenarios).transferOperation
        assert.isTrue(Option.isNone(yield* findOutcome(scenario)))
        yield* submit(scenario)
        const outcome = yield* submitAndWait(scenario)
        assert.isTrue(outcome.success)
        assert.isNull(outcome.revert)
        assert.deepInclude(outcome.transfers, scenario.expected)
        assert.isTrue(outcome.actualGasCost > 0n)
        assert.isTrue(outcome.blockNumber >= scenario.fromBlock)
      })
    )

    it.effect("reports until when an operation was in no block, and null after its inclusion", () =>
      Effect.gen(function* () {
        const scenario = yield* (yield* BundlerScenarios).transferOperation
        const { fromBlock, hash, operation } = scenario
        const absentUntil = Bundler.use((bundler) => bundler.proveAbsentUntil(operation, hash, fromBlock))
        assert.isAbove((yield* absentUntil) ?? 0, 1_500_000_000)
        yield* submit(scenario)
        const outcome = yield* submitAndWait(scenario)
        assert.isAbove(outcome.blockTimestamp, 1_500_000_000)
        assert.isNull(yield* absentUntil)
      })
    )

    it.effect("accepts the same operation again, concurrently and later", () =>
      Effect.gen(function* () {
        const scenario = yield* (yield* BundlerScenarios).transferOperation
        yield* Effect.all([submit(scenario), submit(scenario)], { concurrency: 2 })
        const outcome = yield* submitAndWait(scenario)
        yield* submit(scenario)
        assert.deepStrictEqual(yield* submitAndWait(scenario), outcome)
      })
    )

    it.effect("rejects an operation that its owner has not signed", () =>
      Effect.gen(function* () {
        const scenario = yield* (yield* BundlerScenarios).wronglySignedOperation
        const error = yield* Effect.flip(submit(scenario))
        assert.instanceOf(error, OperationRejected)
        assert.isTrue(Option.isNone(yield* findOutcome(scenario)))
      })
    )
  })
}

/** Tests for a `Bundler` that can simulate an operation before the preceding operation is included. */
export const bundlerOrderContract = <E>(name: string, bundlers: Layer.Layer<Bundler | BundlerScenarios, E>): void => {
  layer(bundlers, { excludeTestServices: true })(`Bundler of ${name}`, (it) => {
    it.effect("simulates an operation with the state changes of its predecessor", () =>
      Effect.gen(function* () {
        const { first, second } = yield* (yield* BundlerScenarios).orderedOperations
        const bundler = yield* Bundler
        const changes = yield* bundler.simulateStateChanges(first.operation, first.signature)
        for (const simulatedOperation of [second.operation, withoutLimits(second.operation)]) {
          assert.isNotNull((yield* bundler.simulate(simulatedOperation, second.signature, "OWNER")).revert)
          const simulation = yield* bundler.simulate(simulatedOperation, second.signature, "OWNER", changes)
          assert.isNull(simulation.revert)
          assert.deepInclude(simulation.transfers, second.expected)
        }
      })
    )

    it.effect("neither sends nor rejects an operation before its predecessor", () =>
      Effect.gen(function* () {
        const { first, second } = yield* (yield* BundlerScenarios).orderedOperations
        yield* submit(second)
        yield* submit(first)
        assert.isTrue((yield* submitAndWait(first)).success)
        assert.isTrue(Option.isNone(yield* findOutcome(second)))
        yield* submit(second)
        const outcome = yield* submitAndWait(second)
        assert.isTrue(outcome.success)
        assert.deepInclude(outcome.transfers, second.expected)
      })
    )
  })
}
