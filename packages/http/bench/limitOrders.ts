import { sandboxTokens } from "@countersign/adapters/sandbox"
import { Effect } from "effect"
import { createPublicClient, http, parseAbi, parseUnits } from "viem"
import { USDC, WETH } from "../test/support/accounts.ts"
import { signByHash } from "../test/support/sign.ts"
import {
  CHAIN,
  type KilledServers,
  type KilledWallet,
  killOptions,
  Problems,
  reportAndExit,
  sleep,
  withKilledServers
} from "./killedService.ts"

/**
 * Executes limit orders with each type of account, while the service is killed repeatedly. The orders are filled,
 * filled partially, expired, cancelled, or cancelled while they are being filled. Each must end once, with the amount
 * that was filled on chain. `npm run bench:orders -w packages/http -- [--rounds 5] [--seed 1] [--database postgres]
 * [--processes 2] [--reorg]` prints the numbers. A round has 24 orders.
 */

const options = killOptions(5)
const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41"
const EXPIRATION = 1_200
const LINK = sandboxTokens(CHAIN).find(({ symbol }) => symbol === "LINK")!.address

const outcomes = ["FILLED", "FILLED", "PART", "EXPIRED", "CANCELLED", "RACE"] as const
type Outcome = (typeof outcomes)[number]

/**
 * The fields of the quote request for each final status. For PART, the wallet has only a third of the LINK that it
 * sells.
 */
const fieldsOf: { readonly [F in Outcome]: Readonly<Record<string, string>> } = {
  FILLED: { tokenIn: USDC, tokenOut: WETH, amountIn: "100", minAmountOut: "0.01" },
  PART: { tokenIn: LINK, tokenOut: WETH, amountIn: "30", minAmountOut: "0.001" },
  EXPIRED: { tokenIn: USDC, tokenOut: WETH, amountIn: "50", minAmountOut: "5" },
  CANCELLED: { tokenIn: USDC, tokenOut: WETH, amountIn: "20", minAmountOut: "5" },
  RACE: { tokenIn: USDC, tokenOut: WETH, amountIn: "70", minAmountOut: "0.01" }
}
const PART_BALANCE = 10n * 10n ** 18n

const expected: { readonly [F in Outcome]: ReadonlyArray<string> } = {
  FILLED: ["COMPLETED"],
  PART: ["PARTIALLY_COMPLETED"],
  EXPIRED: ["EXPIRED"],
  CANCELLED: ["CANCELLED"],
  RACE: ["COMPLETED", "CANCELLED", "PARTIALLY_COMPLETED"]
}

interface PlacedOrder {
  readonly fate: Outcome
  readonly wallet: KilledWallet
  readonly id: string
  readonly uid: string
}

const placeOrder = async (
  { requireOk, until }: KilledServers,
  wallet: KilledWallet,
  outcome: Outcome
): Promise<PlacedOrder> => {
  const { quotes } = await requireOk("/api/v1/crypto/swap", {
    walletAddress: wallet.address,
    toAddress: wallet.address,
    chainIdIn: CHAIN,
    chainIdOut: CHAIN,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC,
    expiration: EXPIRATION,
    ...fieldsOf[outcome]
  })
  const [{ limitOrder, quoteId, signData }] = quotes
  const signatures = await signByHash(wallet.privateKey, signData)
  // A repeated request must return the same order.
  const { id } = await requireOk("/api/v1/crypto/limit-orders", { quoteId, signatures })
  const secondResponse = await requireOk("/api/v1/crypto/limit-orders", { quoteId, signatures })
  if (secondResponse.id !== id) throw new Error(`Two executions of quote ${quoteId} created two orders`)
  await until(id, ({ status, substatus }) => status !== "PROCESSING" || substatus === "OPEN")
  return { fate: outcome, wallet, id, uid: limitOrder.uid }
}

/** Cancels the order as its account type requires, unless the order has already ended. */
const cancelOrder = async ({ service }: KilledServers, { id, wallet }: PlacedOrder): Promise<void> => {
  const path = `/api/v1/crypto/limit-orders/${id}/cancel`
  const { body, status } = await service.untilSuccessful(path, {})
  if (status === 400) return
  const signatures = await signByHash(wallet.privateKey, body.signData)
  if (!body.requiresExecution) await service.untilSuccessful(path, { signature: Object.values(signatures)[0] })
  else await service.untilSuccessful("/api/v1/crypto/execute", { quoteId: body.quoteId, signatures })
}

