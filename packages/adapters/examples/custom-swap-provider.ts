// Your own swap provider in addition to Uniswap. This provider wraps ether at a rate of 1.
//
//   npm start                                                a sandbox, in another terminal
//   node packages/adapters/examples/custom-swap-provider.ts
import assert from "node:assert/strict"
import { Countersign, type HostSwapProvider } from "@countersign/adapters"
import { encodeFunctionData, parseAbi } from "viem"
import { ETHER, openSandbox, WETH } from "./support/sandbox.ts"

const wethAbi = parseAbi(["function deposit() payable", "function transfer(address to, uint256 amount)"])

const wrapper: HostSwapProvider = {
  id: "WRAPPER",
  name: "Wrapper",
  serves: ({ chainIdIn }) => chainIdIn === 1,
  // This function may also return a promise. Null means that the provider has no route from `tokenIn` to `tokenOut`.
  offer: ({ amountIn, tokenIn, tokenOut }) => {
    if (tokenIn.address !== ETHER || tokenOut.address !== WETH) return null
    return {
      amountOut: amountIn,
      // The service calls this function when the fees and the gas are known. The calls must achieve the terms of the
      // offer. Here the output cannot be lower than offered.
      calls: ({ recipient, sender }) => {
        const deposit = encodeFunctionData({ abi: wethAbi, functionName: "deposit" })
        const wrap = { to: WETH, value: amountIn, data: deposit, summary: "Wrap ether" }
        if (recipient === sender) return [wrap]
        const args = [recipient as `0x${string}`, amountIn] as const
        const data = encodeFunctionData({ abi: wethAbi, functionName: "transfer", args })
        return [wrap, { to: WETH, data, summary: `Send the wrapped ether to ${recipient}` }]
      }
    }
  }
}

/**
 * A provider that never responds. The service still returns quotes of the other providers, and lists this one among the
 * candidates.
 */
const silent: HostSwapProvider = { id: "SILENT", name: "Silent", offer: () => new Promise(() => {}) }

const { fund, operatorKeys, owner, rpcUrl } = await openSandbox()

await using countersign = await Countersign.open({
  database: "custom-swap-provider.db",
  chains: { 1: { rpcUrl } },
  bundler: { operatorKeys },
  // If quotes are equal, the first provider in this list is preferred.
  providers: [wrapper, "UNISWAP_V3", silent],
  quotes: { providerTimeoutMs: 20_000 }
})

const factories = await countersign.wallets.factories()
const { factory } = factories.find(({ name }) => name === "SimpleAccount 0.7")!
const { walletAddress } = await countersign.wallets.register({ externallyOwnedAccount: owner.address, factory })
await fund(walletAddress, ETHER, 2n * 10n ** 18n)

const best = await countersign.swap.quote({
  walletAddress,
  toAddress: walletAddress,
  chainIdIn: 1,
  chainIdOut: 1,
  tokenIn: ETHER,
  tokenOut: WETH,
  amountIn: "1",
  payGasFeeToken: ETHER,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  routeProfile: "BEST_OUTPUT"
})
for (const { amountOut, name, refusal } of best.candidates) console.log(`${name}: ${amountOut ?? refusal}`)
assert.equal(best.swapProvider, "WRAPPER")
assert.equal(best.amountOut, "1")
assert.match(best.candidates.find(({ provider }) => provider === "SILENT")!.refusal ?? "", /no response/)

const execution = await countersign.execute(await best.sign(owner))
const transaction = await countersign.wait(execution, { timeoutMs: 60_000 })
console.log(`${transaction.status}: ${transaction.receivedAmount!.amount} WETH by ${transaction.swapProvider}`)
assert.equal(transaction.status, "COMPLETED")
assert.equal(transaction.receivedAmount!.amount, "1")
