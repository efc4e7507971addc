import { type Address, HexBytes } from "@countersign/core/foundation/primitives"
import { shortAssetOrNull } from "./assets.ts"

/** Nodes relay no data carrier with more (Bitcoin Core, `MAX_OP_RETURN_RELAY`, less the script's own bytes). */
export const MOST_MEMO_BYTES = 80

export interface SwapOrderMemo {
  readonly asset: string
  /** Of all pools, so that a short form means one alone. */
  readonly pools: ReadonlyArray<string>
  readonly destination: Address
  /** In THORChain's count; less arriving makes it pay back. */
  readonly limitE8: bigint
  /** Whether it is swapped in parts, as many as THORChain thinks best, one in each of its blocks. */
  readonly isStreamed: boolean
}

/**
 * What a deposit tells THORChain to do: `=:ASSET:DESTINATION:LIMIT[/INTERVAL/QUANTITY]` (dev.thorchain.org, concepts/memos).
 * Null where it does not fit.
 */
export const swapMemoOrNull = ({ asset, destination, isStreamed, limitE8, pools }: SwapOrderMemo): string | null => {
  const rest = `:${destination}:${limitE8}${isStreamed ? "/1/0" : ""}`
  const name = shortAssetOrNull(asset, pools, MOST_MEMO_BYTES - "=:".length - rest.length)
  return name === null ? null : `=:${name}${rest}`
}

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex")

/** How many bytes one byte of script says that it pushes. */
const DIRECT_PUSH = 75

/** The script that carries a text: OP_RETURN and a push. */
export const memoScript = (memo: string): HexBytes => {
  const length = memo.length.toString(16).padStart(2, "0")
  return HexBytes.make(`0x6a${memo.length > DIRECT_PUSH ? "4c" : ""}${length}${hex(memo)}`)
}

const bare = (txid: string): string => txid.slice(2).toUpperCase()

/** What THORChain writes into the transaction that ends a swap: on the other chain, or back on the deposit's. */
export const outboundMemo = (depositTxid: string): string => `OUT:${bare(depositTxid)}`
export const refundMemo = (depositTxid: string): string => `REFUND:${bare(depositTxid)}`

/** Whether these bytes, in hexadecimal, have the text in them. */
export const hasText = (bytes: string, text: string): boolean => bytes.toLowerCase().includes(hex(text))
