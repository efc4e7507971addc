import { HistoryStore, movementsOf } from "@countersign/core/accounting/history"
import { isNativeToken, type WalletAddress } from "@countersign/core/foundation/primitives"
import { isToken } from "@countersign/core/foundation/tokens"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { createPublicClient, erc20Abi, formatUnits, http, parseAbi, parseUnits } from "viem"
import { NATIVE, WETH } from "../support/accounts.ts"
import { linesOf } from "../support/taxTieOut.ts"
import type { TestService } from "../support/testService.ts"
import type { Body, Month } from "./Month.ts"

/** Compares a wallet's history, tax exports and portfolio with the chain. */

const CHAINS = [1, 8453] as const
type CheckedChainId = (typeof CHAINS)[number]

/** Chain ids by the names in exports. */
const chainIds: Readonly<Record<string, CheckedChainId>> = { Ethereum: 1, Base: 8453 }

const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"])
const wrapAbi = parseAbi([
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)"
])

const addAmount = (sums: Map<string, bigint>, key: string, amount: bigint) =>
  sums.set(key, (sums.get(key) ?? 0n) + amount)

const clientOf = ({ chains }: TestService, chainId: CheckedChainId) =>
  createPublicClient({ transport: http(chains.rpcUrl(chainId)) })

/** Returns the decimals of a chain's listed tokens, by address. */
const readListedTokens = async (
  service: TestService,
  chainId: CheckedChainId
): Promise<ReadonlyMap<string, number>> => {
  const { body } = await service.request("GET", `/api/v1/crypto/tokens?chains=${chainId}`)
  return new Map(body.tokens.map(({ address, decimals }: Body) => [address, decimals]))
}

const balancesOf = async (service: TestService, address: string): Promise<ReadonlyMap<string, bigint>> => {
  const account = address as `0x${string}`
  const balances = new Map<string, bigint>()
  for (const chainId of CHAINS) {
    const client = clientOf(service, chainId)
    for (const token of (await readListedTokens(service, chainId)).keys()) {
      const heldAmount =
        token === NATIVE
          ? client.getBalance({ address: account })
          : client
              .readContract({
                address: token as `0x${string}`,
                abi: erc20Abi,
                functionName: "balanceOf",
                args: [account]
              })
              // The sandbox does not contain all listed tokens.
              .catch(() => 0n)
      balances.set(`${chainId} ${token}`, await heldAmount)
    }
  }
  return balances
}

/** Returns the net amounts of a wallet by chain, transaction and token, from the chain's logs. */
const chainFlowsOf = async (service: TestService, address: string) => {
  const flows = new Map<string, bigint>()
  const account = address as `0x${string}`
  for (const chainId of CHAINS) {
    const client = clientOf(service, chainId)
    const listedTokens = await readListedTokens(service, chainId)
    const range = { fromBlock: 0n, toBlock: "latest" } as const
    const [event] = transferAbi
    const [deposit, withdrawal] = wrapAbi
    const wrappedNative = chainId === 1 ? WETH : "0x4200000000000000000000000000000000000006"
    const logLists = await Promise.all([
      client.getLogs({ ...range, event, args: { from: account } }),
      client.getLogs({ ...range, event, args: { to: account } }),
      client.getLogs({ ...range, address: wrappedNative, event: deposit, args: { dst: account } }),
      client.getLogs({ ...range, address: wrappedNative, event: withdrawal, args: { src: account } })
    ])
    for (const [i, logs] of logLists.entries()) {
      for (const { address: contract, args, transactionHash } of logs) {
        const amount = "value" in args ? args.value : "wad" in args ? args.wad : undefined
        const token = contract.toLowerCase()
        if (amount === undefined || !listedTokens.has(token)) continue
        addAmount(flows, `${chainId} ${transactionHash} ${token}`, i % 3 === 0 ? -amount : amount)
      }
    }
  }
  return flows
}

/** Returns all movements of a wallet, each with its transaction. */
const recordedMovementsOf = ({ project, run }: TestService, address: string) =>
  run(
    Effect.gen(function* () {
      const store = yield* HistoryStore
      const recordedMovements = yield* movementsOf(project.id, address as WalletAddress)
      const ids = new Set(recordedMovements.map(({ transactionId }) => transactionId))
      const transactions = new Map((yield* store.findAll(project.id, ids)).map((one) => [one.id, one]))
      return recordedMovements.map(({ at, movement, transactionId }) => ({
        at,
        movement,
        legs: transactions.get(transactionId)!.legs
      }))
    })
  )

/** Sums the recorded movements by chain and token. */
const sumsOf = (recordedMovements: Awaited<ReturnType<typeof recordedMovementsOf>>): Map<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { movement } of recordedMovements) {
    const { amount, asset, direction } = movement
    if (isToken(asset)) addAmount(sums, `${asset.chainId} ${asset.token}`, direction === "IN" ? amount : -amount)
  }
  return sums
}

/** Returns a wallet's balances that no movement explains, because the test set them before the month. */
export const unrecordedAmountsOf = async (
  service: TestService,
  address: string
): Promise<ReadonlyMap<string, bigint>> => {
  const sums = sumsOf(await recordedMovementsOf(service, address))
  return new Map(
    [...(await balancesOf(service, address))].map(([key, balance]) => [key, balance - (sums.get(key) ?? 0n)])
  )
}

