import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxChains, sandboxTokens } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/primitives"
import { ManagedRuntime } from "effect"
import { createPublicClient, http, parseAbi, parseUnits } from "viem"
import { layerOperator, newKey } from "../test/fleet/operator.ts"
import { ServerFleet } from "../test/fleet/ServerFleet.ts"
import { SeededRandom } from "../test/kill/SeededRandom.ts"
import { ServiceClient } from "../test/kill/ServiceClient.ts"
import { USDC, WETH } from "../test/support/accounts.ts"
import { signaturesByHash } from "../test/support/sign.ts"

/**
 * Limit orders of every kind of account in a service that is killed again and again: filled, filled in part, expired,
 * cancelled, and cancelled while they are filled. Each must end once, with what the chain says was filled.
 * `npm run bench:orders -w packages/http` prints the counts; ROUNDS changes how many (24 orders each), SEED the kills.
 */

const rounds = Number(process.env.ROUNDS ?? 5)
const random = new SeededRandom(Number(process.env.SEED ?? 1))
const CHAIN = 1
const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41"
const EXPIRATION = 1_200
const LOOK_MS = 100
const SHORTEST_LIFE_MS = 400
const LIVES_MS = 2_500
const PATIENCE_MS = 180_000
const LINK = sandboxTokens(CHAIN).find(({ symbol }) => symbol === "LINK")!.address

const fates = ["FILLED", "FILLED", "PART", "EXPIRED", "CANCELLED", "RACE"] as const
type Fate = (typeof fates)[number]

/** What is asked for so that an order comes to its end: LINK is there for a third of it alone. */
const fieldsOf: { readonly [F in Fate]: Readonly<Record<string, string>> } = {
  FILLED: { tokenIn: USDC, tokenOut: WETH, amountIn: "100", minAmountOut: "0.01" },
  PART: { tokenIn: LINK, tokenOut: WETH, amountIn: "30", minAmountOut: "0.001" },
  EXPIRED: { tokenIn: USDC, tokenOut: WETH, amountIn: "50", minAmountOut: "5" },
  CANCELLED: { tokenIn: USDC, tokenOut: WETH, amountIn: "20", minAmountOut: "5" },
  RACE: { tokenIn: USDC, tokenOut: WETH, amountIn: "70", minAmountOut: "0.01" }
}
const PART_BALANCE = 10n * 10n ** 18n

const expected: { readonly [F in Fate]: ReadonlyArray<string> } = {
  FILLED: ["COMPLETED"],
  PART: ["PARTIALLY_COMPLETED"],
  EXPIRED: ["EXPIRED"],
  CANCELLED: ["CANCELLED"],
  RACE: ["COMPLETED", "CANCELLED", "PARTIALLY_COMPLETED"]
}

interface Wallet {
  readonly name: string
  readonly address: string
  readonly privateKey: `0x${string}`
}

interface Placed {
  readonly fate: Fate
  readonly wallet: Wallet
  readonly id: string
  readonly uid: string
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const home = mkdtempSync(join(tmpdir(), "countersign-orders-"))
const world = ManagedRuntime.make(SandboxChains.layer({ home, eager: [CHAIN] }))
const chains = await world.runPromise(SandboxChains)
const place = {
  home,
  gatewayUrl: chains.gatewayUrl,
  paymasters: chains.paymasters,
  database: { _tag: "Sqlite" as const }
}
const operator = ManagedRuntime.make(layerOperator(place))
const apiKey = await operator.runPromise(newKey(chains.keys.treasury.address))
await operator.dispose()
const fleet = await ServerFleet.of(place, 1)
await fleet.start()
const service = new ServiceClient(apiKey, (nth) => fleet.url(nth))
const solver = (mode: { readonly isSolving: boolean; readonly largestPercent?: number }) =>
  world.runPromise(chains.setSolver(mode))

const required = async (path: string, body?: object) => {
  const answer = await service.untilAnswered(path, body)
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const fund = (address: string, token: string, amount: bigint) =>
  world.runPromise(
    chains.fundUpTo(CHAIN, Address.make(address), token === "native" ? token : Address.make(token), amount)
  )

const registered = async (): Promise<ReadonlyArray<Wallet>> => {
  const { factories } = await required("/api/v1/wallets/factories")
  const wallets: Array<Wallet> = []
  for (const [i, { eip7702, factory, name }] of factories.entries()) {
    const { address: externallyOwnedAccount, privateKey } = chains.keys.owners[i]!
    const { wallet } = await required("/api/v1/wallets/register", { externallyOwnedAccount, factory, eip7702 })
    wallets.push({ name, address: wallet.walletAddress, privateKey })
  }
  return wallets
}

let kills = 0
let isOver = false

/** Ends the service at random instants, and starts it again. */
const killing = async () => {
  while (!isOver) {
    await sleep(SHORTEST_LIFE_MS + random.fraction() * LIVES_MS)
    if (isOver) return
    await fleet.kill(0)
    kills += 1
  }
}

const transactionOf = async (id: string) => (await required(`/api/v1/crypto/transactions/${id}`)).transaction

const until = async (id: string, isSo: (transaction: { status: string; substatus: string | null }) => boolean) => {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const transaction = await transactionOf(id)
    if (isSo(transaction)) return transaction
    if (Date.now() > deadline) throw new Error(`Not so: ${JSON.stringify(transaction)}`)
    await sleep(LOOK_MS)
  }
}

const placeOrder = async (wallet: Wallet, fate: Fate): Promise<Placed> => {
  const { quotes } = await required("/api/v1/crypto/swap", {
    walletAddress: wallet.address,
    toAddress: wallet.address,
    chainIdIn: CHAIN,
    chainIdOut: CHAIN,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC,
    expiration: EXPIRATION,
    ...fieldsOf[fate]
  })
  const [{ limitOrder, quoteId, signData }] = quotes
  const signatures = await signaturesByHash(wallet.privateKey, signData)
  // Twice: it is one order.
  const { id } = await required("/api/v1/crypto/limit-orders", { quoteId, signatures })
  const again = await required("/api/v1/crypto/limit-orders", { quoteId, signatures })
  if (again.id !== id) throw new Error(`${quoteId} became two orders`)
  await until(id, ({ status, substatus }) => status !== "PROCESSING" || substatus === "OPEN")
  return { fate, wallet, id, uid: limitOrder.uid }
}

/** As its wallet can; an order that has ended meanwhile is not cancelled. */
const cancelOrder = async ({ id, wallet }: Placed): Promise<void> => {
  const path = `/api/v1/crypto/limit-orders/${id}/cancel`
  const { body, status } = await service.untilAnswered(path, {})
  if (status === 400) return
  const signatures = await signaturesByHash(wallet.privateKey, body.signData)
  if (!body.requiresExecution) await service.untilAnswered(path, { signature: Object.values(signatures)[0] })
  else await service.untilAnswered("/api/v1/crypto/execute", { quoteId: body.quoteId, signatures })
}

const client = createPublicClient({ transport: http(chains.rpcUrl(CHAIN)) })
const [trade] = parseAbi([
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)"
])

