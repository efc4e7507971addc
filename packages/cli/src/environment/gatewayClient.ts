import { EvmChainId } from "@countersign/core/foundation/chains"
import { Effect, Schema } from "effect"
import { SandboxRefused, SandboxUnreachable } from "./errors.ts"

const VaultMode = Schema.Struct({
  mode: Schema.Literals(["PAY", "REFUND", "LIE", "HALT"]),
  delaySeconds: Schema.optionalKey(Schema.Int)
})
export type VaultMode = typeof VaultMode.Type

export const GatewayStatus = Schema.Struct({
  clockOffsetSeconds: Schema.Finite,
  nowSeconds: Schema.Finite,
  relayer: Schema.Struct({ mode: Schema.Literals(["FILL", "OFF"]), delaySeconds: Schema.optionalKey(Schema.Int) }),
  /**
   * Modes of the sandbox's THORChain, and of LI.FI for swaps from and to Bitcoin. Absent in sandboxes of earlier
   * versions.
   */
  thorchain: Schema.optionalKey(VaultMode),
  lifi: Schema.optionalKey(VaultMode),
  /** Mode of the limit order solver. Absent in sandboxes of an earlier version. */
  solver: Schema.optionalKey(Schema.Struct({ isSolving: Schema.Boolean, largestPercent: Schema.Finite })),
  bitcoin: Schema.optionalKey(
    Schema.Struct({
      height: Schema.Int,
      waiting: Schema.Int,
      satoshisPerVbyte: Schema.Finite,
      hasBlocks: Schema.Boolean,
      txid: Schema.NullOr(Schema.String)
    })
  ),
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

const exchange = (url: string, method: "GET" | "POST", body: object | undefined) =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, {
      method,
      ...(method === "GET" ? {} : { headers: { "content-type": "application/json" } }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000)
    })
    const responseBody: unknown = await response.json()
    return { isOk: response.ok, answer: responseBody }
  })

/** Sends a request to the gateway of a running sandbox. The response is the sandbox's state after the request. */
export const requestGateway = Effect.fnUntraced(function* (
  gatewayUrl: string,
  method: "GET" | "POST",
  path: string,
  body?: object
): Effect.fn.Return<GatewayStatus, SandboxUnreachable | SandboxRefused> {
  const unreachableError = (reason: string) => new SandboxUnreachable({ url: gatewayUrl, reason })
  const { answer, isOk } = yield* Effect.mapError(exchange(gatewayUrl + path, method, body), ({ cause }) =>
    unreachableError(cause instanceof Error ? cause.message : String(cause))
  )
  if (!isOk)
    return yield* new SandboxRefused({ reason: String(Object(answer).message ?? "The sandbox rejected the request.") })
  return yield* Effect.mapError(decodeStatus(answer), () => unreachableError("its response is not from a sandbox"))
})
