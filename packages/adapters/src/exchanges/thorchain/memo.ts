import { type Address, HexBytes } from "@countersign/core/foundation/primitives"
import { shortAssetOrNull } from "./assets.ts"

/**
 * Maximum data size of an output that nodes relay (Bitcoin Core, `MAX_OP_RETURN_RELAY`, less the script's own bytes).
 */
export const MAX_MEMO_BYTES = 80

export interface SwapOrderMemo {
  readonly asset: string
  /** All pools, to check that a short form is unambiguous. */
  readonly pools: ReadonlyArray<string>
  readonly destination: Address
  /** In THORChain's units. If the output is lower, THORChain refunds the deposit. */
  readonly limitE8: bigint
  /** Whether THORChain swaps the amount in parts, one in each of its blocks. THORChain chooses their number. */
  readonly isStreamed: boolean
}

/**
 * The memo of a deposit: `=:ASSET:DESTINATION:LIMIT[/INTERVAL/QUANTITY]` (dev.thorchain.org, concepts/memos). Null if
 * the memo is too long.
 */
export const swapMemoOrNull = ({ asset, destination, isStreamed, limitE8, pools }: SwapOrderMemo): string | null => {
  const ending = `:${destination}:${limitE8}${isStreamed ? "/1/0" : ""}`
  const name = shortAssetOrNull(asset, pools, MAX_MEMO_BYTES - "=:".length - ending.length)
  return name === null ? null : `=:${name}${ending}`
}

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex")

/** Maximum number of bytes of a direct push. */
const DIRECT_PUSH = 75

/** The script of a text: OP_RETURN and a push. */
export const memoScript = (memo: string): HexBytes => {
  const length = memo.length.toString(16).padStart(2, "0")
  return HexBytes.make(`0x6a${memo.length > DIRECT_PUSH ? "4c" : ""}${length}${hex(memo)}`)
}

const memoHash = (txid: string): string => txid.slice(2).toUpperCase()

/**
 * THORChain's memo in the transaction that completes a swap, on the destination chain or, for a refund, on the chain of
 * the deposit.
 */
export const outboundMemo = (depositTxid: string): string => `OUT:${memoHash(depositTxid)}`
export const refundMemo = (depositTxid: string): string => `REFUND:${memoHash(depositTxid)}`

export const hasText = (bytes: string, text: string): boolean => bytes.toLowerCase().includes(hex(text))
