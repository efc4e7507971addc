// Countersign inside your own Node process. A wallet swaps 100 USDC for WETH, and the process receives the wallet's
// events.
//
//   npm start                                        a sandbox, in another terminal
//   node packages/adapters/examples/embed-promise.ts
import assert from "node:assert/strict"
import { Countersign, CountersignError } from "@countersign/adapters"
import { ETHER, openSandbox, USDC, WETH } from "./support/sandbox.ts"

const { fund, operatorKeys, owner, rpcUrl } = await openSandbox()

// A database file and a node are sufficient to prepare operations. To submit operations, the service needs operator
// keys.
await using countersign = await Countersign.open({
  database: "embed-promise.db",
  chains: { 1: { rpcUrl } },
  bundler: { operatorKeys }
})

// A wallet is registered once and then has an address. Its first operation deploys it.
const factories = await countersign.wallets.factories()
const { factory } = factories.find(({ name }) => name === "SimpleAccount 0.7")!
const { walletAddress } = await countersign.wallets.register({ externallyOwnedAccount: owner.address, factory })
await fund(walletAddress, USDC, 1_000_000_000n)
await fund(walletAddress, ETHER, 10n ** 18n)

// Events have the same format as the bodies of webhooks. Store the cursor of the last event, so that a later run misses
// no event.
const eventLoop = (async () => {
  for await (const { data, type } of countersign.events({ types: ["transaction.*"] })) {
    console.log(`${type}: ${data.status}`)
    // The deposits from the faucet are transactions, too.
    if (type === "transaction.completed" && data.type === "SWAP") return data.id
  }
})()

const quote = await countersign.swap.quote({
  walletAddress,
  toAddress: walletAddress,
  chainIdIn: 1,
  chainIdOut: 1,
  tokenIn: USDC,
  tokenOut: WETH,
  amountIn: "100",
  payGasFeeToken: ETHER,
  gasFeePaymentMethod: "ADD_TO_AMOUNT"
})
const { amountOut, minAmountOut } = quote
console.log(`100 USDC for ${amountOut} WETH, at least ${minAmountOut}`)

// `sign` signs the elements of `signData` with a viem account, for every type of smart wallet.
const execution = await countersign.execute(await quote.sign(owner))
const transaction = await countersign.wait(execution, { timeoutMs: 60_000 })
console.log(`${transaction.status} in ${transaction.transactionHash?.hash}`)
assert.equal(transaction.status, "COMPLETED")
assert.ok(Number(transaction.receivedAmount!.amount) >= Number(minAmountOut))

// Errors of calls are instances of one class, with the error ids of the API.
try {
  await countersign.transfer.quote({
    walletAddress,
    chainId: 1,
    token: USDC,
    amount: "-1",
    toAddress: owner.address,
    payGasFeeToken: ETHER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT"
  })
  assert.fail("A negative amount was accepted.")
} catch (error) {
  if (!(error instanceof CountersignError)) throw error
  switch (error.id) {
    case "BAD_REQUEST":
      console.log(`rejected: ${error.problems.map(({ path }) => path).join(", ")}`)
      break
    default:
      throw error
  }
}

assert.equal(await eventLoop, transaction.id)
