import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex, type PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { aggregateResponses, aggregateValueData, type ValueCall } from "../../chains/evm/index.ts"
import type { CallResult } from "../pools/index.ts"

const codeByChain = new Map<EvmChainId, Promise<Hex>>()

/** Reads Multicall3's code once per chain, because it never changes. */
const multicall3Code = (client: PublicClient, chainId: EvmChainId): Promise<Hex> => {
  const cachedCode = codeByChain.get(chainId)
  if (cachedCode !== undefined) return cachedCode
  const codeRequest = client
    .request({ method: "eth_getCode", params: [deploymentOf(chainId).multicall3, "latest"] })
    .then((code) => {
      if (code === "0x") throw new Error("Multicall3 is not deployed on this chain")
      return code
    })
  codeByChain.set(chainId, codeRequest)
  codeRequest.catch(() => codeByChain.delete(chainId))
  return codeRequest
}

/**
 * Executes calls one after another from an account, in one `eth_call` on the latest state. A state override sets the
 * account's code to that of Multicall3, so that the called contracts see the account as their caller. The result of a
 * failed call is null.
 */
export const runAs = async (
  client: PublicClient,
  chainId: EvmChainId,
  account: Address,
  calls: ReadonlyArray<ValueCall>
): Promise<ReadonlyArray<CallResult>> => {
  const code = await multicall3Code(client, chainId)
  const value = calls.reduce((sum, call) => sum + (call.value ?? 0n), 0n)
  // The account is also the sender and so pays the value to itself. The operation's simulation detects an insufficient
  // balance.
  const valueFields = value === 0n ? {} : { from: account, value: numberToHex(value) }
  const balance = value === 0n ? {} : { balance: numberToHex(value) }
  const returnData = await client.request({
    method: "eth_call",
    params: [
      { ...valueFields, to: account, data: aggregateValueData(calls) },
      "latest",
      { [account]: { code, ...balance } }
    ]
  })
  return aggregateResponses(returnData).map(({ returnData: result, success }) => (success ? result : null))
}
