import { assert, describe, it } from "@effect/vitest"
import { type Abi, encodeAbiParameters, encodeFunctionData, formatUnits, type Hex, parseAbi } from "viem"
import { kindOf } from "../../src/verify/accounts.ts"
import { chains, NATIVE } from "../../src/verify/contracts.ts"
import { type VerifyOptions, verifyQuote } from "../../src/verify/index.ts"
import { maxGasCost, readOperation } from "../../src/verify/operations.ts"
import { USDC, WETH } from "../support/accounts.ts"

/** Tests quotes of a dishonest service, with calls that can't be built by altering an honest quote. */

const addressOf = (byte: string) => `0x${byte.repeat(20)}` as const
const [WALLET, OWNER, TREASURY, OPERATOR] = ["a1", "0a", "c1", "c2"].map(addressOf) as [Hex, Hex, Hex, Hex]
const routerOf = (kind: string) => Object.entries(chains[1]!.routers).find(([, each]) => each === kind)![0] as Hex
const ROUTER_02 = routerOf("ROUTER_02")
const UNIVERSAL_ROUTER = routerOf("UNIVERSAL")
const ETHER = 10n ** 18n
const NOW = 1_800_000_000
const DEADLINE = BigInt(NOW + 600)

const abi = parseAbi([
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function multicall(uint256 deadline, bytes[] data)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)"
]) as Abi
const encode = (functionName: string, ...args: ReadonlyArray<unknown>) =>
  encodeFunctionData({ abi, functionName, args: [...args] })

interface CraftedCall {
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
}

const approve = (amount: bigint): CraftedCall => ({ to: WETH, value: 0n, data: encode("approve", ROUTER_02, amount) })
const swapSingle = (amountIn: bigint, minAmount: bigint, to: Hex = WALLET, tokenIn: Hex = WETH) =>
  encode("exactInputSingle", [tokenIn, USDC, 500, to, amountIn, minAmount, 0n])
const swapThrough = (middle: ReadonlyArray<Hex>, amountIn: bigint) => {
  const fee = "0001f4"
  const path = [WETH, ...middle, USDC].map((token) => token.slice(2)).join(fee)
  return encode("exactInput", [`0x${path}`, WALLET, amountIn, 0n])
}
const multicall = (value: bigint, ...steps: ReadonlyArray<Hex>): CraftedCall => ({
  to: ROUTER_02,
  value,
  data: encode("multicall", DEADLINE, steps)
})
/** Sends native tokens to the Universal Router, which wraps them and sends them to SwapRouter02. */
const wrapForRouter = (amount: bigint): CraftedCall => ({
  to: UNIVERSAL_ROUTER,
  value: amount,
  data: encode(
    "execute",
    "0x0b",
    [encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [ROUTER_02, amount])],
    DEADLINE
  )
})

const account = {
  walletAddress: WALLET,
  factory: "0x13e9ed32155810fdbd067d4522c492d6f68e5944",
  externallyOwnedAccount: OWNER,
  salt: 0
} as unknown as VerifyOptions["account"]

const verifyCalls = (
  calls: ReadonlyArray<CraftedCall>,
  request: object,
  response: object,
  trust: VerifyOptions["trust"] = {}
) => {
  const kind = kindOf(account)!
  const operation = {
    chainId: 1,
    entryPoint: kind.entryPoint,
    entryPointVersion: "0.8",
    sender: WALLET,
    nonce: (5n << 64n).toString(),
    factory: null,
    factoryData: null,
    callData: encode(
      "executeBatch",
      calls.map(({ data, to, value }) => ({ target: to, value, data }))
    ),
    callGasLimit: "1000000",
    verificationGasLimit: "100000",
    preVerificationGas: "50000",
    maxFeePerGas: "1000000000",
    maxPriorityFeePerGas: "1000000",
    paymaster: null,
    paymasterVerificationGasLimit: null,
    paymasterPostOpGasLimit: null,
    paymasterData: null,
    validUntil: null
  } as never
  const parsedOperation = readOperation(operation)
  const userOperationHash = kind.hash(parsedOperation)
  const gas = formatUnits(maxGasCost(parsedOperation), 18)
  const common = { walletAddress: WALLET, ...request, ...response }
  const quote = {
    ...common,
    userOperations: [{ ...(operation as object), userOperationHash }],
    userOperationHash,
    quoteId: userOperationHash,
    signData: [{ type: "USER_OPERATION", ...kind.signing(parsedOperation), userOperationHash }],
    estimatedGasFees: { maxGasFeeNative: gas, maxGasFeeToken: gas, payGasFeeToken: NATIVE },
    fees: [{ type: "GAS", token: NATIVE, amount: gas, maxAmount: gas, toAddress: null }],
    preview: {
      calls: calls.map(({ data, to, value }) => ({ to, data, value: formatUnits(value, 18) })),
      allowances: []
    }
  }
  const verification = verifyQuote({
    account,
    request: { walletAddress: WALLET, payGasFeeToken: NATIVE, gasFeePaymentMethod: "ADD_TO_AMOUNT", ...request },
    quote,
    trust: { decimals: { [USDC]: 6 }, now: NOW, ...trust }
  } as unknown as VerifyOptions)
  return verification.ok ? [] : verification.problems.map(({ code }) => code)
}

