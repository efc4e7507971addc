import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import {
  Bundler,
  OperationRejected,
  type SignedBy,
  type Simulation,
  type UserOperation
} from "@countersign/core/operations/user-operations"
import { Effect, Layer } from "effect"
import { RpcClients } from "../RpcClients.ts"
import { type JsonRpcError, jsonRpcErrorIn } from "../rpc/JsonRpcError.ts"
import { type RpcOptions, rpcConnections } from "../rpc/rpcConnections.ts"
import { toUpstreamUnavailable } from "../rpc/unavailable.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import { userOperationJson } from "../user-operation/userOperationJson.ts"
import { isRejection, rejectionRevert } from "./bundlerErrors.ts"
import { findAbsenceTime, type OutcomeSources, operationOutcome } from "./operationOutcome.ts"
import { operationSearch } from "./operationSearch.ts"
import { gasLimitsInResponse, transactionInResponse } from "./rpcResponses.ts"
import { SupportedMethods } from "./simulation/SupportedMethods.ts"
import { hasZeroLimits, simulateOperation } from "./simulation/simulateOperation.ts"
import type { EntryPointSimulations } from "./simulation/simulationRequest.ts"
import { unmeasuredLimits } from "./simulation/simulationResult.ts"

/** `urls` are the bundlers' URLs. */
export interface RpcBundlerOptions extends RpcOptions {
  /** Code for simulating operations on the chain's nodes, if they support one of the simulation methods. */
  readonly simulations: EntryPointSimulations
}

/** Some bundlers can estimate on another state than the latest block, but ERC-7769 defines no parameter for it. */
const estimatesLatestOnly = (chainId: EvmChainId) =>
  new UpstreamUnavailable({
    upstream: bundlerOf(chainId),
    reason: "it can estimate an operation only on the latest state, not after another operation"
  })

const bundlerOf = (chainId: EvmChainId): string => `Bundler of ${chainOf(chainId).name}`

/**
 * Supports any bundler with ERC-4337's JSON-RPC API (ERC-7769). The bundler estimates, sends and finds operations. A
 * node that can simulate shows the effects and revert reasons of operations.
 */
