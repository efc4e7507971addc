import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../core/test/support/until.ts"
import {
  assertCode,
  jsonOf,
  type RunningSandbox,
  removeHome,
  runHere,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/**
 * Tests `countersign transfer`, `limit-order`, `liquidity`, `batch` and `lending` in this process, from the arguments
 * to the chain.
 */

const home = temporaryHome()
let sandbox: RunningSandbox
const RECEIVER = `0x${"5e".repeat(20)}`

beforeAll(async () => {
  sandbox = await startSandbox(home)
})
afterAll(async () => {
  await sandbox.stop()
  removeHome(home)
})

const runJson = async (...words: ReadonlyArray<string>) => jsonOf(await runHere(home, [...words, "--json"]))

const runText = async (...words: ReadonlyArray<string>) => {
  const outcome = await runHere(home, words)
  assertCode(outcome, 0)
  return outcome.out
}

const executeAndWait = async (hash: string) => {
  const { signatures } = await runJson("sign", hash)
  const signatureFlags = Object.entries(signatures).flatMap(([element, each]) => ["--signatures", `${element}=${each}`])
  return runJson("execute", hash, ...signatureFlags, "--wait")
}

describe("countersign transfer", () => {
  it("prepares a transfer that sign and execute deliver to the receiver", async () => {
    const [wallet] = sandbox.file.wallets
    const commandWords = ["transfer", "--wallet", wallet.walletAddress, "--token", "USDC", "--to", RECEIVER]
    const card = await runText(...commandWords, "--amount", "2.5")
    assert.match(card, new RegExp(`you send +2\\.5 USDC to ${RECEIVER}`, "u"))
    assert.match(card, /can execute +yes/u)
    assert.match(card, /remaining allowance +\d+\.\d+ USDC to Paymaster 0x/u)
    const { userOperationHash } = await runJson(...commandWords, "--amount", "2.5")
    assert.strictEqual((await executeAndWait(userOperationHash)).transaction.status, "COMPLETED")
    assert.match(await runText("history", wallet.walletAddress), /TRANSFER +COMPLETED +2\.5 USDC/u)
  })

  it("names the invalid flag", async () => {
    const [wallet] = sandbox.file.wallets
    const commandWords = ["transfer", "--wallet", wallet.walletAddress, "--token", "USDC", "--to", RECEIVER]
    const outcome = await runHere(home, [...commandWords, "--amount", "0.0000001"])
    assertCode(outcome, 4)
    assert.match(outcome.err, /^--amount: USDC has 6 decimals/u)
  })
})

describe("countersign limit-order", () => {
  it("places, lists and cancels swaps with a limit, and the sandbox's solver fills them on command", async () => {
    const [{ walletAddress: wallet }] = sandbox.file.wallets
    assert.isFalse((await runJson("sandbox", "solver", "--work", "off")).solver.isSolving)
    const words = ["swap", "quote", "--wallet", wallet, "--amount", "5", "--from", "USDC", "--to", "WETH", "--min", "9"]
    assert.match(await runText(...words, "--expires", "86400"), /you get +9 WETH, at least 9/u)
    const { quotes } = await runJson(...words, "--whole")
    const [{ quoteId, typedData }] = quotes
    assert.isFalse(typedData.message.partiallyFillable)
    const { signatures } = await runJson("sign", quoteId)
    const signatureFlags = Object.entries(signatures).flatMap(([element, each]) => [
      "--signatures",
      `${element}=${each}`
    ])
    const { id } = await runJson("limit-order", "place", quoteId, ...signatureFlags)
    await waitUntil(
      () => runText("limit-order", "list", wallet, "--open"),
      (list) => /PROCESSING OPEN/u.test(list)
    )
    const { requiresExecution, quoteId: cancelQuoteId } = await runJson("limit-order", "cancel", id)
    assert.isTrue(requiresExecution)
    assert.match(await runText("limit-order", "cancel", id), /next +countersign sign 0x/u)
    assert.strictEqual((await executeAndWait(cancelQuoteId)).transaction.type, "LIMIT_ORDER_CANCEL")
    await waitUntil(
      () => runText("limit-order", "list", wallet),
      (list) => /CANCELLED/u.test(list)
    )
    const lateOutcome = await runHere(home, ["limit-order", "cancel", id])
    assert.include(lateOutcome.err, "CANCELLED")
    assert.match(await runText("sandbox", "solver", "--work", "on", "--largest", "50"), /fills up to 50 % immediately/u)
  })
})

describe("countersign liquidity", () => {
  it("prepares the creation, increase, rebalance and withdrawal of a position, each as a card and as JSON", async () => {
    const [{ walletAddress: wallet }] = sandbox.file.wallets
    const liquidityCommand = (command: string, ...others: ReadonlyArray<string>) => [
      "liquidity",
      command,
      "--wallet",
      wallet,
      ...others
    ]
    const deposit = ["--token", "USDC", "--amount", "1000", "--min", "2500", "--max", "3600"]
    const createCommand = liquidityCommand("create", ...deposit, "--pool", "WETH/USDC", "--fee", "0.3")
    const card = await runText(...createCommand)
    assert.match(card, /the pool takes +0\.\d+ WETH and \d+/u)
    assert.match(card, /can execute +yes/u)
    const { transaction } = await executeAndWait((await runJson(...createCommand)).userOperationHash)
    const { tokenId } = transaction.liquidity
    assert.match(
      await runText(...liquidityCommand("add", "--position", tokenId, ...deposit)),
      /deposit +1000 USDC into position/u
    )
    const gas = ["--gas-token", "USDC"]
    const rebalanceCommand = liquidityCommand(
      "rebalance",
      "--position",
      tokenId,
      "--min",
      "0.0003",
      "--max",
      "0.0004",
      ...gas
    )
    assert.match(await runText(...rebalanceCommand), /range +0\.0002\d+ to 0\.0004\d* WETH per USDC/u)
    const withdrawCommand = liquidityCommand("withdraw", "--position", tokenId, "--to", "USDC", ...gas)
    assert.match(await runText(...withdrawCommand), /100 % of position \d+, which is burned/u)
    assert.isAbove(Number((await runJson(...withdrawCommand)).amountOut), 980)
  })

  it("names the invalid flag", async () => {
    const [wallet] = sandbox.file.wallets
    const commandWords = [
      "liquidity",
      "withdraw",
      "--wallet",
      wallet.walletAddress,
      "--to",
      "USDC",
      "--position",
      "99999999"
    ]
    const outcome = await runHere(home, commandWords)
    assertCode(outcome, 4)
    assert.match(outcome.err, /^--position: There is no Uniswap V3 position 99999999/u)
    const creation = ["create", "--wallet", wallet.walletAddress, "--token", "USDC", "--amount", "1", "--fee", "0.3"]
    const prices = ["--pool", "WETH/USDC/DAI", "--min", "1", "--max", "2"]
    const pairOutcome = await runHere(home, ["liquidity", ...creation, ...prices])
    assertCode(pairOutcome, 2)
    assert.match(pairOutcome.err, /--pool: "WETH\/USDC\/DAI"\. Expected two tokens such as USDC\/WETH/u)
  })
})

describe("countersign batch", () => {
  const file = join(home, "batch.json")
  afterAll(() => rmSync(file, { force: true }))

  it("combines the operations of a file, in the API's body or as a plain list", async () => {
    const [wallet] = sandbox.file.wallets
    const { USDC, WETH } = sandbox.file.tokens[1]
    const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
    const operations = [
      { type: "transfer", params: { amount: "1", token: USDC, toAddress: RECEIVER, ...gas } },
      { type: "swap", params: { amountIn: "10", tokenIn: USDC, tokenOut: WETH, ...gas } }
    ]
    writeFileSync(file, JSON.stringify(operations))
    const card = await runText("batch", file, "--wallet", wallet.walletAddress)
    assert.match(card, /operations +2/u)
    assert.match(card, /Swap 10 USDC for at least 0\.0\d+ WETH/u)
    writeFileSync(file, JSON.stringify({ walletAddress: wallet.walletAddress, chainId: 1, operations }))
    const { userOperationHash } = await runJson("batch", file)
    assert.strictEqual((await executeAndWait(userOperationHash)).transaction.status, "COMPLETED")
    assert.match(await runText("history", wallet.walletAddress), /BATCH +COMPLETED/u)
  })

  it("reports the errors of the file", async () => {
    const missingFileOutcome = await runHere(home, ["batch", join(home, "none.json")])
    assertCode(missingFileOutcome, 4)
    assert.match(missingFileOutcome.err, /can't be read/u)
    writeFileSync(file, "{")
    assert.match((await runHere(home, ["batch", file])).err, /does not contain a JSON/u)
    writeFileSync(file, JSON.stringify([{ type: "transfer", params: {} }]))
    const wrongBodyOutcome = await runHere(home, ["batch", file, "--wallet", sandbox.file.wallets[0].walletAddress])
    assertCode(wrongBodyOutcome, 4)
    assert.match(wrongBodyOutcome.err, /operations\[0\]\.params\.amount: This field is required/u)
  })
})

describe("countersign lending", () => {
  it("prepares a loan, shows its health factor as a bar, and lists the loan after its execution", async () => {
    const [wallet] = sandbox.file.wallets
    assert.match(
      await runText("lending", "markets", "--chain", "1", "--provider", "morpho"),
      /Morpho Blue +USDC +WBTC +86/u
    )
    const commandWords = [
      "lending",
      "quote",
      "--wallet",
      wallet.walletAddress,
      "--supply",
      "1000 USDC",
      "--borrow",
      "0.1 WETH"
    ]
    const card = await runText(...commandWords)
    assert.match(card, /health after +\[#+-*\] 2\.\d\d, liquidated below 1/u)
    assert.match(card, /liquidation price +none before, 0\.3846\d* after, in US dollars for 1 USDC/u)
    assert.match(card, /supply +1000 USDC/u)
    assert.match(card, /can execute +yes/u)
    const { userOperationHash } = await runJson(...commandWords)
    assert.strictEqual((await executeAndWait(userOperationHash)).transaction.type, "LENDING_SUPPLY_BORROW")
    const positions = await runText("lending", "positions", wallet.walletAddress)
    assert.match(positions, /Aave V3 +supply +1000\S* USDC.* yes/u)
    assert.match(positions, /Aave V3 +borrow +0\.1\S* WETH/u)
  })

  it("names the invalid flag", async () => {
    const [wallet] = sandbox.file.wallets
    const commandWords = ["lending", "quote", "--wallet", wallet.walletAddress]
    const twoActionsOutcome = await runHere(home, [...commandWords, "--supply", "1 USDC", "--repay", "1 USDC"])
    assertCode(twoActionsOutcome, 4)
    assert.match(twoActionsOutcome.err, /^--supply, --borrow, --repay, --withdraw: A request must contain one of/u)
    const ambiguousOutcome = await runHere(home, [...commandWords, "--provider", "morpho", "--supply", "1 WBTC"])
    assertCode(ambiguousOutcome, 4)
    assert.match(ambiguousOutcome.err, /^--market: Several markets/u)
  })
})
