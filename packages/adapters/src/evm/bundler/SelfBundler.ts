import type { UpstreamUnavailable } from "@countersign/core/errors"
import type { HexBytes } from "@countersign/core/primitives"
import { Bundler, OperationRejected } from "@countersign/core/user-operations"
import { Effect, Layer, Redacted } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { hex } from "../hex.ts"
import { RpcClients, rpcNodeOf } from "../RpcClients.ts"
import { unavailable } from "../rpc/unavailable.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import { OperatorAccount } from "./OperatorAccount.ts"
import { operationOutcome } from "./operationOutcome.ts"
import { SentOperations } from "./SentOperations.ts"
import { simulateOperation } from "./simulation/simulateOperation.ts"
import type { EntryPointSimulations } from "./simulation/simulationRequest.ts"
import { submitOperation } from "./submitOperation.ts"

export interface SelfBundlerOptions {
  /** Key of the account that sends `handleOps` and is repaid by the operations. It needs coin on every chain. */
  readonly operatorKey: Redacted.Redacted<HexBytes>
  readonly simulations: EntryPointSimulations
}

/**
 * Bundler of our own, over the chains' nodes alone: each operation is simulated with `debug_traceCall` and sent in a
 * transaction of its own. The nodes must serve the debug namespace with state overrides.
 */
export const layer = (options: SelfBundlerOptions): Layer.Layer<Bundler, never, RpcClients> =>
  Layer.effect(
    Bundler,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const operator = new OperatorAccount(privateKeyToAccount(hex(Redacted.value(options.operatorKey))))
      const sentOperations = new SentOperations()

      return Bundler.of({
        simulate: Effect.fn("Bundler.simulate")((operation, signature, signedBy) =>
          rpc.call(operation.chainId, () =>
            simulateOperation(
              { rpc, simulations: options.simulations, operator: operator.address },
              operation,
              signature,
              signedBy
            )
          )
        ),
        submit: Effect.fn("Bundler.submit")((operation, signature, authorizationSignature) =>
          Effect.tryPromise({
            try: () => {
              const client = rpc.client(operation.chainId)
              return sentOperations.once(
                operation.chainId,
                userOperationHash(operation),
                async (hash) => (await client.request({ method: "eth_getTransactionByHash", params: [hash] })) !== null,
                () => submitOperation({ client, operator }, operation, signature, authorizationSignature)
              )
            },
            catch: (thrown): OperationRejected | UpstreamUnavailable =>
              thrown instanceof OperationRejected ? thrown : unavailable(rpcNodeOf(operation.chainId), thrown)
          })
        ),
        outcome: Effect.fn("Bundler.outcome")((operation, hash, fromBlock) =>
          rpc.call(operation.chainId, () => operationOutcome(rpc, operation, hash, fromBlock))
        )
      })
    })
  )
