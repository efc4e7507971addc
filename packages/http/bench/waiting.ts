import { Address, Entropy, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Executions, inclusionState } from "@countersign/core/operations/executions"
import { isUserOperation, type UserOperationIntent } from "@countersign/core/operations/intents"
import { OperatorTransactionStore } from "@countersign/core/operations/operator"
import { type Quote, QuoteStore } from "@countersign/core/operations/quotes"
import { AccountOperations, ChainReader } from "@countersign/core/operations/user-operations"
import { DateTime, Effect, Option } from "effect"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../test/support/accounts.ts"
import { startTestService } from "../test/support/testService.ts"

/**
 * Measures the cost of operations that never end: the number of requests to the node per second, and the duration of a
 * valid operation at the same time. `npm run bench:waiting -w packages/http` prints the results. WAITING is a list of
 * the numbers of such operations, SECONDS is the length of a measurement, and KIND is the reason why they never end.
 * "rejected" operations are rejected by the bundler. "carried" operations are in a transaction that is never included
 * in a block.
 */

const kind = process.env.KIND ?? "rejected"
const counts = (process.env.WAITING ?? "0,405,1905").split(",").map(Number)
const seconds = Number(process.env.SECONDS ?? 15)

let exchanges = 0
let methods = new Map<string, number>()
const service = await startTestService({
  onRpcRequest: (_chainId, methodNames) => {
    exchanges += 1
    for (const method of methodNames) methods.set(method, (methods.get(method) ?? 0) + 1)
  }
})

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Executes a valid swap. Returns the milliseconds from its acceptance until the API reports it as completed. */
const swapDurationMs = async (wallet: TestWallet): Promise<number> => {
  const quoteResponse = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet))
  const [{ signData, userOperationHash }] = quoteResponse.body.quotes
  const signatures = await service.signatures(wallet.privateKey, signData)
  const startedAt = performance.now()
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...signatures
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const transaction = await service.settled(wallet.address, userOperationHash)
  if (transaction.status !== "COMPLETED") throw new Error(JSON.stringify(transaction.failure))
  return performance.now() - startedAt
}

const RANDOM_ADDRESS = Address.make(`0x${"77".repeat(20)}`)
let nonce = 0

/**
 * Stores a transaction that contains the operations. No process has its operator account, so no process submits it
 * again.
 */
const storeTransaction = Effect.fnUntraced(function* (operations: ReadonlyArray<Hash32>) {
  const store = yield* OperatorTransactionStore
  const operatorAccount = { chainId: 1, operator: RANDOM_ADDRESS } as const
  const now = yield* DateTime.now
  yield* store.claim(operatorAccount, "SEND", { holder: "bench", now, until: DateTime.add(now, { seconds: 10 }) })
  const hash = Hash32.make(`0x${nonce.toString(16).padStart(64, "0")}`)
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  const raw = HexBytes.make("0x")
  const sentTransaction = {
    ...operatorAccount,
    ...fees,
    nonce,
    hash,
    raw,
    replaced: [],
    operations,
    state: "SENT",
    block: 0,
    sentAt: now
  } as const
  yield* store.record(operatorAccount, { holder: "bench", now }, [sentTransaction])
  nonce += 1
})

/** Stores a number of accepted operations that are never included, because they are not signed. */
const acceptUnsigned = Effect.fnUntraced(function* (template: Quote, intent: UserOperationIntent, count: number) {
  const [quotes, executions, accounts, entropy] = [
    yield* QuoteStore,
    yield* Executions,
    yield* AccountOperations,
    yield* Entropy
  ]
  const now = yield* DateTime.now
  const { blockNumber: fromBlock } = yield* ChainReader.use((reader) =>
    reader.readAccountState(1, { address: intent.account.address, tokens: [], allowances: [] })
  )
  const signature = HexBytes.make(`0x${"11".repeat(64)}1b`)
  for (let i = 0; i < count; i++) {
    const key = [...(yield* entropy.bytes(24))].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    const operation = { ...intent.operation, nonce: key << 64n }
    const hash = accounts.hash(operation)
    const quote: Quote = { ...template, id: hash, intents: [{ ...intent, operation, hash }] }
    if (kind === "carried") yield* storeTransaction([hash])
    yield* quotes.insert([quote])
    yield* executions.accept(quote, {
      signatures: Object.fromEntries(intent.signData.map((element) => [element.hash, signature])),
      stages: [{ state: inclusionState.encode({ fromBlock }), deadline: DateTime.add(now, { hours: 1 }) }, undefined],
      acceptedAt: yield* DateTime.now,
      estimatedExecutionTime: now,
      funds: null
    })
  }
})

const templateQuote = async (wallet: TestWallet) => {
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet))
  const id = body.quotes[0].userOperationHash
  return service.run(
    Effect.flatMap(QuoteStore, (quotes) => Effect.map(quotes.find(service.project.id, id), Option.getOrThrow))
  )
}

/** Executes valid operations one after another for the length of a measurement, and counts the requests to the node. */
const measure = async (name: string, wallet: TestWallet): Promise<void> => {
  exchanges = 0
  methods = new Map()
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  const times: Array<number> = []
  while (performance.now() - startedAt < seconds * 1_000) {
    times.push(await swapDurationMs(wallet).catch(() => Number.POSITIVE_INFINITY))
    await sleep(500)
  }
  const elapsed = (performance.now() - startedAt) / 1_000
  const { system, user } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const requestCount = [...methods.values()].reduce((sum, count) => sum + count, 0)
  const rate = (count: number) => (count / elapsed).toFixed(1)
  console.log(
    `${name}: ${rate(requestCount)} methods in ${rate(exchanges)} HTTP requests a second; ` +
      `honest (${times.length}) p50 ${times[times.length >> 1]!.toFixed(0)} ms, worst ${times.at(-1)!.toFixed(0)} ms; ` +
      `CPU ${((user + system) / 1e4 / elapsed).toFixed(0)} %`
  )
  const topMethods = [...methods].sort(([, a], [, b]) => b - a).slice(0, 6)
  console.log(`  ${topMethods.map(([method, count]) => `${method} ${rate(count)}`).join(", ")}`)
}

try {
  // All wallets use the same EntryPoint, so that the same operator account sends their operations.
  const wallets = await registerOneOfEachKind(service)
  const [wallet, attacker] = ["Safe 1.4.1", "SimpleAccount 0.7"].map((kind) =>
    wallets.find(({ name }) => name === kind)
  )
  for (const warmUpWallet of [attacker!, wallet!, wallet!, wallet!]) await swapDurationMs(warmUpWallet)
  let waiting = 0
  for (const count of counts) {
    const template = await templateQuote(attacker!)
    const intent = template.intents.find(isUserOperation)!
    await service.run(acceptUnsigned(template, intent, count - waiting))
    waiting = count
    await measure(`${count} ${kind}, concurrent`, wallet!)
    if (count > 0) await sleep(30_000)
    if (count > 0) await measure(`${count} ${kind}, some time later`, wallet!)
  }
} finally {
  await service.stop()
}
