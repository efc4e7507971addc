import type { ProblemCode } from "@countersign/http/verify"
import { encodeFunctionData, erc20Abi, type Hex, pad, parseAbi, zeroAddress } from "viem"
import { augustusAbi, kyberSwapRouterAbi } from "../../../adapters/src/exchanges/aggregators/index.ts"
import { genericSwapAbi } from "../../../adapters/src/exchanges/aggregators/lifi/abi.ts"
import { NATIVE, USDC, WETH } from "../support/accounts.ts"
import type { ForgedCall } from "./forger.ts"
import type { Form, Swap } from "./routerForms.ts"

/** Calls of aggregators, and attacks that use them. */

const KYBERSWAP = "0x6131b5fae19ea4f9d964eac0408e4408b66337b5"
const VELORA = "0x6a000f20005980200259b80c5102003040001068"
const LIFI = "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae"
const ATTACKER = `0x${"bad0".repeat(10)}` as const
const EXECUTOR = `0x${"ec".repeat(20)}` as const

const approve = (spender: Hex, amount: bigint): ForgedCall => ({
  to: USDC,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
  value: 0n
})

const callBetween = (spender: Hex, { amount }: Swap, call: ForgedCall): ReadonlyArray<ForgedCall> => [
  approve(spender, amount),
  call,
  approve(spender, 0n)
]

const descriptionOf = (swap: Swap, isNativeToken: boolean) => ({
  srcToken: (isNativeToken ? NATIVE : USDC) as Hex,
  dstToken: (isNativeToken ? USDC : WETH) as Hex,
  srcReceivers: [EXECUTOR],
  srcAmounts: [swap.amount],
  feeReceivers: [] as Array<Hex>,
  feeAmounts: [] as Array<bigint>,
  dstReceiver: swap.wallet,
  amount: swap.amount,
  minReturnAmount: swap.minAmount,
  flags: 0n,
  permit: "0x" as Hex
})

const kyberSwap = (
  swap: Swap,
  fields: Partial<ReturnType<typeof descriptionOf>> = {},
  isNativeToken = false
): ForgedCall => {
  const desc = { ...descriptionOf(swap, isNativeToken), ...fields }
  const execution = {
    callTarget: EXECUTOR,
    approveTarget: zeroAddress,
    targetData: "0x12" as Hex,
    desc,
    clientData: "0x34" as Hex
  }
  return {
    to: KYBERSWAP,
    data: encodeFunctionData({ abi: kyberSwapRouterAbi, functionName: "swap", args: [execution] }),
    value: isNativeToken ? swap.amount : 0n
  }
}

const simpleMode = (swap: Swap): ForgedCall => ({
  to: KYBERSWAP,
  data: encodeFunctionData({
    abi: kyberSwapRouterAbi,
    functionName: "swapSimpleMode",
    args: [EXECUTOR, descriptionOf(swap, false), "0x12", "0x34"]
  }),
  value: 0n
})

const swapDataOf = (swap: Swap, isNativeToken: boolean) => ({
  srcToken: (isNativeToken ? NATIVE : USDC) as Hex,
  destToken: (isNativeToken ? USDC : WETH) as Hex,
  fromAmount: swap.amount,
  toAmount: swap.minAmount + 1n,
  quotedAmount: swap.minAmount * 2n,
  metadata: pad("0x1"),
  beneficiary: swap.wallet as Hex
})

interface VeloraFields extends Partial<ReturnType<typeof swapDataOf>> {
  readonly partnerAndFee?: bigint
  readonly permit?: Hex
}

/** Gives a partner a share of the output beyond the quoted amount, up to 1 % of that amount. */
const SHARED = (BigInt(ATTACKER) << 96n) | (1n << 95n) | (1n << 92n)

const velora = (
  swap: Swap,
  { partnerAndFee = 1n << 92n, permit = "0x", ...fields }: VeloraFields = {},
  isNativeToken = false
): ForgedCall => ({
  to: VELORA,
  data: encodeFunctionData({
    abi: augustusAbi,
    functionName: "swapExactAmountIn",
    args: [EXECUTOR, { ...swapDataOf(swap, isNativeToken), ...fields }, partnerAndFee, permit, "0x12"]
  }),
  value: isNativeToken ? swap.amount : 0n
})

const step = (swap: Swap, isNativeToken: boolean) => ({
  callTo: EXECUTOR,
  approveTo: EXECUTOR,
  sendingAssetId: (isNativeToken ? zeroAddress : USDC) as Hex,
  receivingAssetId: (isNativeToken ? USDC : WETH) as Hex,
  fromAmount: swap.amount,
  callData: "0x12345678" as Hex,
  requiresDeposit: true
})

const lifi = (
  swap: Swap,
  fields: {
    readonly receiver?: Hex
    readonly minAmount?: bigint
    readonly amount?: bigint
    readonly second?: boolean
  } = {},
  isNativeToken = false
): ForgedCall => {
  const firstStep = { ...step(swap, isNativeToken), fromAmount: fields.amount ?? swap.amount }
  return {
    to: LIFI,
    data: encodeFunctionData({
      abi: genericSwapAbi,
      functionName: isNativeToken ? "swapTokensMultipleV3NativeToERC20" : "swapTokensMultipleV3ERC20ToERC20",
      args: [
        pad("0x1"),
        "countersign",
        "",
        fields.receiver ?? swap.wallet,
        fields.minAmount ?? swap.minAmount,
        [firstStep, { ...step(swap, isNativeToken), requiresDeposit: fields.second ?? false }]
      ]
    }),
    value: isNativeToken ? swap.amount : 0n
  }
}

const form = (
  name: string,
  codes: ReadonlyArray<ProblemCode>,
  calls: Form["calls"],
  of: Form["of"] = "USDC for WETH"
): Form => ({
  name,
  of,
  calls,
  codes
})

