import { createPublicClient, erc20Abi, http, parseUnits } from "viem"
import { OTHER_CHAIN, USDC_ON_BASE } from "../test/kill/operations.ts"
import { swapOf, USDC } from "../test/support/accounts.ts"
import { signByHash } from "../test/support/sign.ts"
import {
  type KilledServers,
  type KilledWallet,
  killOptions,
  Problems,
  reportAndExit,
  sleep,
  withKilledServers
} from "./killedService.ts"

/**
 * Executes transfers to another chain with each type of account, while the service is killed repeatedly. The transfers
 * are filled immediately, filled late, swapped on arrival, or refunded. Each must end once, and its record must match
 * the balances of the wallets. `npm run bench:crossing-kills -w packages/http -- [--rounds 7] [--seed 1] [--database
 * postgres] [--processes 2] [--reorg]` prints the numbers. A round has 16 transfers.
 */

const options = killOptions(7)
const WBTC_ON_BASE = "0x0555e30da8f98308edb960aa94c0db47230d2b9c" as const
const PAST_DEADLINE_SECONDS = 7_300
const FINAL_MS = 60_000

const outcomes = ["FILLED", "LATE", "ARRIVAL", "REFUNDED"] as const
type Outcome = (typeof outcomes)[number]

const tokenOf: { readonly [F in Outcome]: string } = {
  FILLED: USDC_ON_BASE,
  LATE: USDC_ON_BASE,
  ARRIVAL: WBTC_ON_BASE,
  REFUNDED: USDC_ON_BASE
}

interface SentTransfer {
  readonly fate: Outcome
  readonly wallet: KilledWallet
  readonly id: string
}

const send = async (
  { random, requireOk, until }: KilledServers,
  wallet: KilledWallet,
  outcome: Outcome
): Promise<SentTransfer> => {
  const request = swapOf(wallet, {
    chainIdOut: OTHER_CHAIN,
    tokenOut: tokenOf[outcome],
    amountIn: String(50 + random.below(50)),
    // In percent. A high value, because the other transfers change the prices.
    slippage: 5
  })
  const { quotes } = await requireOk("/api/v1/crypto/swap", request)
  const [{ quoteId, signData }] = quotes
  const signatures = await signByHash(wallet.privateKey, signData)
  // A repeated request must return the same transfer.
  const { transactionId: id } = await requireOk("/api/v1/crypto/execute", { quoteId, signatures })
  const secondResponse = await requireOk("/api/v1/crypto/execute", { quoteId, signatures })
  if (secondResponse.transactionId !== id) throw new Error(`Two executions of quote ${quoteId} created two transfers`)
  // The first operation of an EIP-7702 account contains its authorization. The next quote depends on whether the
  // authorization was applied, so wait until it was.
  await until(id, ({ status }) => status !== "PROCESSING")
  return { fate: outcome, wallet, id }
}

const startedAt = performance.now()
const problems = new Problems()
const countsByOutcome = new Map<string, number>()
/** The reported amounts, by wallet and token. */
const reportedAmounts = new Map<string, bigint>()
/**
 * Wallets and tokens for which a deposit was filled twice. This is possible because the relayer fills a deposit before
 * it is final.
 */
const filledTwice = new Set<string>()
let count = 0

const isOver = ({ status }: { readonly status: string }) => status !== "PROCESSING" && status !== "ON_BRIDGE"

interface ExternalDeposit {
  readonly chainOut: { readonly id: number }
  readonly receivedAmount: {
    readonly amount: string
    readonly token: { readonly address: string; readonly decimals: number }
  }
}

/**
 * Returns the sum of a wallet's deposits that belong to no transfer, in base units. Such a deposit occurs if the
 * relayer fills a transfer and a reorg then removes the source transaction. The transaction is submitted again, and the
 * relayer fills the transfer a second time.
 */
const externalDepositsOf = async (
  { requireOk }: KilledServers,
  { address }: KilledWallet,
  token: string
): Promise<bigint> => {
  const path = `/api/v1/wallets/${address}/history?type=CRYPTO_DEPOSIT&take=100`
  const { transactions }: { readonly transactions: ReadonlyArray<ExternalDeposit> } = await requireOk(path)
  return transactions
    .filter(({ chainOut, receivedAmount }) => chainOut.id === OTHER_CHAIN && receivedAmount.token.address === token)
    .reduce((sum, { receivedAmount: { amount, token } }) => sum + parseUnits(amount, token.decimals), 0n)
}

/**
 * Waits at most `FINAL_MS` until the balance of a wallet matches its history, because the service may record a second
 * fill late. Reports a problem if it does not match.
 */
