import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import { encoderOf, erc20Abi } from "../../src/chains/evm/index.ts"
import type { SandboxBitcoin } from "../bitcoin/SandboxBitcoin.ts"
import type { SandboxChain } from "../network/SandboxChain.ts"
import type { SandboxClock } from "../network/SandboxClock.ts"
import { transact } from "../network/transact.ts"

/** What a bridge between Bitcoin and EVM chains needs from the sandbox. */
export interface VaultContext {
  readonly home: string
  readonly clock: SandboxClock
  readonly bitcoin: SandboxBitcoin
  readonly chain: (chainId: EvmChainId) => SandboxChain
  readonly fund: (chainId: EvmChainId, receiver: Address, token: Address | "native", amount: bigint) => Promise<void>
  /** Account that pays out on EVM chains. */
  readonly account: Address
}

export interface TokenPayment {
  readonly chainId: EvmChainId
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
  /** Appended to the calldata, to link the payment to its deposit. May be empty. */
  readonly memo: string
}

const tokenData = encoderOf(erc20Abi)
const hexOf = (text: string): string => Buffer.from(text, "utf8").toString("hex")

/** Funds the account, and pays a token or the native token from it. Returns the transaction hash. */
export const payToken = async (
  { account, chain, fund }: VaultContext,
  { amount, chainId, memo, to, token }: TokenPayment
): Promise<Hex> => {
  await fund(chainId, account, isNativeToken(token) ? "native" : token, amount)
  const call = isNativeToken(token)
    ? { to, value: numberToHex(amount), data: `0x${hexOf(memo)}` }
    : { to: token, data: `${tokenData("transfer", [to, amount])}${hexOf(memo)}` }
  const receipt = await transact(chain(chainId), { from: account, ...call })
  if (receipt?.status !== "0x1")
    throw new Error(`a payment to ${to} on chain ${chainId} reverted, or a reorg removed it`)
  return receipt.transactionHash
}

/** Broadcasts a signed Bitcoin transaction. Returns its id in hexadecimal. */
export const publish = async (esploraUrl: string, body: string): Promise<string> => {
  const response = await fetch(`${esploraUrl}/tx`, { method: "POST", body })
  const responseText = await response.text()
  if (!response.ok) throw new Error(`the Esplora server rejected the Bitcoin transaction: ${responseText}`)
  return responseText
}
