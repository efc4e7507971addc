import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import type { Hex, PublicClient } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { aggregateAnswers, aggregateData, type ReadCall } from "../evm/index.ts"
import type { CallResult } from "../pools/index.ts"

const codeByChain = new Map<EvmChainId, Promise<Hex>>()

/** Multicall3's code never changes: it is read once for each chain. */
const multicall3Code = (client: PublicClient, chainId: EvmChainId): Promise<Hex> => {
  const known = codeByChain.get(chainId)
  if (known !== undefined) return known
  const asked = client
    .request({ method: "eth_getCode", params: [deploymentOf(chainId).multicall3, "latest"] })
    .then((code) => {
      if (code === "0x") throw new Error("Multicall3 is not on this chain")
      return code
    })
  codeByChain.set(chainId, asked)
  asked.catch(() => codeByChain.delete(chainId))
  return asked
}

/**
 * Makes calls one after another in the name of an account, in one `eth_call` on the latest state: for its length the account
 * has Multicall3's code, so that the called contract sees the account as its caller. Null for a call that failed.
 */
export const runAs = async (
  client: PublicClient,
  chainId: EvmChainId,
  account: Address,
  calls: ReadonlyArray<ReadCall>
): Promise<ReadonlyArray<CallResult>> => {
  const code = await multicall3Code(client, chainId)
  const returnData = await client.request({
    method: "eth_call",
    params: [{ to: account, data: aggregateData(calls) }, "latest", { [account]: { code } }]
  })
  return aggregateAnswers(returnData).map(({ returnData: result, success }) => (success ? result : null))
}
