import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "../test/support/accounts.ts"
import { startTestService } from "../test/support/testService.ts"

/**
 * Quote latency over HTTP, round trips to the node, and whether executed swaps return the quoted amount. `npm run bench
 * -w packages/http` prints the figures. QUOTES and SWAPS change the counts.
 */

const quotes = Number(process.env.QUOTES ?? 300)
const swaps = Number(process.env.SWAPS ?? 200)

interface Request {
  readonly at: number
  readonly methods: ReadonlyArray<string>
}
let requests: Array<Request> = []
const service = await startTestService({
  onRpcRequest: (_chainId, methods) => requests.push({ at: performance.now(), methods })
})

const percentile = (sorted: ReadonlyArray<number>, share: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)

/**
 * Returns pseudo-random numbers that are the same in each run (a linear congruential generator from Numerical Recipes).
 */
let seed = 20_261_121
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
const transferOf = (toAddress: string, amount: string) => ({ amount, token: USDC, toAddress, ...gas })

/** Returns the fields of a quote request for an amount, by operation type. */
const kindsOf = ({ address, owner }: TestWallet) => ({
  swap: { path: "/api/v1/crypto/swap", body: (amountIn: string) => swapOf({ address }, { amountIn }) },
  transfer: {
    path: "/api/v1/crypto/transfer",
    body: (amount: string) => ({ walletAddress: address, chainId: 1, ...transferOf(owner, amount) })
  },
  "batch of 5 swaps and 5 transfers": {
    path: "/api/v1/crypto/batch-operations",
    body: (amount: string) => ({
      walletAddress: address,
      chainId: 1,
      operations: Array.from({ length: 10 }, (_, i) =>
        i % 2 === 0
          ? {
              type: "swap",
              params: { amountIn: amount, tokenIn: USDC, tokenOut: WETH, toAddress: address, ...gas }
            }
          : { type: "transfer", params: transferOf(owner, amount) }
      )
    })
  }
})

try {
  const wallets = await registerOneOfEachKind(service)
  const [wallet] = wallets
  const quote = (body: object) => service.request("POST", "/api/v1/crypto/swap", body)
  for (const [name, { body, path }] of Object.entries(kindsOf(wallet!))) {
    for (let i = 0; i < 30; i++) await service.request("POST", path, body(String(100 + i)))
    const latencies: Array<number> = []
    const counts = new Map<number, number>()
    for (let i = 0; i < quotes; i++) {
      requests = []
      const startedAt = performance.now()
      const { status } = await service.request("POST", path, body((random() * 5_000 + 1).toFixed(6)))
      if (status !== 200) throw new Error(`${name}: ${status}`)
      latencies.push(performance.now() - startedAt)
      counts.set(requests.length, (counts.get(requests.length) ?? 0) + 1)
    }
    latencies.sort((a, b) => a - b)
    console.log(
      `${name}: ${quotes} quotes; p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms; ` +
        `requests to the node for one quote: ${[...counts].map(([n, times]) => `${n} (${times} times)`).join(", ")}`
    )
    console.log(`  requests of the last quote: ${requests.map(({ methods }) => methods.join("+")).join(" | ")}`)
  }

  const tokens = [
    USDC,
    WETH,
    "0xdac17f958d2ee523a2206206994597c13d831ec7",
    "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
  ]
  for (const { address } of wallets) {
    await service.fund(address, WETH, 400n * 10n ** 18n)
    await service.fund(address, tokens[2]!, 1_000_000n * 10n ** 6n)
    await service.fund(address, tokens[3]!, 10n * 10n ** 8n)
  }
  const largest: Record<string, number> = { [tokens[0]!]: 3_000, [WETH]: 1, [tokens[2]!]: 3_000, [tokens[3]!]: 0.03 }
  let exact = 0
  const ends = new Map<string, number>()
  for (let i = 0; i < swaps; i++) {
    const tokenIn = tokens[Math.floor(random() * tokens.length)]!
    const otherTokens = tokens.filter((token) => token !== tokenIn)
    const tokenOut = otherTokens[Math.floor(random() * otherTokens.length)]!
    const swapWallet = wallets[i % wallets.length]!
    const { body } = await quote(
      swapOf(swapWallet, {
        tokenIn: tokenIn,
        tokenOut: tokenOut,
        amountIn: (random() * largest[tokenIn]! + largest[tokenIn]! / 1_000).toFixed(6),
        gasFeePaymentMethod: tokenIn === USDC && random() < 0.5 ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT"
      })
    )
    const [best] = body.quotes ?? []
    if (best === undefined || best.revertReason !== undefined) {
      const reason = best?.revertReason.decoded ?? body.message
      ends.set(reason, (ends.get(reason) ?? 0) + 1)
      continue
    }
    const response = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: best.userOperationHash,
      ...(await service.signatures(swapWallet.privateKey, best.signData))
    })
    if (response.status !== 200) {
      ends.set(response.body.id, (ends.get(response.body.id) ?? 0) + 1)
      continue
    }
    const transaction = await service.settled(swapWallet.address, best.userOperationHash)
    ends.set(transaction.status, (ends.get(transaction.status) ?? 0) + 1)
    if (transaction.receivedAmount.amount === best.amountOut) exact += 1
  }
  console.log(
    `swaps: ${swaps}; ${[...ends].map(([end, times]) => `${end} ${times}`).join(", ")}; exactly the quoted amountOut: ${exact}`
  )
  console.log(`memory of the server: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`)
} finally {
  await service.stop()
}
