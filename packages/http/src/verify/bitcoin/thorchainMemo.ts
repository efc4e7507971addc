import { Unreadable } from "../bytes.ts"

/** The instruction to THORChain in the memo of a deposit. */
export interface ThorchainMemo {
  /** THORChain's name of the chain. */
  readonly chain: string
  readonly symbol: string
  /** Last characters of the token's address, in lower case; null for a native token. */
  readonly suffix: string | null
  readonly destination: string
  /** Minimum output in units of 10^-8. */
  readonly limitE8: bigint
}

/** THORChain's names of chains and native tokens, by chain id. */
export const thorchainChains: Readonly<Record<number, { readonly chain: string; readonly coin: string }>> = {
  1: { chain: "ETH", coin: "ETH" },
  56: { chain: "BSC", coin: "BNB" },
  8453: { chain: "BASE", coin: "ETH" },
  43114: { chain: "AVAX", coin: "AVAX" }
}

const MEMO =
  /^=:(?<chain>[A-Z]+)\.(?<symbol>[A-Z0-9.]+)(?:-(?<suffix>[0-9A-FX]{5,42}))?:(?<destination>0x[\da-f]{40}):(?<limit>[1-9]\d*)(?:\/1\/0)?$/u

/** Returns the text of an OP_RETURN output with a single push of at most 80 bytes. */
const textOf = (script: string): string => {
  const pushMatch = /^6a(?:(?<short>[0-3][\da-f]|4[\dab])|4c(?<long>[45][\da-f]))(?<data>(?:[\da-f]{2})+)$/u.exec(
    script
  )
  const { data = "", long, short } = pushMatch?.groups ?? {}
  const length = Number.parseInt(long ?? short ?? "", 16)
  if (pushMatch === null || data.length !== 2 * length || length > 80)
    throw new Unreadable("the memo is not plain text")
  return decodeURIComponent(data.replaceAll(/../gu, "%$&"))
}

/**
 * Parses the memo of a swap. Rejects a memo with additional content, such as an affiliate fee or another refund
 * address.
 */
export const readThorchainMemo = (script: string): ThorchainMemo => {
  const memoMatch = MEMO.exec(textOf(script))
  if (memoMatch === null) throw new Unreadable("the memo is not a swap memo, or has additional content")
  const { chain = "", destination = "", limit = "0", suffix, symbol = "" } = memoMatch.groups ?? {}
  return { chain, symbol, suffix: suffix?.toLowerCase() ?? null, destination, limitE8: BigInt(limit) }
}
