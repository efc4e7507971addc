/**
 * A swap from a page, with the wallet of its visitor: quote, check, sign, execute, wait.
 *
 * In a page `provider` is `window.ethereum`. Here it is a wallet of this process that keeps the sandbox's first key, so
 * that the example runs against `npm start`. COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_HOME name the sandbox.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { createClient, QuoteExpiredError, QuoteStaleError, type SwapRequest } from "@countersign/http/client"
import { verifyQuote } from "@countersign/http/verify"
import { createWalletClient, custom, type EIP1193RequestFn } from "viem"
import { privateKeyToAccount } from "viem/accounts"

const home = process.env.COUNTERSIGN_HOME ?? join(homedir(), ".countersign")
const sandbox = JSON.parse(readFileSync(join(home, "sandbox.json"), "utf8"))
const [wallet] = sandbox.wallets
const { USDC, WETH } = sandbox.tokens[1]
const key = privateKeyToAccount(sandbox.owners[0].privateKey)

/** Stands for the visitor's wallet: it asks for consent, and never gives the key away. */
const request: EIP1193RequestFn = async ({ method, params }: { method: string; params?: unknown }) => {
  const [first, second] = Array.isArray(params) ? params : []
  switch (method) {
    case "personal_sign":
      return key.signMessage({ message: { raw: first } }) as never
    case "eth_signTypedData_v4":
      return key.signTypedData(JSON.parse(second)) as never
    default:
      throw new Error(`This wallet has no ${method}.`)
  }
}

const visitor = createWalletClient({ account: key.address, transport: custom({ request }) })

// An API key is a secret of your server: a page should come to Countersign through a route of yours that adds the key.
const client = createClient({
  url: process.env.COUNTERSIGN_URL ?? sandbox.baseUrl,
  apiKey: process.env.COUNTERSIGN_API_KEY ?? sandbox.apiKey
})

const swap = async () => {
  const request: SwapRequest = {
    walletAddress: wallet.walletAddress,
    toAddress: wallet.walletAddress,
    chainIdIn: 1,
    chainIdOut: 1,
    tokenIn: USDC,
    tokenOut: WETH,
    amountIn: "100",
    payGasFeeToken: USDC,
    gasFeePaymentMethod: "ADD_TO_AMOUNT"
  }
  const quote = await client.swap.quote(request)
  console.log(`100 USDC for ${quote.amountOut} WETH, about ${quote.estimatedGasFees.gasFeeTokenAmount} USDC of gas.`)
  assert.equal(quote.revertReason, undefined, quote.revertReason?.decoded)

  // The page relies on what it knows itself: its wallet, its tokens, the paymaster of its service, what gas may cost.
  const verification = verifyQuote({
    request,
    quote,
    account: wallet,
    trust: { decimals: { [USDC]: 6 }, paymasters: Object.values(sandbox.paymasters), maxGasFee: "100" }
  })
  if (!verification.ok) throw new Error(verification.problems.map(({ message }) => message).join(" "))

  // The visitor may take a while, and prices move: the quote is asked for again, and says itself where money is missing.
  try {
    return await client.execute(await quote.sign(visitor))
  } catch (error) {
    if (error instanceof QuoteExpiredError || error instanceof QuoteStaleError) return swap()
    throw error
  }
}

const transaction = await client.wait(await swap(), { signal: AbortSignal.timeout(60_000) })
console.log(`${transaction.status}: received ${transaction.receivedAmount?.amount} WETH.`)
assert.equal(transaction.status, "COMPLETED")
