import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex, parseAbi, parseEther } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { encoderOf } from "../../src/chains/evm/index.ts"
import { sandboxTokens } from "../deployment/market.ts"
import type { SandboxKeys } from "../keys.ts"
import { SandboxError } from "../SandboxError.ts"
import type { SandboxChain } from "./SandboxChain.ts"
import { transact } from "./transact.ts"

const tokenAbi = parseAbi([
  "function mint(address account, uint256 amount)",
  "function balanceOf(address account) view returns (uint256)",
  "function deposit()",
  "function transfer(address to, uint256 amount)"
])
const tokenData = encoderOf(tokenAbi)

const RESERVE = parseEther("1000000")

interface Payment {
  readonly to: Address
  readonly value?: bigint
  readonly data?: Hex
}

const paymentsFor = (
  chain: SandboxChain,
  receiver: Address,
  token: Address | "native",
  amount: bigint
): ReadonlyArray<Payment> => {
  if (token === "native") return [{ to: receiver, value: amount }]
  if (token === deploymentOf(chain.chainId).wrappedNative.address) {
    const transfer = tokenData("transfer", [receiver, amount])
    return [
      { to: token, value: amount, data: tokenData("deposit", []) },
      { to: token, data: transfer }
    ]
  }
  const tokens = sandboxTokens(chain.chainId)
  if (!tokens.some(({ address }) => address === token)) {
    throw new SandboxError({
      message:
        `The sandbox has no token ${token} on chain ${chain.chainId}. ` +
        `Choose one of ${tokens.map(({ symbol, address }) => `${symbol} (${address})`).join(", ")}, or "native".`
    })
  }
  return [{ to: token, data: tokenData("mint", [receiver, amount]) }]
}

/** Returns how many base units of a token or the native token an account needs to reach `amount`. */
export const missingAmountOf = async (
  chain: SandboxChain,
  receiver: Address,
  token: Address | "native",
  amount: bigint
): Promise<bigint> => {
  const data = tokenData("balanceOf", [receiver])
  const balance =
    token === "native"
      ? await chain.call("eth_getBalance", receiver, "latest")
      : await chain.call("eth_call", { to: token, data }, "latest")
  const missingAmount = amount - BigInt(balance as string)
  return missingAmount > 0n ? missingAmount : 0n
}

/** Creates `amount` base units with real transactions, so that the service's chain watcher detects them. */
export const fund = async (
  chain: SandboxChain,
  keys: SandboxKeys,
  receiver: Address,
  token: Address | "native",
  amount: bigint
): Promise<void> => {
  if (amount <= 0n || amount >= 1n << 200n) {
    throw new SandboxError({
      message: `The amount is ${amount}, but must be above 0 and below 2^200 base units.`
    })
  }
  const payments = paymentsFor(chain, receiver, token, amount)
  const from = keys.treasury.address
  const balance = BigInt((await chain.call("eth_getBalance", from, "latest")) as string)
  if (balance < amount + RESERVE) await chain.call("anvil_setBalance", from, numberToHex(amount + RESERVE * 2n))
  for (const { to, value, data } of payments) {
    const transaction = {
      from,
      to,
      value: numberToHex(value ?? 0n),
      ...(data === undefined ? {} : { data })
    }
    const receipt = await transact(chain, transaction)
    if (receipt === null) {
      throw new SandboxError({
        message: `A reorg removed the sandbox's transfer to ${receiver}. Send the request again.`
      })
    }
    if (receipt.status !== "0x1")
      throw new SandboxError({
        message: `The sandbox's transfer to ${receiver} reverted. The receiver does not accept it.`
      })
  }
}
