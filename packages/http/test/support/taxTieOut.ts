import { HistoryStore } from "@countersign/core/accounting/history"
import { WalletAddress } from "@countersign/core/foundation/primitives"
import { isToken } from "@countersign/core/foundation/tokens"
import { assert } from "@effect/vitest"
import { formatUnits, parseUnits } from "viem"
import { balanceOf } from "./balances.ts"
import type { TestService } from "./testService.ts"

/** Parses the lines of a CSV file without quoted cells, by column name. */
export const linesOf = (content: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [headerLine = "", ...lines] = content.split("\r\n").filter((line) => line !== "")
  const names = headerLine.split(",")
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, column) => [names[column]!, cell])))
}

interface ExportComparison {
  /** Month in UTC. */
  readonly month: string
  /**
   * Decimal token amounts that the wallet received without a movement, by token address; empty if every deposit is
   * recorded.
   */
  readonly unrecorded: Readonly<Record<string, string>>
}

/** Parses a signed decimal with up to 18 digits, which suffices to add amounts of any token. */
const fixedPointOf = (text: string): bigint => parseUnits(text as `${number}`, 18)

/** Sums amounts by key, because an export splits a movement into several lines if its parts have different purposes. */
const sumsOf = (amounts: ReadonlyArray<{ readonly key: string; readonly amount: bigint }>) => {
  const sums = new Map<string, bigint>()
  for (const { amount, key } of amounts) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Compares a wallet's export on chain 1 with its history, the chain and its portfolio. The export's lines must add up
 * to the history's movements. Opening balances plus incoming minus outgoing amounts must equal the closing balances,
 * and these must equal the balances on the chain and in the portfolio. Returns the number of compared assets and
 * movements.
 */
export const compareExport = async (
  service: TestService,
  walletAddress: string,
  { month, unrecorded }: ExportComparison
) => {
  const response = await service.request("POST", `/api/v1/wallets/${walletAddress}/tax-export?format=full`, {
    month,
    timezone: "UTC"
  })
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const { balances, files } = response.body
  const lines = linesOf(files.find(({ name }: { readonly name: string }) => name.endsWith("movements.csv")).content)

  const account = WalletAddress.make(walletAddress as WalletAddress)
  const listRequest = { projectId: service.project.id, walletAddress: account, filter: {}, after: null, take: 1_000 }
  const history = await service.run(HistoryStore.use((store) => store.list(listRequest)))
  const movedAmounts = history.flatMap(({ legs, movements }) =>
    movements
      .filter((movement) => movement.account === account && isToken(movement.asset))
      .map(({ amount, asset, direction, leg, role }) => {
        const token = isToken(asset) ? asset.token : ""
        return { key: [legs[leg!]!.hash, token, direction, role].join(" "), amount }
      })
  )
  const decimals = await decimalsOf(service)
  const exportedAmounts = lines
    .filter((line) => line["Asset Address"] !== "")
    .map((line) => {
      const amount = line["Sent Amount"] || line["Received Amount"] || line["Fee Amount"]
      const address = line["Asset Address"]!
      const direction = line["Received Amount"] === "" ? "OUT" : "IN"
      const key = [line.TxHash, address, direction, line.Role].join(" ")
      return { key, amount: parseUnits(amount!, decimals.get(address)!) }
    })
  assert.deepStrictEqual(sumsOf(exportedAmounts), sumsOf(movedAmounts))

  const portfolio = await service.request("GET", `/api/v1/wallets/${walletAddress}/portfolio?includeTokens=true`)
  for (const { closing, fees, gas, opening, received, sent, tokenAddress } of balances) {
    assert.strictEqual(
      fixedPointOf(opening) + fixedPointOf(received) - fixedPointOf(sent) - fixedPointOf(fees) - fixedPointOf(gas),
      fixedPointOf(closing)
    )
    const heldAmount = fixedPointOf(closing) + fixedPointOf(unrecorded[tokenAddress] ?? "0")
    const chainBalance = await balanceOf(service, tokenAddress, walletAddress)
    assert.strictEqual(heldAmount, fixedPointOf(formatUnits(chainBalance, decimals.get(tokenAddress)!)), tokenAddress)
    const shownToken = portfolio.body.tokens.find(
      ({ address }: { readonly address: string }) => address === tokenAddress
    )
    assert.strictEqual(fixedPointOf(shownToken?.balanceFormatted ?? "0"), heldAmount, tokenAddress)
  }
  return { assets: balances.length, movements: movedAmounts.length }
}

const decimalsOf = async (service: TestService): Promise<ReadonlyMap<string, number>> => {
  const { body } = await service.request("GET", "/api/v1/crypto/tokens?chains=1")
  const tokens: ReadonlyArray<{ readonly address: string; readonly decimals: number }> = body.tokens
  return new Map(tokens.map(({ address, decimals }) => [address, decimals]))
}
