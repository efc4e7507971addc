/**
 * The steps of Bitcoin payments over the HTTP API: an address is registered with a proof of ownership, pays, bumps the
 * fee of one payment, and cancels another one. Only the wallet has the key.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** The capabilities of a Bitcoin wallet. */
export interface BitcoinWallet {
  readonly address: string
  /** The public key in hexadecimal. For P2TR it is the internal key, by which signers recognize their inputs. */
  readonly publicKey: string
  /** Signs a message as BIP-322 specifies, and returns the signature in base64. */
  readonly signMessage: (message: string) => string
  /** Returns the signed and finalized transaction in hexadecimal. */
  readonly signPsbt: (psbtBase64: string) => string
}

const home = process.env.COUNTERSIGN_HOME ?? join(homedir(), ".countersign")
const sandbox = JSON.parse(readFileSync(process.env.SANDBOX_FILE ?? join(home, "sandbox.json"), "utf8"))

const exchange = async (method: string, url: string, body?: object) => {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", "x-api-key": process.env.COUNTERSIGN_API_KEY ?? sandbox.apiKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const request = (method: string, path: string, body?: object) =>
  exchange(method, `${process.env.COUNTERSIGN_URL ?? sandbox.baseUrl}/api/v1${path}`, body)

const requestOk = async (method: string, path: string, body?: object) => {
  const response = await request(method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.body.message}`)
  return response.body
}

/** Requests Bitcoin from the sandbox's faucet, or mines blocks. On the main network, other users and miners do this. */
const sandboxBitcoin = async (order: object) => {
  const { body, status } = await exchange("POST", `${sandbox.gatewayUrl}/bitcoin-control`, order)
  assert.equal(status, 200, JSON.stringify(body))
}

const COIN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

const register = async ({ address, publicKey, signMessage }: BitcoinWallet) => {
  const { message } = await requestOk("GET", `/wallets/bitcoin/proof-message?address=${address}`)
  const proof = { message, signature: signMessage(message) }
  const { wallet } = await requestOk("POST", "/wallets/register", { address, proof, publicKey })
  assert.equal(wallet.ownership, "PROVEN")
}

/** Signs a quote and broadcasts the transaction. Returns the id of the payment in the wallet's history. */
const send = async (
  { signPsbt }: BitcoinWallet,
  { quoteId, signData }: { readonly quoteId: string; readonly signData: ReadonlyArray<{ readonly psbtBase64: string }> }
) => {
  const signedTransactionHex = signPsbt(signData[0]!.psbtBase64)
  const { transactionId } = await requestOk("POST", "/crypto/bitcoin/broadcast", { quoteId, signedTransactionHex })
  return String(transactionId)
}

const quote = async (wallet: BitcoinWallet, amount: string) => {
  const { transfer } = await requestOk("POST", "/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 0,
    token: COIN,
    amount,
    toAddress: RECEIVER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: COIN,
    feeRate: 2
  })
  assert.equal(transfer.revertReason, undefined, transfer.revertReason?.decoded)
  return transfer
}

const ends = new Set(["COMPLETED", "CANCELLED", "FAILED"])

/** Waits until a payment has ended. The service polls for blocks every 20 seconds. */
const waitUntilEnded = async (transactionId: string) => {
  for (;;) {
    const { transaction } = await requestOk("GET", `/crypto/transactions/${transactionId}`)
    if (ends.has(transaction.status)) return transaction
    await sleep(1_000)
  }
}

const makePayments = async (wallet: BitcoinWallet) => {
  await register(wallet)
  // Each payment needs a separate UTXO, because a payment does not use the UTXOs of a pending payment.
  for (const satoshis of [1_000_000, 2_000_000]) await sandboxBitcoin({ address: wallet.address, satoshis })
  await sandboxBitcoin({ mine: 1 })

  // Two equal requests return two quotes. Only the signed quote becomes a payment.
  const [first, again] = [await quote(wallet, "0.001"), await quote(wallet, "0.001")]
  assert.notEqual(first.quoteId, again.quoteId)
  const slow = await send(wallet, first)
  const mistakenPayment = await send(wallet, await quote(wallet, "0.002"))

  const bumped = await send(wallet, (await requestOk("POST", `/crypto/bitcoin/${slow}/bump`, { feeRate: 10 })).transfer)
  const cancel = await send(
    wallet,
    (await requestOk("POST", `/crypto/bitcoin/${mistakenPayment}/cancel`, { feeRate: 10 })).transfer
  )
  return { slow, mistaken: mistakenPayment, bumped, cancel }
}

/** Executes the payments of each wallet. Throws if a result is not as expected. */
export const payFrom = async (wallets: ReadonlyArray<BitcoinWallet>) => {
  // The sandbox mines no blocks here, so that the payments stay unconfirmed and can be replaced.
  await sandboxBitcoin({ hasBlocks: false })
  try {
    const walletPayments = []
    for (const wallet of wallets) walletPayments.push(await makePayments(wallet))
    await sandboxBitcoin({ mine: 6 })
    for (const [at, { bumped, cancel, mistaken, slow }] of walletPayments.entries()) {
      const transactions = await Promise.all([slow, bumped, mistaken, cancel].map(waitUntilEnded))
      assert.deepEqual(
        transactions.map(({ status }) => status),
        ["CANCELLED", "COMPLETED", "CANCELLED", "COMPLETED"]
      )
      const page = await fetch(transactions[1].transactionHash.explorerURL)
      assert.ok((await page.text()).includes("<h1>Bitcoin transaction</h1>"), page.url)
      const cancelResponse = await request("POST", `/crypto/bitcoin/${bumped}/cancel`, {})
      assert.deepEqual([cancelResponse.status, cancelResponse.body.id], [409, "TRANSACTION_IN_BLOCK"])
      console.log(
        `${wallets[at]!.address}: the fee of one payment was bumped and it arrived, and one payment was cancelled.`
      )
    }
  } finally {
    await sandboxBitcoin({ hasBlocks: true })
  }
}
