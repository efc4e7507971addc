import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "../test/support/accounts.ts"
import { startTestService } from "../test/support/testService.ts"

/**
 * Executes transfers to another chain. Compares the final status and the duration of each transfer with its quote, on
 * the sandbox's clock. `npm run bench:crossing -w packages/http` prints the results. ROUNDS is the number of transfers
 * of each wallet. The relayer's delay changes in each round, and in some rounds the relayer fills no deposits. The
 * service is restarted while some transfers are pending.
 */

const rounds = Number(process.env.ROUNDS ?? 28)
/** Number of seconds until the relayer fills a deposit. Null if it does not fill deposits. */
const delays = [30, 60, 120, 300, 600, 45, null] as const
const OTHER_CHAIN = 8453
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const PAST_DEADLINE_SECONDS = 7_300
const TIMEOUT_MS = 60_000

const service = await startTestService()
const wallets = await registerOneOfEachKind(service)

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const setRelayerMode = (mode: object) =>
  fetch(`${service.chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })

interface PendingTransfer {
  readonly wallet: TestWallet
  readonly hash: string
  readonly estimatedMs: number
}

const startTransfer = async (wallet: TestWallet): Promise<PendingTransfer> => {
  const quoteResponse = await service.request(
    "POST",
    "/api/v1/crypto/swap",
    swapOf(wallet, { chainIdOut: OTHER_CHAIN, tokenOut: USDC_ON_BASE, routeProfile: "FASTEST_BRIDGE" })
  )
  if (quoteResponse.status !== 200) throw new Error(JSON.stringify(quoteResponse.body))
  const [{ estimatedExecutionTime, signData, userOperationHash: hash }] = quoteResponse.body.quotes
  const quotedMs = Date.now() + service.chains.clockOffsetSeconds() * 1_000
  const signedQuote = await service.signatures(wallet.privateKey, signData)
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: hash,
    ...signedQuote
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { wallet, hash, estimatedMs: Date.parse(estimatedExecutionTime) - quotedMs }
}

const find = async ({ hash, wallet }: PendingTransfer) =>
  (await service.request("GET", `/api/v1/wallets/${wallet.address}/history?userOperationHash=${hash}`)).body
    .transactions[0]

const isOver = ({ status }: { readonly status: string }) => status !== "PROCESSING" && status !== "ON_BRIDGE"

const waitUntilAll = async (
  pendingTransfers: ReadonlyArray<PendingTransfer>,
  holds: (transaction: { status: string }) => boolean
) => {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const matchingItems = await Promise.all(pendingTransfers.map(find))
    if (matchingItems.every(holds)) return matchingItems
    if (Date.now() > deadline) return matchingItems
    await sleep(50)
  }
}

/** Advances the clock in steps of 1/20 of the delay, until all transfers have ended. */
const waitForArrival = async (pendingTransfers: ReadonlyArray<PendingTransfer>, delaySeconds: number) => {
  for (let step = 0; step <= 24; step++) {
    const matchingItems = await Promise.all(pendingTransfers.map(find))
    if (matchingItems.every(isOver)) return matchingItems
    await service.advanceClock(Math.max(1, Math.round(delaySeconds / 20)))
    // Waits until the relayer and the service have checked the chains.
    await sleep(150)
  }
  return waitUntilAll(pendingTransfers, isOver)
}

const countsByStatus = new Map<string, number>()
const ratios: Array<number> = []
let restarts = 0

for (let round = 0; round < rounds; round++) {
  const delay = delays[round % delays.length]!
  await setRelayerMode(delay === null ? { mode: "OFF" } : { mode: "FILL", delaySeconds: delay })
  const pendingTransfers: Array<PendingTransfer> = []
  for (const wallet of wallets) pendingTransfers.push(await startTransfer(wallet))
  await waitUntilAll(pendingTransfers, ({ status }) => status !== "PROCESSING")
  if (round % 3 === 0) {
    await service.restart()
    restarts++
  }
  if (delay === null) await service.advanceClock(PAST_DEADLINE_SECONDS)
  const endedTransactions =
    delay === null ? await waitUntilAll(pendingTransfers, isOver) : await waitForArrival(pendingTransfers, delay)
  for (const [i, { createdAt, executedAt, status }] of endedTransactions.entries()) {
    countsByStatus.set(status, (countsByStatus.get(status) ?? 0) + 1)
    if (status === "COMPLETED")
      ratios.push(pendingTransfers[i]!.estimatedMs / (Date.parse(executedAt) - Date.parse(createdAt)))
  }
  for (const { address } of wallets) await service.fund(address, USDC, 200_000_000n)
}

const sortedRatios = ratios.toSorted((a, b) => a - b)
const percentile = (share: number) =>
  sortedRatios[Math.min(sortedRatios.length - 1, Math.floor(sortedRatios.length * share))]!.toFixed(2)
const withinFactorTwo = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length
console.log(`${rounds * wallets.length} transfers, ${restarts} restarts while they were pending`)
console.log([...countsByStatus].map(([status, count]) => `${count} ${status}`).join(", "))
console.log(
  `ratio of estimated to actual time: minimum ${percentile(0)}, median ${percentile(0.5)}, maximum ${percentile(1)}; ${withinFactorTwo} of ${ratios.length} within a factor of two`
)
await service.stop()
process.exit([...countsByStatus.keys()].every((status) => status === "COMPLETED" || status === "REFUNDED") ? 0 : 1)
