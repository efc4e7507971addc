import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { numberToHex, parseAbi, parseEther } from "viem"
import { encoderOf } from "../../src/chains/evm/index.ts"
import { sandboxTokens } from "../deployment/market.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { transact } from "../network/transact.ts"
import { BankError } from "./BankError.ts"

/** The address that holds the bank's stablecoins on every chain. */
export const BANK_ADDRESS = Address.make("0xba11c0de00000000000000000000000000000001")

const tokenData = encoderOf(
  parseAbi([
    "function transfer(address to, uint256 amount)",
    "function transferFrom(address from, address to, uint256 amount)"
  ])
)

const networks: Readonly<Record<string, EvmChainId>> = { ethereum: 1, polygon: 137, base: 8453, arbitrum: 42161 }

export const chainIdOf = (network: unknown): EvmChainId => {
  const chainId = typeof network === "string" ? networks[network] : undefined
  if (chainId === undefined || !evmChainIds.includes(chainId)) throw new BankError(`unsupported network ${network}`)
  return chainId
}

/** A stablecoin on a chain. */
export const BankToken = Schema.Struct({ address: Address, symbol: Schema.String, decimals: Schema.Int })
export type BankToken = typeof BankToken.Type

export const tokenOn = (chainId: EvmChainId, symbol: unknown): BankToken => {
  const token = sandboxTokens(chainId).find((one) => one.symbol === symbol)
  if (token === undefined) throw new BankError(`unsupported token ${symbol} on this network`)
  return token
}

/** Converts cents to base units of a stablecoin. */
export const unitsOf = ({ decimals }: BankToken, cents: bigint): bigint => cents * 10n ** BigInt(decimals - 2)

/** Sends a transaction from one of the bank's accounts. Null if it reverts. Throws if a reorg removes it. */
const send = async (
  network: SandboxNetwork,
  chainId: EvmChainId,
  from: Address,
  to: string,
  data: string
): Promise<string | null> => {
  const chain = network.chain(chainId)
  await network.fundUpTo(chainId, from, "native", parseEther("1"))
  await chain.call("anvil_impersonateAccount", from)
  const receipt = await transact(chain, { from, to, data, gas: numberToHex(300_000) })
  if (receipt === null) throw new Error(`a reorg removed a transaction of the bank on chain ${chainId}`)
  return receipt.status === "0x1" ? receipt.transactionHash : null
}

/** Sends an amount of a stablecoin, in base units, from a bank to a wallet. */
export const transferFromTreasury = async (
  network: SandboxNetwork,
  chainId: EvmChainId,
  token: BankToken,
  to: string,
  amount: bigint,
  from = BANK_ADDRESS
) => {
  // Each transfer is funded separately, because a concurrent transfer could use an existing balance.
  await network.fund(chainId, from, token.address, amount)
  return send(network, chainId, from, token.address, tokenData("transfer", [to as Address, amount]))
}

/** Transfers an amount to the bank that the wallet has approved. */
export const collectTokens = (
  network: SandboxNetwork,
  chainId: EvmChainId,
  token: BankToken,
  from: string,
  cents: bigint
) =>
  send(
    network,
    chainId,
    BANK_ADDRESS,
    token.address,
    tokenData("transferFrom", [from as Address, BANK_ADDRESS, unitsOf(token, cents)])
  )
