import { EvmChainId } from "@countersign/core/chains"
import { Effect, Schema } from "effect"
import { SandboxUnreachable } from "./errors.ts"

export const GatewayStatus = Schema.Struct({
  clockOffsetSeconds: Schema.Finite,
  nowSeconds: Schema.Finite,
  chains: Schema.Array(
    Schema.Struct({
      chainId: EvmChainId,
      running: Schema.Boolean,
      pid: Schema.optionalKey(Schema.Int),
      blockNumber: Schema.optionalKey(Schema.Int)
    })
  )
})
export type GatewayStatus = typeof GatewayStatus.Type

const decodeStatus = Schema.decodeUnknownEffect(GatewayStatus)

/** Asks a running sandbox's gateway, which answers every request with its status afterwards. */
export const askGateway = (
  gatewayUrl: string,
  method: "GET" | "POST",
  path: string,
  body?: object
): Effect.Effect<GatewayStatus, SandboxUnreachable> =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(`${gatewayUrl}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000)
      })
      const answer: unknown = await response.json()
      if (!response.ok) throw new Error(String(Object(answer).message ?? response.status))
      return answer
    },
    catch: (cause) =>
      new SandboxUnreachable({ url: gatewayUrl, reason: cause instanceof Error ? cause.message : String(cause) })
  }).pipe(
    Effect.flatMap((answer) =>
      Effect.mapError(
        decodeStatus(answer),
        () => new SandboxUnreachable({ url: gatewayUrl, reason: "its answer is not a sandbox's" })
      )
    )
  )