const auditBalance = async (killedServers: KilledServers, wallet: KilledWallet, token: `0x${string}`) => {
  const client = createPublicClient({ transport: http(killedServers.chains.rpcUrl(OTHER_CHAIN)), cacheTime: 0 })
  const address = wallet.address as `0x${string}`
  const ofTransfers = reportedAmounts.get(`${address} ${token}`) ?? 0n
  const deadline = Date.now() + FINAL_MS
  for (;;) {
    const heldAmount = await client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address]
    })
    const matchingItems = await externalDepositsOf(killedServers, wallet, token)
    if (heldAmount === ofTransfers + matchingItems) {
      if (matchingItems > 0n) filledTwice.add(`${address} ${token} ${matchingItems}`)
      return
    }
    if (Date.now() > deadline) {
      return problems.add(
        `${wallet.name} has ${heldAmount} of ${token}, its history contains ${ofTransfers} from transfers and ${matchingItems} from other deposits`
      )
    }
    await killedServers.advanceClock(5)
    await sleep(1_000)
  }
}

/**
 * Checks the final status of each transfer. Compares the balances on the other chain with the histories of the wallets.
 */
const audit = async (
  killedServers: KilledServers,
  wallets: ReadonlyArray<KilledWallet>,
  sentTransfers: ReadonlyArray<SentTransfer>
) => {
  for (const { fate, id, wallet } of sentTransfers) {
    const { receivedAmount, status, substatus } = await killedServers.transactionOf(id)
    const ending = `${fate}: ${status} ${substatus}`
    countsByOutcome.set(ending, (countsByOutcome.get(ending) ?? 0) + 1)
    count += 1
    const right = fate === "REFUNDED" ? "REFUNDED" : "COMPLETED"
    if (status !== right) problems.add(`${wallet.name} ${id} should be ${right} and is ${status} ${substatus}`)
    const key = `${wallet.address} ${receivedAmount?.token.address}`
    const { decimals } = receivedAmount.token
    reportedAmounts.set(key, (reportedAmounts.get(key) ?? 0n) + parseUnits(receivedAmount.amount, decimals))
  }
  for (const wallet of wallets) {
    for (const token of [USDC_ON_BASE as `0x${string}`, WBTC_ON_BASE]) await auditBalance(killedServers, wallet, token)
  }
}

const setRelayerMode = async ({ chains }: KilledServers, mode: object) => {
  const response = await fetch(`${chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Executes one round. The relayer fills the deposits that it detects, except those that should be refunded. */
const round = async (killedServers: KilledServers, wallets: ReadonlyArray<KilledWallet>) => {
  const sendAll = async (some: ReadonlyArray<Outcome>) =>
    (
      await Promise.all(
        wallets.map(async (wallet) => {
          const sentItems: Array<SentTransfer> = []
          for (const outcome of some) sentItems.push(await send(killedServers, wallet, outcome))
          return sentItems
        })
      )
    ).flat()
  const untilOver = (sentTransfers: ReadonlyArray<SentTransfer>) =>
    Promise.all(sentTransfers.map(({ id }) => killedServers.until(id, isOver)))

  await setRelayerMode(killedServers, { mode: "FILL", delaySeconds: 0 })
  const filledTransfers = await sendAll(["FILLED", "ARRIVAL"])
  await untilOver(filledTransfers)
  await setRelayerMode(killedServers, { mode: "FILL", delaySeconds: 60 })
  const lateTransfers = await sendAll(["LATE"])
  await Promise.all(lateTransfers.map(({ id }) => killedServers.until(id, ({ status }) => status !== "PROCESSING")))
  await sleep(killedServers.random.fraction() * 2_000)
  await killedServers.advanceClock(90)
  await untilOver(lateTransfers)
  await setRelayerMode(killedServers, { mode: "OFF" })
  const lostTransfers = await sendAll(["REFUNDED"])
  await Promise.all(lostTransfers.map(({ id }) => killedServers.until(id, ({ status }) => status !== "PROCESSING")))
  await sleep(killedServers.random.fraction() * 2_000)
  await killedServers.advanceClock(PAST_DEADLINE_SECONDS)
  await untilOver(lostTransfers)
  await audit(killedServers, wallets, [...filledTransfers, ...lateTransfers, ...lostTransfers])
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  process.stdout.write(
    `${count} transfers, ${killedServers.counts()}, ${filledTwice.size} sums filled twice, ${problems.count} problems, ${seconds} s\n`
  )
}

await withKilledServers(options, async (killedServers) => {
  const wallets = await killedServers.registered()
  for (const { address } of wallets) await killedServers.fund(address, USDC, 10n ** 12n)
  for (let i = 0; i < options.rounds; i++) await round(killedServers, wallets)
})
reportAndExit(countsByOutcome, problems)