const MIN_USDC = 29_850_000_000n

const verifySwap = (calls: ReadonlyArray<CraftedCall>, to: Hex = WALLET, trust: VerifyOptions["trust"] = {}) =>
  verifyCalls(
    calls,
    { chainIdIn: 1, chainIdOut: 1, tokenIn: NATIVE, tokenOut: USDC, amountIn: "10", toAddress: to, slippage: 0.5 },
    { type: "SWAP", chainIn: 1, chainOut: 1, amountOut: "30000", minAmountOut: "29850" },
    trust
  )

describe("a crafted swap of native tokens", () => {
  const small = 10n ** 12n
  const large = 10n * ETHER - small

  it("is accepted if it only swaps them", () => {
    assert.deepStrictEqual(verifySwap([multicall(10n * ETHER, swapSingle(10n * ETHER, MIN_USDC))]), [])
  })

  it("can't make the router pay with native tokens, so that a later swap takes wrapped ones from the wallet", () => {
    const byBalance = [
      approve(large),
      wrapForRouter(small),
      multicall(large, swapSingle(0n, 0n), swapSingle(large, MIN_USDC)),
      approve(0n)
    ]
    assert.includeMembers(verifySwap(byBalance), ["left_in_router", "allowance_remains"])
    const byHop = [
      approve(large),
      multicall(10n * ETHER, swapThrough([USDC, WETH], small), swapSingle(large, MIN_USDC)),
      approve(0n)
    ]
    assert.includeMembers(verifySwap(byHop), ["left_in_router", "allowance_remains"])
  })

  it("can't replace an allowance before it is used up", () => {
    const swap = multicall(10n * ETHER, swapSingle(10n * ETHER, MIN_USDC))
    assert.deepStrictEqual(verifySwap([approve(ETHER), approve(0n), swap]), ["allowance_remains"])
    assert.include(verifySwap([approve(ETHER), approve(ETHER), swap]), "allowance_remains")
  })

  it("to one collector can't pay another collector", () => {
    const payTo = (to: Hex) =>
      verifySwap([multicall(10n * ETHER, swapSingle(10n * ETHER, MIN_USDC, to))], TREASURY, {
        collectors: [TREASURY, OPERATOR]
      })
    assert.deepStrictEqual(payTo(TREASURY), [])
    assert.include(payTo(OPERATOR), "gives_too_little")
  })
})

describe("a crafted transfer", () => {
  it("to one collector can't pay another collector", () => {
    const payTo = (to: Hex) =>
      verifyCalls(
        [{ to: USDC, value: 0n, data: encode("transfer", to, 100_000_000n) }],
        { chainId: 1, token: USDC, amount: "100", toAddress: TREASURY },
        { type: "TRANSFER" },
        { collectors: [TREASURY, OPERATOR] }
      )
    assert.deepStrictEqual(payTo(TREASURY), [])
    assert.deepStrictEqual(payTo(OPERATOR), ["gives_too_little"])
  })

  it("must deduct the gas fee if the request says so", () => {
    const maxGas = 1_150_000n * 10n ** 9n
    const sendAmount = (value: bigint) =>
      verifyCalls(
        [{ to: TREASURY, value, data: "0x" }],
        {
          chainId: 1,
          token: NATIVE,
          amount: "1",
          toAddress: TREASURY,
          gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT"
        },
        { type: "TRANSFER" }
      )
    assert.deepStrictEqual(sendAmount(ETHER - maxGas), [])
    assert.deepStrictEqual(sendAmount(ETHER - maxGas + 1n), ["pays_too_much"])
    assert.deepStrictEqual(sendAmount(ETHER - maxGas - 1n), ["pays_too_little", "gives_too_little"])
  })
})
