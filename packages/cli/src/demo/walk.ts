import type { SandboxFile } from "@countersign/adapters/home"
import { Clock, DateTime, Effect } from "effect"
import { askGateway } from "../environment/gatewayClient.ts"
import { table } from "../output/table.ts"
import { Execution, Factories, type Prepared, Quotes, Registered } from "./answers.ts"
import { balances, type HeldToken } from "./balances.ts"
import { type Client, clientOf } from "./client.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showAnswer, showRequest, title } from "./narrate.ts"
import { liquidity, loan } from "./positionAndLoan.ts"
import { settledTransaction, showHistory } from "./settling.ts"
import { showOperationToSign, showSigning } from "./signing.ts"
import { batch, type DemoContext, transfer } from "./transferAndBatch.ts"

const CHAIN_ID = 1
const FACTORY = "SimpleAccount 0.8"
const FUNDS_USDC = 1_000
const AMOUNT_IN = "100"

/** The wallet of an owner under a new salt. */
const register = Effect.fnUntraced(function* (client: Client, owner: string) {
  yield* title(1, "Register a wallet")
  yield* say(
    "Owner, factory and salt determine its address. No chain is touched: it is deployed by its first operation."
  )
  const { factories } = yield* client.get("/api/v1/wallets/factories", Factories)
  const factory = factories.find(({ name }) => name === FACTORY)
  if (factory === undefined) return yield* new DemoFailed({ reason: `The service has no factory ${FACTORY}.` })
  const salt = String(yield* Clock.currentTimeMillis)
  yield* showRequest("POST /api/v1/wallets/register", [
    ["externallyOwnedAccount", owner],
    ["factory", `${factory.factory} (${FACTORY})`],
    ["salt", salt]
  ])
  const body = { externallyOwnedAccount: owner, factory: factory.factory, salt, metadata: { made: "by the demo" } }
  const { wallet } = yield* client.post("/api/v1/wallets/register", Registered, body)
  const deployedChains = wallet.deployed.filter((deployment) => deployment.deployed).map(({ chain }) => chain.name)
  yield* showAnswer("201", [
    ["walletAddress", wallet.walletAddress],
    ["deployed", deployedChains.length === 0 ? "on no chain yet" : `on ${deployedChains.join(", ")}`],
    ["registeredAt", wallet.registeredAt]
  ])
  return wallet.walletAddress
})

const fund = Effect.fnUntraced(function* (file: SandboxFile, wallet: string, usdc: string) {
  yield* title(2, "Give it something to swap")
  yield* say(`${FUNDS_USDC} USDC from the sandbox's faucet, and no ether: the wallet pays its gas in USDC.`)
  const gift = { chainId: CHAIN_ID, address: wallet, token: usdc, amount: String(FUNDS_USDC * 1_000_000) }
  yield* askGateway(file.gatewayUrl, "POST", "/fund", gift)
})

const requestQuote = Effect.fnUntraced(function* (client: Client, wallet: string, usdc: string, weth: string) {
  yield* title(3, "Ask for a quote")
  const body = {
    walletAddress: wallet,
    toAddress: wallet,
    chainIdIn: CHAIN_ID,
    chainIdOut: CHAIN_ID,
    tokenIn: usdc,
    tokenOut: weth,
    amountIn: AMOUNT_IN,
    payGasFeeToken: usdc,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    metadata: { made: "by the demo" }
  }
  yield* showRequest("POST /api/v1/crypto/swap", [
    ["walletAddress", wallet],
    ["tokenIn", `${usdc} (USDC)`],
    ["tokenOut", `${weth} (WETH)`],
    ["amountIn", AMOUNT_IN],
    ["payGasFeeToken", `${usdc} (USDC)`],
    ["gasFeePaymentMethod", body.gasFeePaymentMethod]
  ])
  const { quotes } = yield* client.post("/api/v1/crypto/swap", Quotes, body)
  const [quote] = quotes
  yield* showAnswer("200", [
    ["amountOut", `${quote.amountOut} WETH, at least ${quote.minAmountOut}`],
    ["swapProvider", quote.swapProvider],
    ["gas", `about ${quote.estimatedGasFees.gasFeeTokenAmount} USDC, at most ${quote.estimatedGasFees.maxGasFeeToken}`],
    ["expiresAt", DateTime.formatIso(DateTime.makeUnsafe(quote.expiresAt * 1000))],
    ["quoteId", quote.quoteId]
  ])
  return quote
})