const [trade] = parseAbi([
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)"
])

/** Returns the sold amount of each order, from the events of the settlement contract. */
const soldByUid = async ({ chains }: KilledServers): Promise<ReadonlyMap<string, bigint>> => {
  const client = createPublicClient({ transport: http(chains.rpcUrl(CHAIN)) })
  const logs = await client.getLogs({ address: SETTLEMENT, event: trade, fromBlock: 0n })
  const soldAmounts = new Map<string, bigint>()
  for (const { args } of logs)
    soldAmounts.set(args.orderUid!, (soldAmounts.get(args.orderUid!) ?? 0n) + args.sellAmount!)
  return soldAmounts
}

const startedAt = performance.now()
const problems = new Problems()
const countsByOutcome = new Map<string, number>()
let count = 0

const audit = async (killedServers: KilledServers, orders: ReadonlyArray<PlacedOrder>) => {
  const soldAmounts = await soldByUid(killedServers)
  for (const { fate, id, uid, wallet } of orders) {
    const transaction = await killedServers.transactionOf(id)
    const { movements, status, substatus } = transaction
    const decimals = fate === "PART" ? 18 : 6
    const recordedAmount = movements
      .filter(
        (movement: { direction: string; counterparty: string | null }) =>
          movement.direction === "OUT" && movement.counterparty === SETTLEMENT
      )
      .reduce((sum: bigint, { amount }: { amount: string }) => sum + parseUnits(amount, decimals), 0n)
    const ending = `${fate}: ${status} ${substatus}`
    countsByOutcome.set(ending, (countsByOutcome.get(ending) ?? 0) + 1)
    count += 1
    if (!expected[fate].includes(status)) problems.add(`${wallet.name} ${id} should be ${fate} and is ${status}`)
    if (recordedAmount !== (soldAmounts.get(uid) ?? 0n))
      problems.add(`${id}: the record contains ${recordedAmount}, and the chain ${soldAmounts.get(uid) ?? 0n}`)
  }
}

const round = async (killedServers: KilledServers, wallets: ReadonlyArray<KilledWallet>) => {
  const { advanceClock, chains, counts, fund, random, until } = killedServers
  const solver = (mode: { readonly isSolving: boolean; readonly largestPercent?: number }) =>
    Effect.runPromise(chains.setSolver(mode))
  await solver({ isSolving: false, largestPercent: 40 })
  for (const { address } of wallets) await fund(address, LINK, PART_BALANCE)
  const orders = (
    await Promise.all(
      wallets.map(async (wallet) => {
        const placedOrders: Array<PlacedOrder> = []
        for (const outcome of outcomes) placedOrders.push(await placeOrder(killedServers, wallet, outcome))
        return placedOrders
      })
    )
  ).flat()
  const ordersByOutcome = (outcome: Outcome) => orders.filter((order) => order.fate === outcome)
  await Promise.all(ordersByOutcome("CANCELLED").map((order) => cancelOrder(killedServers, order)))
  await solver({ isSolving: true, largestPercent: 40 })
  await sleep(random.fraction() * 4_000)
  await Promise.all(ordersByOutcome("RACE").map((order) => cancelOrder(killedServers, order)))
  await Promise.all(ordersByOutcome("FILLED").map(({ id }) => until(id, ({ status }) => status !== "PROCESSING")))
  // Gives the on-chain cancellations time to be included before the orders expire.
  await sleep(3_000)
  await advanceClock(2 * EXPIRATION)
  await Promise.all(orders.map(({ id }) => until(id, ({ status }) => status !== "PROCESSING")))
  await audit(killedServers, orders)
  process.stdout.write(
    `${count} orders, ${counts()}, ${problems.count} problems, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`
  )
}

await withKilledServers(options, async (killedServers) => {
  const wallets = await killedServers.registered()
  for (const { address } of wallets) await killedServers.fund(address, USDC, 10n ** 12n)
  for (let i = 0; i < options.rounds; i++) await round(killedServers, wallets)
})
reportAndExit(countsByOutcome, problems)