const byKyberSwap = (change: (swap: Swap) => Parameters<typeof kyberSwap>[1]) => (swap: Swap) =>
  callBetween(KYBERSWAP, swap, kyberSwap(swap, change(swap)))
const byVelora = (change: (swap: Swap) => VeloraFields) => (swap: Swap) =>
  callBetween(VELORA, swap, velora(swap, change(swap)))
const byLiFi = (change: (swap: Swap) => Parameters<typeof lifi>[1]) => (swap: Swap) =>
  callBetween(LIFI, swap, lifi(swap, change(swap)))

const lifiSingle = (swap: Swap): ForgedCall => ({
  to: LIFI,
  data: encodeFunctionData({
    abi: genericSwapAbi,
    functionName: "swapTokensSingleV3ERC20ToERC20",
    args: [pad("0x1"), "countersign", "", swap.wallet, swap.minAmount, step(swap, false)]
  }),
  value: 0n
})

export const aggregatorForms: ReadonlyArray<Form> = [
  form(
    "KyberSwap",
    [],
    byKyberSwap(() => ({}))
  ),
  form("KyberSwap, for native tokens", [], (swap) => [kyberSwap(swap, {}, true)], "native tokens for USDC"),
  form("KyberSwap, by its simple mode", [], (swap) => callBetween(KYBERSWAP, swap, simpleMode(swap))),
  form(
    "KyberSwap pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    byKyberSwap(() => ({ dstReceiver: ATTACKER }))
  ),
  form(
    "KyberSwap takes more",
    ["unknown_spender"],
    byKyberSwap(({ amount }) => ({ amount: amount + 1n }))
  ),
  form(
    "KyberSwap's minimum is one unit lower",
    ["gives_too_little"],
    byKyberSwap(({ minAmount }) => ({ minReturnAmount: minAmount - 1n }))
  ),
  form(
    "KyberSwap may fill in part",
    ["unreadable"],
    byKyberSwap(() => ({ flags: 1n }))
  ),
  form(
    "KyberSwap may take more native tokens",
    ["unreadable"],
    byKyberSwap(() => ({ flags: 2n }))
  ),
  form(
    "KyberSwap has a permit",
    ["unreadable"],
    byKyberSwap(() => ({ permit: "0x01" }))
  ),
  form(
    "KyberSwap pays a fee",
    ["unreadable"],
    byKyberSwap(() => ({ feeReceivers: [ATTACKER], feeAmounts: [1n] }))
  ),
  form("KyberSwap keeps an allowance", ["allowance_remains"], (swap) => [
    approve(KYBERSWAP, swap.amount * 2n),
    kyberSwap(swap)
  ]),
  form("KyberSwap gets other arguments", ["unreadable"], (swap) =>
    callBetween(KYBERSWAP, swap, {
      to: KYBERSWAP,
      data: encodeFunctionData({
        abi: parseAbi(["function rescueFunds(address token, uint256 amount)"]),
        args: [USDC, 1n]
      }),
      value: 0n
    })
  ),
  form(
    "Velora",
    [],
    byVelora(() => ({}))
  ),
  form("Velora, for native tokens", [], (swap) => [velora(swap, {}, true)], "native tokens for USDC"),
  form(
    "Velora, to its caller",
    [],
    byVelora(() => ({ beneficiary: zeroAddress }))
  ),
  form(
    "Velora, with a shared excess",
    [],
    byVelora(() => ({ partnerAndFee: SHARED }))
  ),
  form(
    "Velora pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    byVelora(() => ({ beneficiary: ATTACKER }))
  ),
  form(
    "Velora takes more",
    ["unknown_spender"],
    byVelora(({ amount }) => ({ fromAmount: amount + 1n }))
  ),
  form(
    "Velora's minimum is one unit lower",
    ["gives_too_little"],
    byVelora(({ minAmount }) => ({ toAmount: minAmount }))
  ),
  form(
    "Velora takes the excess over a false quote",
    ["gives_too_little"],
    byVelora(({ minAmount }) => ({ quotedAmount: minAmount }))
  ),
  form(
    "Velora pays a fee",
    ["unreadable"],
    byVelora(() => ({ partnerAndFee: SHARED | 1n }))
  ),
  form(
    "Velora has a permit",
    ["unreadable"],
    byVelora(() => ({ permit: "0x01" }))
  ),
  form("Velora keeps an allowance", ["allowance_remains"], (swap) => [approve(VELORA, swap.amount * 2n), velora(swap)]),
  form("Velora gets other arguments", ["unreadable"], (swap) =>
    callBetween(VELORA, swap, { ...velora(swap), data: kyberSwap(swap).data })
  ),
  form(
    "LI.FI",
    [],
    byLiFi(() => ({}))
  ),
  form("LI.FI, for native tokens", [], (swap) => [lifi(swap, {}, true)], "native tokens for USDC"),
  form("LI.FI, in one step", [], (swap) => callBetween(LIFI, swap, lifiSingle(swap))),
  form(
    "LI.FI pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    byLiFi(() => ({ receiver: ATTACKER }))
  ),
  form(
    "LI.FI takes more",
    ["unknown_spender"],
    byLiFi(({ amount }) => ({ amount: amount + 1n }))
  ),
  form(
    "LI.FI takes the amount twice",
    ["unknown_spender"],
    byLiFi(() => ({ second: true }))
  ),
  form(
    "LI.FI's minimum is one unit lower",
    ["gives_too_little"],
    byLiFi(({ minAmount }) => ({ minAmount: minAmount - 1n }))
  ),
  form("LI.FI keeps an allowance", ["allowance_remains"], (swap) => [approve(LIFI, 2n ** 256n - 1n), lifi(swap)])
]