/** What the settlement says that it took of each order. */
const soldByUid = async (): Promise<ReadonlyMap<string, bigint>> => {
  const logs = await client.getLogs({ address: SETTLEMENT, event: trade, fromBlock: 0n })
  const sold = new Map<string, bigint>()
  for (const { args } of logs) sold.set(args.orderUid!, (sold.get(args.orderUid!) ?? 0n) + args.sellAmount!)
  return sold
}

const startedAt = performance.now()
const problems: Array<string> = []
const endings = new Map<string, number>()
let count = 0

const audit = async (orders: ReadonlyArray<Placed>) => {
  const sold = await soldByUid()
  for (const { fate, id, uid, wallet } of orders) {
    const transaction = await transactionOf(id)
    const { movements, status, substatus } = transaction
    const decimals = fate === "PART" ? 18 : 6
    const told = movements
      .filter(
        (moved: { direction: string; counterparty: string | null }) =>
          moved.direction === "OUT" && moved.counterparty === SETTLEMENT
      )
      .reduce((sum: bigint, { amount }: { amount: string }) => sum + parseUnits(amount, decimals), 0n)
    const ending = `${fate}: ${status} ${substatus}`
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
    count += 1
    if (!expected[fate].includes(status)) problems.push(`${wallet.name} ${id} should be ${fate} and is ${status}`)
    if (told !== (sold.get(uid) ?? 0n)) problems.push(`${id} tells ${told}, the chain ${sold.get(uid) ?? 0n}`)
  }
}

const round = async (wallets: ReadonlyArray<Wallet>) => {
  await solver({ isSolving: false, largestPercent: 40 })
  for (const { address } of wallets) await fund(address, LINK, PART_BALANCE)
  const orders = (
    await Promise.all(
      wallets.map(async (wallet) => {
        const placed: Array<Placed> = []
        for (const fate of fates) placed.push(await placeOrder(wallet, fate))
        return placed
      })
    )
  ).flat()
  const of = (fate: Fate) => orders.filter((order) => order.fate === fate)
  await Promise.all(of("CANCELLED").map(cancelOrder))
  await solver({ isSolving: true, largestPercent: 40 })
  await sleep(random.fraction() * 4_000)
  await Promise.all(of("RACE").map(cancelOrder))
  await Promise.all(of("FILLED").map(({ id }) => until(id, ({ status }) => status !== "PROCESSING")))
  // An operation that cancels is in a block before its time is over.
  await sleep(3_000)
  await world.runPromise(chains.advanceClock(2 * EXPIRATION))
  await Promise.all(orders.map(({ id }) => until(id, ({ status }) => status !== "PROCESSING")))
  await audit(orders)
  process.stdout.write(`${count} orders, ${kills} kills, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`)
}

const wallets = await registered()
for (const { address } of wallets) await fund(address, USDC, 10n ** 12n)
const killer = killing()
try {
  for (let i = 0; i < rounds; i++) await round(wallets)
} finally {
  isOver = true
  await killer
  await fleet.close()
  await world.dispose()
  rmSync(home, { recursive: true, force: true })
}
for (const [ending, times] of [...endings].sort()) process.stdout.write(`${String(times).padStart(5)}  ${ending}\n`)
for (const problem of problems) process.stdout.write(`problem: ${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)
