import { type ChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { Option, Schema } from "effect"
import { LIFI_BITCOIN } from "./LiFiApi.ts"

/** A transaction hash. Bitcoin transaction ids have no `0x` prefix. */
const hash = Schema.String.check(Schema.isPattern(/^(?:0x)?[0-9a-fA-F]{64}$/u))

const Status = Schema.Struct({
  status: Schema.String,
  substatus: Schema.optional(Schema.NullOr(Schema.String)),
  receiving: Schema.optional(
    Schema.Struct({
      chainId: Schema.optional(Schema.String),
      txHash: Schema.optional(Schema.NullOr(hash)),
      token: Schema.optional(Schema.NullOr(Schema.Struct({ address: Schema.String })))
    })
  )
})

/**
 * LI.FI's status of a transfer. WAITING also covers unknown transfers, temporary failures, and failed transfers whose
 * refund is pending.
 */
export type LiFiStatus =
  | { readonly _tag: "WAITING" }
  | {
      readonly _tag: "ENDED"
      readonly isRefund: boolean
      readonly chainId: ChainId
      readonly hash: Hash32
      /** Address of the received token, in lower case; null if LI.FI does not return it. */
      readonly token: string | null
    }
  | { readonly _tag: "FAILED"; readonly reason: string }

const WAITING: LiFiStatus = { _tag: "WAITING" }

/** Returns a status code that has the format of LI.FI's documentation; FAILED for any other text. */
const statusWord = (text: string | null | undefined): string => (/^[A-Z_]{1,60}$/u.test(text ?? "") ? text! : "FAILED")

/** Decodes a `/status` response whose numbers were parsed as strings. */
export const readStatus = (json: unknown): LiFiStatus => {
  const decodedStatus = Option.getOrNull(Schema.decodeUnknownOption(Status)(json))
  if (decodedStatus === null) return WAITING
  const { receiving, status, substatus } = decodedStatus
  if (status === "FAILED") {
    return substatus === "REFUND_IN_PROGRESS" ? WAITING : { _tag: "FAILED", reason: statusWord(substatus) }
  }
  const chainId = receiving?.chainId === LIFI_BITCOIN ? 0 : evmChainIds.find((id) => String(id) === receiving?.chainId)
  if (status !== "DONE" || chainId === undefined || receiving?.txHash == null) return WAITING
  return {
    _tag: "ENDED",
    isRefund: substatus === "REFUNDED",
    chainId,
    hash: Hash32.make(`0x${receiving.txHash.toLowerCase().replace(/^0x/u, "")}`),
    token: receiving.token?.address.toLowerCase() ?? null
  }
}
