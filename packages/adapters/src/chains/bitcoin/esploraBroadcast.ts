import { BroadcastRefused } from "@countersign/core/bitcoin/chain"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { Transaction } from "bitcoinjs-lib"
import { Effect, Result } from "effect"
import { exactJsonOrNull, HostFailure } from "../../outbound/json-api/index.ts"
import { broadcastRefusalOrNull, isAlreadyInMempool } from "./broadcastRefusal.ts"
import { bytesOf, hashOf } from "./bytes.ts"
import type { EsploraHost } from "./EsploraHost.ts"
import { transactionAt } from "./esploraHistory.ts"

/**
 * Decodes a rejection: `sendrawtransaction RPC error: {"code":-26,"message":"…"}`, or `sendrawtransaction RPC error
 * -26: …` from newer servers.
 */
const refusalIn = (text: string): BroadcastRefused | null => {
  const errorJson = /RPC error: (\{.*\})$/su.exec(text)?.[1]
  const error = exactJsonOrNull(errorJson ?? "")
  if (error !== null) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    return typeof code === "string" && typeof message === "string"
      ? broadcastRefusalOrNull(Number(code), message)
      : null
  }
  const [, code, message] = /RPC error (-\d{1,3}): (.+)$/su.exec(text) ?? []
  return code === undefined ? null : broadcastRefusalOrNull(Number(code), message ?? "")
}

/** Computes the id of a signed transaction. Fails with `BroadcastRefused` if the bytes are not a transaction. */
export const idOf = (bytes: HexBytes) =>
  Result.try({
    try: () => hashOf(Transaction.fromBuffer(bytesOf(bytes)).getId()),
    catch: () => new BroadcastRefused({ reason: "The data are not a Bitcoin transaction.", kind: "INVALID" })
  })

/**
 * Broadcasts a transaction through one server. A rejection is a result and not a failure, because another server may
 * accept the transaction.
 */
export const broadcastAt = Effect.fnUntraced(function* (host: EsploraHost, bytes: HexBytes) {
  const id = idOf(bytes)
  if (Result.isFailure(id)) return id.failure
  const { isAccepted, text } = yield* host.post("/tx", bytes.slice(2))
  if (isAccepted && `0x${text}` === id.success) return null
  const refusal = isAccepted ? null : refusalIn(text)
  if (refusal === null)
    return yield* Effect.fail(new HostFailure("it does not report whether it accepted the transaction"))
  if (isAlreadyInMempool(refusal)) return null
  if (refusal.kind !== "TAKEN") return refusal
  // A node also returns this rejection for a confirmed transaction if all of its outputs are spent.
  const knownTransaction = yield* transactionAt(host, id.success)
  if (knownTransaction === null) return refusal
  return knownTransaction.block === null ? null : new BroadcastRefused({ reason: refusal.reason, kind: "KNOWN" })
})
