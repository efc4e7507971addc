import { type Address, HexBytes } from "@countersign/core/foundation/primitives"
import { shortAssetOrNull } from "./assets.ts"

/**
 * Maximum data size of an OP_RETURN output that nodes relay, in bytes (Bitcoin Core, `MAX_OP_RETURN_RELAY`, minus the
 * script's own bytes).
 */
export const MAX_MEMO_BYTES = 80

export interface SwapOrderMemo {
  readonly asset: string
  /** All pools, which are needed to check that a shortened asset is unambiguous. */
  readonly pools: ReadonlyArray<string>
  readonly destination: Address
  /** Minimum output in THORChain's units. THORChain refunds the deposit if the output is lower. */
  readonly limitE8: bigint
  /** Whether THORChain splits the amount into sub-swaps, one in each of its blocks. THORChain chooses their number. */
  readonly isStreamed: boolean
}

/**
 * Builds the memo of a deposit: `=:ASSET:DESTINATION:LIMIT[/INTERVAL/QUANTITY]` (dev.thorchain.org, concepts/memos).
 * Null if the memo is too long.
 */
export const swapMemoOrNull = ({ asset, destination, isStreamed, limitE8, pools }: SwapOrderMemo): string | null => {
  const ending = `:${destination}:${limitE8}${isStreamed ? "/1/0" : ""}`
  const name = shortAssetOrNull(asset, pools, MAX_MEMO_BYTES - "=:".length - ending.length)
  return name === null ? null : `=:${name}${ending}`
}

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex")

/** Maximum data size of an opcode that pushes directly, in bytes. */
const DIRECT_PUSH = 75

/** Builds the script of a memo: OP_RETURN and a push. */
export const memoScript = (memo: string): HexBytes => {
  const length = memo.length.toString(16).padStart(2, "0")
  return HexBytes.make(`0x6a${memo.length > DIRECT_PUSH ? "4c" : ""}${length}${hex(memo)}`)
}

const memoHash = (txid: string): string => txid.slice(2).toUpperCase()

/**
 * Builds THORChain's memo in the transaction that completes a swap: on the destination chain, or for a refund on
 * Bitcoin.
 */
export const outboundMemo = (depositTxid: string): string => `OUT:${memoHash(depositTxid)}`
export const refundMemo = (depositTxid: string): string => `REFUND:${memoHash(depositTxid)}`

export const hasText = (bytes: string, text: string): boolean => bytes.toLowerCase().includes(hex(text))
