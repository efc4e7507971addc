import { assert } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { createPublicClient, erc20Abi, http } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { sandboxBitcoinKeys } from "../../../adapters/sandbox/bitcoin/bitcoinKeys.ts"
import { lifiBitcoinServer } from "../../../adapters/test/aggregators/lifiBitcoinServer.ts"
import { waitUntil, waitUntilTrue } from "../../../core/test/support/until.ts"
import type { SwapRequest } from "../../src/client/index.ts"
import { verifyBitcoinSwap } from "../../src/verify/bitcoin/index.ts"
import { type BitcoinOwner, registerOwner, signAndFinalize } from "./bitcoinOwner.ts"
import { startTestService, type TestService } from "./testService.ts"

/**
 * Provides a service on a sandbox with swaps from and to Bitcoin, for one test file. LI.FI returns no routes until a
 * test enables them.
 */

export const SWAP = "/api/v1/crypto/swap"
export const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
export const BASE = 8453
export const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const START_ATTEMPTS = 4
const POLL_MS = 200

// biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
export type Json = any

const lifiScope = Effect.runSync(Scope.make())

export let service: TestService
/** State of the sandbox's LI.FI, whose responses tests can change. */
export let lifi: Effect.Success<typeof lifiBitcoinServer>["state"]
/** Owners with P2PKH, P2SH-P2WPKH, P2WPKH and P2TR addresses. */
export const owners: Array<BitcoinOwner> = []

export const startBitcoinSwaps = async () => {
  const { state, url } = await Effect.runPromise(Scope.provide(lifiBitcoinServer, lifiScope))
  lifi = state
  lifi.hasRoutes = false
  service = await startTestService({
    aggregators: [{ _tag: "LiFi", url, apiKey: null, integrator: "tests", timeoutMs: 60_000 }]
  })
  lifi.sandboxUrl = `${service.chains.gatewayUrl}/lifi/v1`
  for (const [index, { privateKey }] of sandboxBitcoinKeys().entries()) {
    owners.push(await registerOwner(service, new Uint8Array(Buffer.from(privateKey.slice(2), "hex")), index))
  }
  await service.run(service.chains.ensure(BASE))
  // The first request starts the chain's process, which can take long on a busy machine.
  for (let attempt = 0; attempt < START_ATTEMPTS && !(await isUp()); attempt++);
}

export const stopBitcoinSwaps = async () => {
  await service.stop()
  await Effect.runPromise(Scope.close(lifiScope, Exit.void))
}

export const control = async (path: string, body: object): Promise<Json> => {
  const response = await fetch(service.chains.gatewayUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const responseBody = await response.json()
  assert.strictEqual(response.status, 200, JSON.stringify(responseBody))
  return responseBody
}

const isUp = () =>
  control("/bitcoin-control", { status: true }).then(
    () => true,
    () => false
  )

export const setThorchain = (mode: object) => control("/thorchain", mode)
/** Sets how LI.FI handles swaps from and to Bitcoin. */
export const setBridge = (mode: object) => control("/lifi", mode)
export const requestEsplora = async (path: string): Promise<Json> =>
  (await fetch(`${service.chains.gatewayUrl}/bitcoin${path}`)).json()
/** Returns the satoshis that an address has received, including unconfirmed ones. */
export const readPaidSatoshis = async (address: string): Promise<number> => {
  const { chain_stats: confirmedStats, mempool_stats: pendingStats } = await requestEsplora(`/address/${address}`)
  return confirmedStats.funded_txo_sum + pendingStats.funded_txo_sum
}
/** Waits until an address has received more than `previousSatoshis` satoshis. */
export const waitUntilPaidMore = (address: string, previousSatoshis: number) =>
  waitUntilTrue(async () => (await readPaidSatoshis(address)) > previousSatoshis, { pollMs: POLL_MS })
export const mineBlocks = (blockCount: number) => control("/bitcoin-control", { mine: blockCount })

export const createAddress = () => privateKeyToAddress(generatePrivateKey()).toLowerCase()

export const requestOf = (from: BitcoinOwner, changes: object = {}) => ({
  walletAddress: from.address,
  toAddress: createAddress(),
  chainIdIn: 0,
  chainIdOut: BASE,
  tokenIn: NATIVE_TOKEN,
  tokenOut: USDC_ON_BASE,
  amountIn: "0.01",
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: NATIVE_TOKEN,
  ...changes
})

/** Returns the codes and messages of the problems that the verifier reports. */
export const problemsOf = (request: object, quote: Json, trust: object = {}): ReadonlyArray<string> => {
  // Uses a time before the quote's expiration, because the tests have advanced the service's clock.
  const now = quote.expiresAt - 30
  const verification = verifyBitcoinSwap({ request: request as SwapRequest, quote, trust: { now, ...trust } })
  return verification.ok ? [] : verification.problems.map(({ code, message }) => `${code}: ${message}`)
}

export const requestQuote = async (from: BitcoinOwner, changes: object = {}): Promise<Json> => {
  const request = requestOf(from, changes)
  const { body, status } = await service.request("POST", SWAP, request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  const [quote] = body.quotes
  assert.deepStrictEqual(problemsOf(request, quote), [])
  return quote
}

export const signAndBroadcast = async (from: BitcoinOwner, { quoteId, signData }: Json): Promise<string> => {
  const signedTransactionHex = signAndFinalize(from, signData[0].psbt)
  // If the simulated server of a busy machine responds too late, the error says that the request must be repeated.
  const { body, status } = await waitUntil(
    () => service.request("POST", "/api/v1/crypto/bitcoin/broadcast", { quoteId, signedTransactionHex }),
    (response) => response.body.id !== "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION"
  )
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transactionHash
}

export const findTransaction = async ({ address }: BitcoinOwner, hash: string): Promise<Json> => {
  const { body } = await service.request("GET", `/api/v1/wallets/${address}/history?take=50`)
  return body.transactions.find(({ legs }: Json) =>
    legs.some((leg: Json) => leg.transactionHash?.hash === hash || leg.hash === hash)
  )
}

/** Advances the service's clock until the transaction meets the condition. */
export const waitForTransaction = async (
  from: BitcoinOwner,
  hash: string,
  isExpected: (transaction: Json) => boolean
): Promise<Json> => {
  let isFirst = true
  return waitUntil(
    async () => {
      if (!isFirst) await service.advanceClock(11)
      isFirst = false
      return findTransaction(from, hash)
    },
    (transaction) => transaction !== undefined && isExpected(transaction),
    { pollMs: POLL_MS }
  )
}

/** Waits until the service has sent this many more requests about pending transfers. */
export const waitForChecks = async (checkCount: number, countRequests: () => number): Promise<void> => {
  const countBefore = countRequests()
  await waitUntilTrue(
    async () => {
      await service.advanceClock(11)
      return countRequests() >= countBefore + checkCount
    },
    { pollMs: POLL_MS }
  )
}

export const readBalance = (chainId: 1 | 8453, token: string, holder: string): Promise<bigint> => {
  const client = createPublicClient({ transport: http(service.chains.rpcUrl(chainId)) })
  const [address, holderAddress] = [token as `0x${string}`, holder as `0x${string}`]
  return token === NATIVE_TOKEN
    ? client.getBalance({ address: holderAddress })
    : client.readContract({ address, abi: erc20Abi, functionName: "balanceOf", args: [holderAddress] })
}

export const isEnded = ({ status }: Json) => !["PROCESSING", "ON_BRIDGE"].includes(status)