const omitZeros = (sums: ReadonlyMap<string, bigint>) =>
  Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Returns all lines of the full layout for all months of a wallet, and the balances at the end of the last month. */
const exportsOf = async (service: TestService, address: string, months: ReadonlyArray<string>) => {
  const lines: Array<Readonly<Record<string, string>>> = []
  let balances: ReadonlyArray<Body> = []
  for (const month of months) {
    const requestExport = () =>
      service.request("POST", `/api/v1/wallets/${address}/tax-export?format=full,koinly`, { month, timezone: "UTC" })
    const [firstResponse, secondResponse] = [await requestExport(), await requestExport()]
    assert.strictEqual(firstResponse.status, 200, JSON.stringify(firstResponse.body))
    assert.deepStrictEqual(secondResponse.body.files, firstResponse.body.files)
    const { content } = firstResponse.body.files.find(({ name }: Body) => name.endsWith("movements.csv"))
    lines.push(...linesOf(content))
    balances = firstResponse.body.balances
  }
  return { lines, balances }
}

/** Compares a wallet's history, exports and portfolio with the chain. Returns the number of compared movements. */
export const checkWallet = async (
  service: TestService,
  address: string,
  unrecordedAmounts: ReadonlyMap<string, bigint>
): Promise<number> => {
  const [recordedMovements, closingBalances] = [
    await recordedMovementsOf(service, address),
    await balancesOf(service, address)
  ]
  const [sumsByToken, sumsByTransaction] = [sumsOf(recordedMovements), new Map<string, bigint>()]
  for (const { legs, movement } of recordedMovements) {
    const { amount, asset, direction, leg } = movement
    if (!isToken(asset)) continue
    const signedAmount = direction === "IN" ? amount : -amount
    if (!isNativeToken(asset.token))
      addAmount(sumsByTransaction, `${asset.chainId} ${legs[leg!]!.hash} ${asset.token}`, signedAmount)
  }
  assert.deepStrictEqual(omitZeros(sumsByTransaction), omitZeros(await chainFlowsOf(service, address)), address)
  for (const [key, closingBalance] of closingBalances) {
    assert.strictEqual(
      (unrecordedAmounts.get(key) ?? 0n) + (sumsByToken.get(key) ?? 0n),
      closingBalance,
      `${address} ${key}`
    )
  }

  const months = [...new Set(recordedMovements.map(({ at }) => DateTime.formatIso(at).slice(0, 7)))].sort()
  const { balances, lines } = await exportsOf(service, address, months)
  const decimals = new Map<string, number>()
  for (const chainId of CHAINS) {
    for (const [token, digits] of await readListedTokens(service, chainId)) decimals.set(`${chainId} ${token}`, digits)
  }
  const exportedSums = new Map<string, bigint>()
  for (const line of lines.filter((each) => each["Asset Address"] !== "")) {
    const key = `${chainIds[line.Chain!]} ${line["Asset Address"]}`
    const receivedAmount = line["Received Amount"] || ""
    const amount = parseUnits((receivedAmount || line["Sent Amount"] || line["Fee Amount"])!, decimals.get(key)!)
    addAmount(exportedSums, key, receivedAmount === "" ? -amount : amount)
  }
  assert.deepStrictEqual(omitZeros(exportedSums), omitZeros(sumsByToken), address)
  for (const balance of balances) {
    const key = `${balance.chainId} ${balance.tokenAddress}`
    assert.strictEqual(parseUnits(balance.closing, decimals.get(key)!), sumsByToken.get(key) ?? 0n, `${address} ${key}`)
  }

  const path = `/api/v1/wallets/${address}/portfolio?includeTokens=true&includePnL=true&timerange=all`
  const { body } = await service.request("GET", path)
  for (const { address: token, balanceFormatted, chain } of body.tokens) {
    const key = `${chain.id} ${token}`
    if (!closingBalances.has(key)) continue
    assert.strictEqual(
      balanceFormatted,
      formatUnits(closingBalances.get(key)!, decimals.get(key)!),
      `${address} ${key}`
    )
  }
  assert.match(body.pnl.total.totalUsd, /^-?\d/u, JSON.stringify(body.pnl.total))
  return recordedMovements.length
}

/** Compares the history and the portfolio of a Bitcoin wallet with its UTXOs. */
export const checkBitcoin = async ({ bitcoin, service }: Month, address: string): Promise<void> => {
  const recordedSatoshis = sumsOf(await recordedMovementsOf(service, address)).get(`0 ${NATIVE}`) ?? 0n
  const response = await fetch(`${await bitcoin.ownUrl()}/address/${address}/utxo`)
  const utxos = (await response.json()) as ReadonlyArray<{ readonly value: number }>
  const heldSatoshis = utxos.reduce((sum, { value }) => sum + BigInt(value), 0n)
  assert.strictEqual(recordedSatoshis, heldSatoshis, address)
  const { body } = await service.request("GET", `/api/v1/wallets/${address}/portfolio?includeTokens=true`)
  assert.strictEqual(body.tokens[0].balance, String(heldSatoshis), address)
}
