import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { sandboxTokens } from "@countersign/adapters/sandbox"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createPublicClient, erc20Abi, http } from "viem"
import {
  assertCode,
  killSandboxWhen,
  type RunningSandbox,
  removeHome,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const readTextOrEmpty = (name: string): string =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), "utf8") : ""

const sentTransactionCount = (chainId: number): number =>
  readTextOrEmpty(`chains/${chainId}/sent.log`).split("\n").length - 1

/** Returns which wallets do not have the balances that the welcome message states. */
const findMissingFunds = async ({ file }: RunningSandbox): Promise<ReadonlyArray<string>> => {
  const missingBalances: Array<string> = []
  for (const chainId of [1, 8453] as const) {
    const { rpcUrl } = file.chains.find(({ id }: { readonly id: number }) => id === chainId)
    const client = createPublicClient({ transport: http(rpcUrl) })
    for (const { walletAddress } of file.wallets) {
      if ((await client.getBalance({ address: walletAddress })) < 10n * 10n ** 18n)
        missingBalances.push(`${walletAddress} coin`)
      for (const { address, decimals, priceUsd8, symbol } of sandboxTokens(chainId)) {
        const amount = (10_000n * 10n ** 8n * 10n ** BigInt(decimals)) / priceUsd8
        const balance = await client.readContract({
          address,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [walletAddress]
        })
        if (balance < amount) missingBalances.push(`${chainId} ${walletAddress} ${symbol}`)
      }
    }
  }
  return missingBalances
}

describe("a sandbox that was killed in its first seconds", () => {
  it("has funded wallets after the next start", { timeout: 600_000 }, async () => {
    // Kills the sandbox as soon as the first chain starts, while it prepares the first chain, while it prepares the
    // second chain, and after the funding.
    await killSandboxWhen(home, () => readTextOrEmpty("chains/1/anvil.pid") !== "")
    await killSandboxWhen(home, () => sentTransactionCount(1) > 5)
    await killSandboxWhen(home, () => sentTransactionCount(8453) > 5)
    await killSandboxWhen(home, () => existsSync(join(home, "sandbox.json")))
    const sandbox = await startSandbox(home)
    assert.deepStrictEqual(await findMissingFunds(sandbox), [])
    assertCode(await sandbox.stop(), 0)
  })
})
