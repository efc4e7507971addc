import { createPublicClient, erc20Abi, http } from "viem"
import { NATIVE } from "./accounts.ts"
import type { TestService } from "./testService.ts"

/** Returns a token balance on chain 1, in base units. */
export const balanceOf = (service: TestService, token: string, holder: string): Promise<bigint> => {
  const client = createPublicClient({ transport: http(service.chains.rpcUrl(1)) })
  const address = holder as `0x${string}`
  return token === NATIVE
    ? client.getBalance({ address })
    : client.readContract({
        address: token as `0x${string}`,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [address]
      })
}

/** Returns an allowance on chain 1, in base units. */
export const allowanceOf = (service: TestService, token: string, owner: string, spender: string): Promise<bigint> =>
  createPublicClient({ transport: http(service.chains.rpcUrl(1)) }).readContract({
    address: token as `0x${string}`,
    abi: erc20Abi,
    functionName: "allowance",
    args: [owner as `0x${string}`, spender as `0x${string}`]
  })
