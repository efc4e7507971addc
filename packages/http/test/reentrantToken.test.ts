import { accountContracts, deploymentOf } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodeFunctionData, type Hex, maxUint256, parseAbi, parseUnits } from "viem"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { balanceOf } from "./support/balances.ts"
import { type ReentrantCall, reentrantHook, reentrantToken } from "./support/reentrantToken.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests a listed token that calls other contracts during its transfers: routers, pools, EntryPoints, paymasters and the
 * wallet itself.
 */

const LINK = deploymentOf(1).tokens.find(({ symbol }) => symbol === "LINK")!.address
/** Addresses of LINK's original code and of the hook. */
const IMPLEMENTATION = `0x${"1a".repeat(20)}`
const HOOK = `0x${"2b".repeat(20)}`
const RECEIVER = `0x${"71".repeat(20)}`

const { uniswapV3, universalRouter } = deploymentOf(1)
const abi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function transferFrom(address from, address to, uint256 amount) returns (bool)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
  "function execute(address target, uint256 value, bytes data)",
  "function execute(bytes commands, bytes[] inputs) payable",
  "function withdrawTo(address to, uint256 amount)",
  "function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes data) returns (int256, int256)",
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)"
])
const encode = (...call: Parameters<typeof encodeFunctionData<typeof abi>>) => encodeFunctionData(...call)

let service: TestService
let wallet: TestWallet
let linkPools: ReadonlyArray<string>

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const setHook = (calls: ReadonlyArray<ReentrantCall>) => callRpc("anvil_setCode", HOOK, reentrantHook(calls))

/** Returns how often each call of the hook succeeded. */
const countSuccesses = (calls: ReadonlyArray<ReentrantCall>) =>
  Promise.all(
    calls.map(async (_, i) => Number(await callRpc("eth_getStorageAt", HOOK, `0x${i.toString(16)}`, "latest")))
  )

/** Attempts to take the tokens that a router holds between two steps. */
const routerCalls = (): ReadonlyArray<ReentrantCall> => [
  ...[WETH, USDC, LINK].map((token) => ({
    to: uniswapV3.swapRouter02,
    data: encode({ abi, functionName: "sweepToken", args: [token as Hex, 0n, HOOK as Hex] })
  })),
  {
    to: uniswapV3.swapRouter02,
    data: encode({ abi, functionName: "unwrapWETH9", args: [0n, HOOK as Hex] })
  },
  { to: uniswapV3.swapRouter02, data: encode({ abi, functionName: "refundETH" }) },
  ...(universalRouter === undefined
    ? []
    : [NATIVE, WETH, USDC].map((token) => ({
        to: universalRouter,
        data: encode({
          abi,
          functionName: "execute",
          args: [
            "0x04",
            [
              encodeAbiParameters(
                [{ type: "address" }, { type: "address" }, { type: "uint256" }],
                [(token === NATIVE ? `0x${"00".repeat(20)}` : token) as Hex, HOOK as Hex, 0n]
              )
            ]
          ]
        })
      })))
]

const entryPointCalls: ReadonlyArray<ReentrantCall> = [
  accountContracts.entryPoint07,
  accountContracts.entryPoint08
].flatMap((entryPoint) => [
  { to: entryPoint, data: encode({ abi, functionName: "handleOps", args: [[], HOOK as Hex] }) },
  { to: entryPoint, data: encode({ abi, functionName: "withdrawTo", args: [HOOK as Hex, 1n] }) }
])

/** Attempts to execute, to withdraw and to swap within the operation. None may ever succeed. */
const forbiddenCalls = (): ReadonlyArray<ReentrantCall> => [
  ...Object.values(service.chains.paymasters).map((paymaster) => ({
    to: paymaster,
    data: encode({ abi, functionName: "withdrawTo", args: [HOOK as Hex, 1n] })
  })),
  {
    to: wallet.address,
    data: encode({
      abi,
      functionName: "execute",
      args: [USDC, 0n, encode({ abi, functionName: "approve", args: [HOOK as Hex, maxUint256] })]
    })
  },
  ...[wallet.address, ...Object.values(service.chains.paymasters), service.chains.keys.treasury.address].map(
    (from) => ({
      to: USDC,
      data: encode({ abi, functionName: "transferFrom", args: [from as Hex, HOOK as Hex, 1n] })
    })
  ),
  ...linkPools.map((pool) => ({
    to: pool,
    data: encode({ abi, functionName: "swap", args: [HOOK as Hex, true, 1_000n, 4_295_128_740n, "0x"] })
  }))
]

