import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { type Hex, maxUint256, type PublicClient } from "viem"
import { entryPointAbi, erc20Abi, RpcClients, suggestedFees } from "../evm/index.ts"
import type { PaymasterPlan, PaymasterState } from "./PaymasterPlan.ts"
import { ADMIN_ROLE, entryPointOf, paymasterAbi, paymasterDeploymentOf } from "./paymasterContract.ts"

/** Allowance below which an approval is renewed. Approvals are unlimited, so this happens when half of it is used. */
const MIN_ALLOWANCE = maxUint256 / 2n

/** Computes the expected deployed code. It contains the EntryPoint's address, but neither the owner nor the signers. */
const expectedCode = async (client: PublicClient, { address, version }: PaymasterPlan): Promise<Hex | undefined> => {
  const { initCode } = paymasterDeploymentOf(version, { owner: address, signers: [] })
  const { data } = await client.call({ data: initCode })
  return data
}

const depositOf = (
  client: PublicClient,
  { address, version }: Pick<PaymasterPlan, "address" | "version">
): Promise<bigint> =>
  client.readContract({
    address: entryPointOf[version],
    abi: entryPointAbi,
    functionName: "balanceOf",
    args: [address]
  })

const unapprovedTokens = async (client: PublicClient, { address, tokens, treasury }: PaymasterPlan) => {
  const allowances = await Promise.all(
    tokens.map((token) =>
      client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: "allowance",
        args: [treasury, address]
      })
    )
  )
  return tokens.filter((_, index) => allowances[index]! < MIN_ALLOWANCE)
}

const contractState = async (client: PublicClient, { address, operators, owner, signer }: PaymasterPlan) => {
  const contract = { address, abi: paymasterAbi } as const
  const [signerIsListed, ownerIsAdmin, ...listedFlags] = await Promise.all([
    client.readContract({ ...contract, functionName: "signers", args: [signer] }),
    owner === null ? null : client.readContract({ ...contract, functionName: "hasRole", args: [ADMIN_ROLE, owner] }),
    ...operators.map((operator) =>
      client.readContract({ ...contract, functionName: "isBundlerAllowed", args: [operator] })
    )
  ])
  return { signerIsListed, ownerIsAdmin, unlistedOperators: operators.filter((_, index) => !listedFlags[index]) }
}

const readPaymasterState = async (client: PublicClient, plan: PaymasterPlan): Promise<PaymasterState> => {
  const [code, expectedBytecode, deposit, tokens, { maxFeePerGas }] = await Promise.all([
    client.getCode({ address: plan.address }),
    expectedCode(client, plan),
    depositOf(client, plan),
    unapprovedTokens(client, plan),
    suggestedFees(client)
  ])
  const codeMatches = code !== undefined && code === expectedBytecode
  const contract = codeMatches
    ? await contractState(client, plan)
    : { signerIsListed: false, ownerIsAdmin: null, unlistedOperators: plan.operators }
  return { hasCode: code !== undefined, codeMatches, ...contract, unapprovedTokens: tokens, deposit, maxFeePerGas }
}

/** Reads the state of a paymaster on its chain. Fails if no node of the chain responds. */
export const observePaymaster = Effect.fn("observePaymaster")(function* (plan: PaymasterPlan) {
  const rpc = yield* RpcClients
  return yield* rpc.call(plan.chainId, (client) => readPaymasterState(client, plan))
})

/** Reads the deposit of a paymaster, in wei. */
export const observeDeposit = Effect.fn("observeDeposit")(function* (
  plan: Pick<PaymasterPlan, "address" | "chainId" | "version">
) {
  const rpc = yield* RpcClients
  return yield* rpc.call(plan.chainId, (client) => depositOf(client, plan))
})

/** Reads the native balance of an address, in wei. */
export const observeNativeBalance = Effect.fn("observeCoin")(function* (chainId: EvmChainId, address: Address) {
  const rpc = yield* RpcClients
  return yield* rpc.call(chainId, (client) => client.getBalance({ address }))
})
