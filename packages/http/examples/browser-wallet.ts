/**
 * A swap from a page, with the wallet of its visitor: quote, verify, sign, execute, wait.
 *
 * In a page `provider` is `window.ethereum`. Here it is a wallet in this process with the sandbox's first key, so that
 * the example runs against `npm start`. COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_HOME select another
 * sandbox.
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

/** Replaces the visitor's wallet, which asks for consent and never reveals its key. */
const request: EIP1193RequestFn = async ({ method, params }: { method: string; params?: unknown }) => {
  const [first, second] = Array.isArray(params) ? params : []
  switch (method) {
    case "personal_sign":
      return key.signMessage({ message: { raw: first } }) as never
    case "eth_signTypedData_v4":
      return key.signTypedData(JSON.parse(second)) as never
    default:
      throw new Error(`This wallet does not support ${method}.`)
  }
}

const walletClient = createWalletClient({ account: key.address, transport: custom({ request }) })

// An API key is a secret of your server. A page should send its requests to a route of your server, which adds the key.
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

  // The page compares the quote with data that it has from other sources: its wallet, its tokens, the paymaster of its
  // service, and the maximum gas fee.
  const verification = verifyQuote({
    request,
    quote,
    account: wallet,
    trust: { decimals: { [USDC]: 6 }, paymasters: Object.values(sandbox.paymasters), maxGasFee: "100" }
  })
  if (!verification.ok) throw new Error(verification.problems.map(({ message }) => message).join(" "))

  // The visitor may take some time to sign, and prices change. So the page requests the quote again. The new quote also
  // reports whether the balance is sufficient.
  try {
    return await client.execute(await quote.sign(walletClient))
  } catch (error) {
    if (error instanceof QuoteExpiredError || error instanceof QuoteStaleError) return swap()
    throw error
  }
}

const transaction = await client.wait(await swap(), { signal: AbortSignal.timeout(60_000) })
console.log(`${transaction.status}: received ${transaction.receivedAmount?.amount} WETH.`)
assert.equal(transaction.status, "COMPLETED")