const balancesOf = async (holder: string) => {
  const [native, usdc, weth, link] = await Promise.all(
    [NATIVE, USDC, WETH, LINK].map((token) => balanceOf(service, token, holder))
  )
  return { native: native!, usdc: usdc!, weth: weth!, link: link! }
}

const requestSwap = (changes: Record<string, unknown>) =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))

const requestQuote = async (changes: Record<string, unknown>) => {
  const { body, status } = await requestSwap(changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

type Quote = Awaited<ReturnType<typeof requestQuote>>

const submit = async ({ signData, userOperationHash }: Quote) =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...(await service.signatures(wallet.privateKey, signData))
  })

const execute = async (quote: Quote) => {
  const { body, status } = await submit(quote)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, quote.userOperationHash)
}

/** Executes a quote whose token behaves differently only after the service has sent the operation. */
const executeWithLaterHook = async (quote: Quote, calls: ReadonlyArray<ReentrantCall>) => {
  await callRpc("evm_setAutomine", false)
  try {
    const { body, status } = await submit(quote)
    assert.strictEqual(status, 200, JSON.stringify(body))
    await waitUntilTrue(async () => Number((await callRpc("txpool_status")).pending) > 0)
    await setHook(calls)
  } finally {
    await callRpc("evm_setAutomine", true)
    await callRpc("anvil_mine", "0x1")
  }
  return service.settled(wallet.address, quote.userOperationHash)
}

const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
const NOTHING = { native: 0n, usdc: 0n, weth: 0n, link: 0n }

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  await service.fund(wallet.address, LINK, parseUnits("1000", 18))
  // The first operation approves the paymaster. Later ones pay for their gas even if their calls fail.
  assert.strictEqual((await execute(await requestQuote({}))).status, "COMPLETED")
  const { route } = await requestQuote({ tokenOut: LINK })
  linkPools = route.flatMap(({ hops }: { readonly hops: ReadonlyArray<{ readonly through: string }> }) =>
    hops.map(({ through }) => through)
  )
  await callRpc("anvil_setCode", IMPLEMENTATION, await callRpc("eth_getCode", LINK, "latest"))
  await setHook([])
  await callRpc("anvil_setCode", LINK, reentrantToken(IMPLEMENTATION, HOOK))
})
afterAll(() => service.stop())

