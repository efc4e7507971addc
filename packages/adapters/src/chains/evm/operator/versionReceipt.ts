import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { PublicClient, RpcTransactionReceipt } from "viem"

/** Returns the receipt of a transaction's included version; null if no version is included. */
export const versionReceipt = async (
  client: PublicClient,
  hashes: ReadonlyArray<Hash32>
): Promise<RpcTransactionReceipt | null> => {
  const receipts = await Promise.all(
    hashes.map((version) => client.request({ method: "eth_getTransactionReceipt", params: [version] }))
  )
  return receipts.find((receipt) => receipt !== null) ?? null
}
