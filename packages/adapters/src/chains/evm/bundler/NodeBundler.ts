import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Bundler } from "@countersign/core/operations/user-operations"
import { Effect, Layer } from "effect"
import { RpcClients } from "../RpcClients.ts"
import { findAbsenceTime, type OutcomeSources, operationOutcome } from "./operationOutcome.ts"
import { operationSearch } from "./operationSearch.ts"
import { SupportedMethods } from "./simulation/SupportedMethods.ts"
import { changesOfOperation, simulateOperation } from "./simulation/simulateOperation.ts"
import type { EntryPointSimulations } from "./simulation/simulationRequest.ts"

const failWithoutBundler = Effect.fail(
  new UpstreamUnavailable({
    upstream: "The bundler",
    reason: "no bundler is configured. Configure operator keys or the URL of a bundler"
  })
)

/**
 * A bundler for chains for which only nodes are configured. It simulates operations and finds included ones, but can't
 * send any. It therefore rejects a signed operation immediately.
 */
export const layer = (options: {
  readonly simulations: EntryPointSimulations
}): Layer.Layer<Bundler, never, RpcClients> =>
  Layer.effect(
    Bundler,
    Effect.map(RpcClients, (rpc) => {
      const supportedMethods = new SupportedMethods()
      const simulator = {
        rpc,
        supportedMethods,
        simulations: options.simulations,
        operator: null,
        allowsEthCall: true
      }
      const sources: OutcomeSources = {
        rpc,
        search: operationSearch(rpc),
        bundleTransactions: () => Effect.succeed([])
      }
      return Bundler.of({
        simulate: Effect.fn("Bundler.simulate")((operation, signature, signedBy, after) =>
          signedBy === "OWNER"
            ? failWithoutBundler
            : rpc.call(operation.chainId, () => simulateOperation(simulator, operation, signature, signedBy, after))
        ),
        simulateStateChanges: Effect.fn("Bundler.stateChanges")((operation, signature) =>
          rpc.call(operation.chainId, () => changesOfOperation(simulator, operation, signature))
        ),
        submit: () => failWithoutBundler,
        findOutcome: Effect.fn("Bundler.outcome")((operation, hash, fromBlock) =>
          operationOutcome(sources, { operation, hash, fromBlock })
        ),
        proveAbsentUntil: Effect.fn("Bundler.absentUntil")((operation, hash, fromBlock) =>
          findAbsenceTime(sources, { operation, hash, fromBlock })
        )
      })
    })
  )