const execute = Effect.fnUntraced(function* (client: Client, { quoteId }: Prepared, signatures: object) {
  yield* title(6, "Execute")
  yield* say("The service checks who signed, simulates once more, and sends the operation to the chain.")
  yield* showRequest("POST /api/v1/crypto/execute", [
    ["quoteId", quoteId],
    ["signatures", "the owner's, each under the hash of its element, as above"]
  ])
  const execution = yield* client.post("/api/v1/crypto/execute", Execution, { quoteId, signatures })
  yield* showAnswer("200", [
    ["transactionId", execution.transactionId],
    ["estimatedExecutionTime", execution.estimatedExecutionTime]
  ])
  return execution.transactionId
})

const wait = Effect.fnUntraced(function* (client: Client, transactionId: string) {
  yield* title(7, "Wait until a block has it")
  yield* say("The history lists the operation from the moment it is sent; PROCESSING turns into COMPLETED or FAILED.")
  return yield* settledTransaction(client, transactionId)
})

const showBalances = Effect.fnUntraced(function* (
  tokens: ReadonlyArray<HeldToken>,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
) {
  const rows = tokens.map(({ symbol }, i) => [symbol, before[i] ?? null, after[i] ?? null])
  yield* Effect.forEach(table(["TOKEN", "BEFORE", "AFTER"], rows).split("\n"), (line) => say(`  ${line}`))
})

/** The first operations of a new wallet from start to end, as an outside client makes them. Prints every step. */
export const runOperations = Effect.fnUntraced(function* (file: SandboxFile) {
  const owner = file.owners[1]
  const rpcUrl = file.chains.find(({ id }) => id === CHAIN_ID)?.rpcUrl
  const { USDC, WETH } = file.tokens[CHAIN_ID] ?? {}
  if (owner === undefined || rpcUrl === undefined || USDC === undefined || WETH === undefined) {
    return yield* new DemoFailed({
      reason: "The sandbox lacks Ethereum, its tokens or its owners. Start it with --fresh."
    })
  }
  const client = clientOf(file)
  const usdc = { symbol: "USDC", decimals: 6, address: USDC }
  const tokens: ReadonlyArray<HeldToken> = [
    usdc,
    { symbol: "WETH", decimals: 18, address: WETH },
    { symbol: "ETH", decimals: 18, address: null }
  ]

  const wallet = yield* register(client, owner.address)
  yield* fund(file, wallet, USDC)
  const before = yield* balances(rpcUrl, wallet, tokens)
  const quote = yield* requestQuote(client, wallet, USDC, WETH)
  yield* showOperationToSign(quote)
  const transactionId = yield* execute(client, quote, yield* showSigning(owner, quote))
  const transaction = yield* wait(client, transactionId)
  yield* showHistory(transaction)

  yield* title(9, "Compare the balances, asked of the chain itself")
  yield* showBalances(tokens, before, yield* balances(rpcUrl, wallet, tokens))
  const receivedAmount = transaction.receivedAmount?.amount
  if (receivedAmount !== quote.amountOut) {
    return yield* new DemoFailed({ reason: `The quote said ${quote.amountOut} WETH and ${receivedAmount} came.` })
  }
  yield* say("")
  yield* say(`${transaction.status}: the quote said ${quote.amountOut} WETH, and ${receivedAmount} WETH came.`)

  const context: DemoContext = { client, owner, wallet, chainId: CHAIN_ID, rpcUrl, usdc }
  yield* transfer(context)
  yield* batch(context, WETH)
  yield* liquidity(context, WETH, Number(quote.amountIn) / Number(quote.amountOut))
  yield* loan(context, WETH)
})
