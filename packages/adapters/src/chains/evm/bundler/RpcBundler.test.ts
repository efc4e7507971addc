import { BundlerScenarios, bundlerContract } from "@countersign/core/contracts/operations/user-operations/Bundler"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Bundler, OperationRejected } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { bundlerScenarios } from "../../../../test/evm/bundlerScenarios.ts"
import { BundlerEmulator } from "../../../../test/evm/emulators/BundlerEmulator.ts"
import { CHAIN, evmSandboxForAnyBundler } from "../../../../test/evm/evmSandbox.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import { entryPointSimulations } from "../../deployments/index.ts"
import type { RpcOptions } from "../rpc/rpcConnections.ts"
import * as RpcBundler from "./RpcBundler.ts"

const emulator = BundlerEmulator.layer(CHAIN)

/** The tested adapter sends to an emulator, behind which another bundler runs. */
const rpcBundlerWith = (limits: Pick<RpcOptions, "timeoutMs" | "deadlineMs">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { url } = yield* BundlerEmulator
      return RpcBundler.layer({
        ...limits,
        urls: new Map([[CHAIN, [url]]]),
        simulations: entryPointSimulations,
        rounds: 2,
        retryDelayMs: 10
      })
    })
  )
const rpcBundler = rpcBundlerWith(PATIENT_RPC)

const overHttp = rpcBundler.pipe(
  Layer.provideMerge(Layer.merge(emulator, bundlerScenarios("SIMPLE_7702"))),
  Layer.provideMerge(evmSandboxForAnyBundler)
)

bundlerContract("any ERC-4337 RPC", overHttp)

layer(overHttp, { excludeTestServices: true })("RpcBundler", (it) => {
  const submit = Effect.gen(function* () {
    const operation = yield* (yield* BundlerScenarios).transferOperation
    const bundler = yield* Bundler
    return yield* bundler.submit(operation.operation, operation.signature, operation.authorizationSignature)
  })

  it.effect("waits for the time of the Retry-After header if it is rate-limited, and then continues", () =>
    Effect.gen(function* () {
      const { inject } = yield* BundlerEmulator
      inject({ _tag: "Status", status: 429, retryAfterSeconds: 0 })
      yield* submit
    })
  )

  it.effect("fails with UPSTREAM_UNAVAILABLE, which contains the chain, if the bundler does not respond in time", () =>
    Effect.gen(function* () {
      const { inject } = yield* BundlerEmulator
      const operation = yield* (yield* BundlerScenarios).transferOperation
      inject({ _tag: "Hang" }, { _tag: "Hang" })
      const error = yield* Bundler.use((bundler) =>
        Effect.flip(bundler.submit(operation.operation, operation.signature, operation.authorizationSignature))
      ).pipe(Effect.provide(Layer.fresh(rpcBundlerWith({ timeoutMs: 400 }))))
      assert.instanceOf(error, UpstreamUnavailable)
      assert.strictEqual(error.upstream, "Bundler of Ethereum")
      assert.strictEqual(error.reason, "no response within 400 ms")
    })
  )

  for (const [code, isRejected] of [
    [-32500, true],
    [-32507, true],
    [-32504, false],
    [-32603, false]
  ] as const) {
    it.effect(`treats error ${code} as ${isRejected ? "a rejection" : "a temporary failure"}`, () =>
      Effect.gen(function* () {
        const { inject } = yield* BundlerEmulator
        inject({ _tag: "Error", code, message: "AA99 for a reason" })
        const error = yield* Effect.flip(submit)
        assert.strictEqual(error instanceof OperationRejected, isRejected)
        assert.include(error.message, "AA99 for a reason")
      })
    )
  }

  it.effect("retries after a lost connection", () =>
    Effect.gen(function* () {
      const { inject } = yield* BundlerEmulator
      inject({ _tag: "Drop" })
      yield* submit
    })
  )
})
