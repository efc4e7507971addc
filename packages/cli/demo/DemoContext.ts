import { signAs } from "@countersign/adapters/sandbox"
import type { SandboxFile } from "@countersign/adapters/storage/home"
import { decimalFromBaseUnits, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { Client, Hex, Quote, Transaction } from "@countersign/http/client"
import { Effect } from "effect"
import { DemoFailed } from "./DemoFailed.ts"
import { say } from "./narrate.ts"

export interface HeldToken {
  readonly symbol: string
  readonly decimals: number
  /** Null for the native token. */
  readonly address: string | null
}

/** The client, owner, wallet and chain of the demo. */
export interface DemoContext {
  readonly client: Client
  readonly owner: SandboxFile["owners"][number]
  readonly wallet: string
  readonly chainId: 1
  readonly rpcUrl: string
  readonly usdc: HeldToken & { readonly address: string }
  readonly weth: string
}

export const metadata = { made: "by the demo" }

/** Returns the request fields that pay gas in USDC, in addition to the amount. */
export const gasIn = ({ usdc }: Pick<DemoContext, "usdc">) => ({
  payGasFeeToken: usdc.address,
  gasFeePaymentMethod: "ADD_TO_AMOUNT" as const
})

/** The first four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = "0x70a08231"

/** Returns the balance of an account, read from the chain instead of the service. */
export const balanceOf = async (rpcUrl: string, holder: string, { address, decimals }: HeldToken): Promise<string> => {
  const call = { to: address, data: BALANCE_OF + holder.slice(2).padStart(64, "0") }
  const [method, params] = address === null ? ["eth_getBalance", [holder, "latest"]] : ["eth_call", [call, "latest"]]
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { result } = (await response.json()) as { readonly result: string }
  return decimalFromBaseUnits(BigInt(result), decimals)
}

export const showCalls = ({ preview }: Quote): void => {
  say("The calls that the wallet will make, in this order:")
  preview.calls.forEach(({ summary }, i) => {
    say(`  ${i + 1}) ${summary}`)
  })
}

/** Fails if the quote would revert, so that it is not signed. */
export const requireExecutable = ({ revertReason }: Quote): void => {
  if (revertReason !== undefined)
    throw new DemoFailed({ reason: `The quote can't be executed: ${revertReason.decoded}` })
}

/**
 * Signs the elements of a quote as a demonstration owner, and returns the signatures by element hash. Throws for a
 * Bitcoin transaction. In production the owner's wallet signs, because the service never has an owner's key.
 */
export const signAll = async (
  { owner }: DemoContext,
  { signData }: Pick<Quote, "signData">
): Promise<Record<Hex, Hex>> => {
  const signatures: Record<Hex, Hex> = {}
  for (const { hash, method } of signData) {
    if (method === "sign_psbt")
      throw new DemoFailed({ reason: "The quote requires the signature of a Bitcoin wallet." })
    const element = { method, hash: Hash32.make(hash) }
    signatures[hash] = await Effect.runPromise(signAs(HexBytes.make(owner.privateKey), element))
  }
  return signatures
}

const TIMEOUT_MS = 180_000

/** Waits for the final status of a transaction. */
export const settledTransaction = async ({ client }: DemoContext, transactionId: string): Promise<Transaction> => {
  const transaction = await client.wait({ transactionId }, { interval: 100, signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (transaction.status === "COMPLETED") return transaction
  const reason = transaction.failure?.message ?? "unknown reason"
  throw new DemoFailed({ reason: `The operation ended as ${transaction.status}: ${reason}` })
}

/** Shows the calls of a quote, signs and executes it, and waits for the final status. */
export const finish = async (context: DemoContext, quote: Quote): Promise<Transaction> => {
  requireExecutable(quote)
  showCalls(quote)
  const signatures = await signAll(context, quote)
  const { transactionId } = await context.client.execute({ quoteId: quote.quoteId, signatures })
  return settledTransaction(context, transactionId)
}