describe("a token that calls other contracts during a transfer", () => {
  it("is not sold if it calls an EntryPoint", async () => {
    await setHook(entryPointCalls)
    const { body, status } = await submit(await requestQuote({ tokenIn: LINK, amountIn: "10", tokenOut: USDC }))
    assert.deepStrictEqual([status, body.id], [409, "QUOTE_STALE"])
    assert.match(body.message, /calls an EntryPoint during its execution/u)
  })

  it("can't use an EntryPoint if it calls it only after the operation was sent", async () => {
    await setHook([])
    const sale = await requestQuote({ tokenIn: LINK, amountIn: "10", tokenOut: USDC })
    await executeWithLaterHook(sale, entryPointCalls)
    assert.deepStrictEqual(await countSuccesses(entryPointCalls), [0, 0, 0, 0])
    assert.deepStrictEqual(await balancesOf(HOOK), NOTHING)
  })

  it("can't execute, withdraw or swap within an operation that sells, buys or sends it", async () => {
    const calls = forbiddenCalls()
    await setHook(calls)
    const sale = await requestQuote({ tokenIn: LINK, amountIn: "10", tokenOut: USDC })
    assert.strictEqual((await execute(sale)).status, "COMPLETED")
    const purchase = await requestQuote({ tokenOut: LINK })
    const { link: linkBefore } = await balancesOf(wallet.address)
    assert.strictEqual((await execute(purchase)).status, "COMPLETED")
    const { link: linkAfter } = await balancesOf(wallet.address)
    assert.isTrue(linkAfter - linkBefore >= parseUnits(purchase.minAmountOut, 18))
    const { body } = await service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: wallet.address,
      chainId: 1,
      token: LINK,
      amount: "1",
      toAddress: RECEIVER,
      ...gasFields
    })
    assert.strictEqual((await execute(body.transfer)).status, "COMPLETED")
    assert.deepStrictEqual(
      await countSuccesses(calls),
      calls.map(() => 0)
    )
    assert.deepStrictEqual(await balancesOf(HOOK), NOTHING)
  })

  it("gets none of the tokens that a router holds", async () => {
    await setHook(routerCalls())
    const quote = await requestQuote({ tokenIn: LINK, amountIn: "10", tokenOut: NATIVE })
    const { native: nativeBefore } = await balancesOf(wallet.address)
    assert.strictEqual((await execute(quote)).status, "COMPLETED")
    const { native: nativeAfter } = await balancesOf(wallet.address)
    assert.isTrue(nativeAfter - nativeBefore >= parseUnits(quote.minAmountOut, 18))
    assert.deepStrictEqual(await balancesOf(HOOK), NOTHING)
  })

  it("costs the wallet only gas if its code changes after the operation was sent", async () => {
    await setHook([])
    const quote = await requestQuote({ tokenIn: LINK, amountIn: "10", tokenOut: NATIVE })
    const before = await balancesOf(wallet.address)
    const treasuryBefore = await balanceOf(service, USDC, service.chains.keys.treasury.address)
    const { status } = await executeWithLaterHook(quote, routerCalls())
    assert.strictEqual(status, "FAILED")
    const after = await balancesOf(wallet.address)
    assert.deepStrictEqual(await balancesOf(HOOK), NOTHING)
    assert.deepStrictEqual([after.link, after.native], [before.link, before.native])
    const paidUnits = before.usdc - after.usdc
    assert.isTrue(paidUnits > 0n && paidUnits <= parseUnits(quote.estimatedGasFees.maxGasFeeToken, 6), `${paidUnits}`)
    assert.strictEqual(await balanceOf(service, USDC, service.chains.keys.treasury.address), treasuryBefore + paidUnits)
  })

  it("can't make a later swap in the batch return less than its minimum", async () => {
    await setHook([])
    const { body, status } = await service.request("POST", "/api/v1/crypto/batch-operations", {
      walletAddress: wallet.address,
      chainId: 1,
      operations: [
        { type: "transfer", params: { token: LINK, amount: "1", toAddress: RECEIVER, ...gasFields } },
        {
          type: "swap",
          params: { tokenIn: USDC, tokenOut: WETH, amountIn: "1000", toAddress: wallet.address, ...gasFields }
        }
      ]
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    await service.fund(HOOK, USDC, parseUnits("50000000", 6))
    const buyCalls = [100, 500, 3_000].map((fee) => ({
      to: uniswapV3.swapRouter02,
      data: encode({
        abi,
        functionName: "exactInputSingle",
        args: [
          {
            tokenIn: USDC,
            tokenOut: WETH,
            fee,
            recipient: HOOK as Hex,
            amountIn: parseUnits("5000000", 6),
            amountOutMinimum: 0n,
            sqrtPriceLimitX96: 0n
          }
        ]
      })
    }))
    const before = await balancesOf(wallet.address)
    const outcome = await executeWithLaterHook(body, [
      { to: USDC, data: encode({ abi, functionName: "approve", args: [uniswapV3.swapRouter02, maxUint256] }) },
      ...buyCalls
    ])
    assert.strictEqual(outcome.status, "FAILED")
    const after = await balancesOf(wallet.address)
    assert.deepStrictEqual([after.link, after.weth], [before.link, before.weth])
    // The attacker's purchase was reverted with the operation.
    assert.strictEqual((await balancesOf(HOOK)).weth, 0n)
  })
})