export const layer = (options: RpcBundlerOptions): Layer.Layer<Bundler, never, RpcClients> =>
  Layer.effect(
    Bundler,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const { requestOf } = rpcConnections("BUNDLER", options)

      const request = (chainId: EvmChainId, method: string, params: ReadonlyArray<unknown>): Promise<unknown> =>
        requestOf(chainId)({ method, params })

      const supportedMethods = new SupportedMethods()
      // The account from which the bundler sends operations is unknown.
      const simulator = {
        rpc,
        supportedMethods,
        simulations: options.simulations,
        operator: null,
        allowsEthCall: true
      }
      const traceOrNull = (
        operation: UserOperation,
        signature: HexBytes,
        signedBy: SignedBy
      ): Promise<Simulation | null> => simulateOperation(simulator, operation, signature, signedBy).catch(() => null)

      const estimate = async (operation: UserOperation, signature: HexBytes): Promise<Estimate> => {
        const json = userOperationJson(operation, signature, null)
        try {
          const response = await request(operation.chainId, "eth_estimateUserOperationGas", [
            json,
            operation.entryPoint
          ])
          return { limits: gasLimitsInResponse(response), revert: null }
        } catch (thrown) {
          const error = jsonRpcErrorIn(thrown)
          if (error === null || !isRejection(error)) throw thrown
          return { limits: null, revert: rejectionRevert(error) }
        }
      }

      const simulate = async (
        operation: UserOperation,
        signature: HexBytes,
        signedBy: SignedBy
      ): Promise<Simulation> => {
        if (signedBy === "OWNER" && !hasZeroLimits(operation)) {
          const traceSimulation = await traceOrNull(operation, signature, signedBy)
          return traceSimulation ?? simulationOf(operation, signature, await estimate(operation, signature), null)
        }
        const [gasEstimate, traceSimulation] = await Promise.all([
          estimate(operation, signature),
          traceOrNull(operation, signature, signedBy)
        ])
        return simulationOf(operation, signature, gasEstimate, traceSimulation)
      }

      const submit = async (
        operation: UserOperation,
        signature: HexBytes,
        authorizationSignature: HexBytes | null
      ): Promise<void> => {
        const { chainId, entryPoint } = operation
        const json = userOperationJson(operation, signature, authorizationSignature)
        try {
          await request(chainId, "eth_sendUserOperation", [json, entryPoint])
        } catch (thrown) {
          const error = jsonRpcErrorIn(thrown)
          if (error === null) throw thrown
          // A rejection counts as success if the bundler already has the operation.
          const existingOperation = await request(chainId, "eth_getUserOperationByHash", [userOperationHash(operation)])
          if (existingOperation !== null) return
          throw isRejection(error) ? rejectionOf(error) : thrown
        }
      }

      const sources: OutcomeSources = {
        rpc,
        search: operationSearch(rpc),
        // To find an outcome, the bundler is queried only if the nonce is used and the node lacks the event. One search
        // on the node covers all pending operations.
        bundleTransactions: ({ hash, operation: { chainId } }) =>
          Effect.tryPromise(async () => {
            const transaction = transactionInResponse(await request(chainId, "eth_getUserOperationReceipt", [hash]))
            return transaction === null ? [] : [transaction]
          }).pipe(Effect.orElseSucceed(() => []))
      }

      return Bundler.of({
        simulate: Effect.fn("Bundler.simulate")((operation, signature, signedBy) =>
          Effect.tryPromise({
            try: () => simulate(operation, signature, signedBy),
            catch: (thrown) => toUpstreamUnavailable(bundlerOf(operation.chainId), thrown)
          })
        ),
        simulateStateChanges: ({ chainId }) => Effect.fail(estimatesLatestOnly(chainId)),
        submit: Effect.fn("Bundler.submit")((operation, signature, authorizationSignature) =>
          Effect.tryPromise({
            try: () => submit(operation, signature, authorizationSignature),
            catch: (thrown): OperationRejected | UpstreamUnavailable =>
              thrown instanceof OperationRejected ? thrown : toUpstreamUnavailable(bundlerOf(operation.chainId), thrown)
          })
        ),
        findOutcome: Effect.fn("Bundler.outcome")((operation, hash, fromBlock) =>
          operationOutcome(sources, { operation, hash, fromBlock })
        ),
        proveAbsentUntil: Effect.fn("Bundler.absentUntil")((operation, hash, fromBlock) =>
          findAbsenceTime(sources, { operation, hash, fromBlock })
        )
      })
    })
  )

const NO_SIMULATION_WARNING =
  "The chain's nodes can't simulate operations: the preview has no asset changes and no allowances."

interface Estimate {
  /** Gas limits from the bundler; null if it returned none because the operation reverts. */
  readonly limits: Simulation["limits"] | null
  readonly revert: Simulation["revert"]
}

const rejectionOf = (error: JsonRpcError): OperationRejected =>
  new OperationRejected({ reason: rejectionRevert(error).decoded })

/** Combines the bundler's limits, because the bundler must accept them, with the effects that the node shows. */
const simulationOf = (
  operation: UserOperation,
  signature: HexBytes,
  gasEstimate: Estimate,
  traceSimulation: Simulation | null
): Simulation => {
  const limits = gasEstimate.limits ?? traceSimulation?.limits ?? unmeasuredLimits(operation, signature)
  const revert = traceSimulation?.revert ?? gasEstimate.revert
  return {
    limits,
    gasUsed: traceSimulation?.gasUsed ?? Object.values(limits).reduce((sum: bigint, limit: bigint) => sum + limit, 0n),
    revert,
    tokenPaid: traceSimulation?.tokenPaid ?? null,
    validUntil: traceSimulation?.validUntil ?? null,
    transfers: revert === null ? (traceSimulation?.transfers ?? []) : [],
    allowanceChanges: revert === null ? (traceSimulation?.allowanceChanges ?? []) : [],
    notSeen: traceSimulation === null ? NO_SIMULATION_WARNING : traceSimulation.notSeen
  }
}
