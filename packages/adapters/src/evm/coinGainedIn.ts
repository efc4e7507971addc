import type { EvmChainId } from "@countersign/core/chains"
import type { Address, WalletAddress } from "@countersign/core/primitives"
import { numberToHex } from "viem"
import type { RpcClients } from "./RpcClients.ts"

/** By how much more coin an account had after a block than before it: transfers inside of a contract leave no log. */
export const coinGainedIn = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  account: WalletAddress,
  block: bigint
): Promise<bigint> => {
  const [after, before] = await Promise.all(
    [block, block - 1n].map(async (number) =>
      BigInt(await rpc.request(chainId, "eth_getBalance", [account as Address, numberToHex(number)]))
    )
  )
  return after! > before! ? after! - before! : 0n
}
