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

const surroundWithApprovals = (spender: Hex, { amount }: Swap, call: ForgedCall): ReadonlyArray<ForgedCall> => [
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

const kyberSwapCall = (
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

const simpleModeCall = (swap: Swap): ForgedCall => ({
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
const SHARED_EXCESS = (BigInt(ATTACKER) << 96n) | (1n << 95n) | (1n << 92n)

const veloraCall = (
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

const stepOf = (swap: Swap, isNativeToken: boolean) => ({
  callTo: EXECUTOR,
  approveTo: EXECUTOR,
  sendingAssetId: (isNativeToken ? zeroAddress : USDC) as Hex,
  receivingAssetId: (isNativeToken ? USDC : WETH) as Hex,
  fromAmount: swap.amount,
  callData: "0x12345678" as Hex,
  requiresDeposit: true
})

const lifiCall = (
  swap: Swap,
  fields: {
    readonly receiver?: Hex
    readonly minAmount?: bigint
    readonly amount?: bigint
    readonly second?: boolean
  } = {},
  isNativeToken = false
): ForgedCall => {
  const firstStep = { ...stepOf(swap, isNativeToken), fromAmount: fields.amount ?? swap.amount }
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
        [firstStep, { ...stepOf(swap, isNativeToken), requiresDeposit: fields.second ?? false }]
      ]
    }),
    value: isNativeToken ? swap.amount : 0n
  }
}

const createForm = (
  name: string,
  codes: ReadonlyArray<ProblemCode>,
  calls: Form["calls"],
  swapName: Form["of"] = "USDC for WETH"
): Form => ({
  name,
  of: swapName,
  calls,
  codes
})

const changeKyberSwap = (change: (swap: Swap) => Parameters<typeof kyberSwapCall>[1]) => (swap: Swap) =>
  surroundWithApprovals(KYBERSWAP, swap, kyberSwapCall(swap, change(swap)))
const changeVelora = (change: (swap: Swap) => VeloraFields) => (swap: Swap) =>
  surroundWithApprovals(VELORA, swap, veloraCall(swap, change(swap)))
const changeLiFi = (change: (swap: Swap) => Parameters<typeof lifiCall>[1]) => (swap: Swap) =>
  surroundWithApprovals(LIFI, swap, lifiCall(swap, change(swap)))

const lifiSingleCall = (swap: Swap): ForgedCall => ({
  to: LIFI,
  data: encodeFunctionData({
    abi: genericSwapAbi,
    functionName: "swapTokensSingleV3ERC20ToERC20",
    args: [pad("0x1"), "countersign", "", swap.wallet, swap.minAmount, stepOf(swap, false)]
  }),
  value: 0n
})

export const aggregatorForms: ReadonlyArray<Form> = [
  createForm(
    "KyberSwap",
    [],
    changeKyberSwap(() => ({}))
  ),
  createForm("KyberSwap, for native tokens", [], (swap) => [kyberSwapCall(swap, {}, true)], "native tokens for USDC"),
  createForm("KyberSwap, by its simple mode", [], (swap) =>
    surroundWithApprovals(KYBERSWAP, swap, simpleModeCall(swap))
  ),
  createForm(
    "KyberSwap pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    changeKyberSwap(() => ({ dstReceiver: ATTACKER }))
  ),
  createForm(
    "KyberSwap takes more",
    ["unknown_spender"],
    changeKyberSwap(({ amount }) => ({ amount: amount + 1n }))
  ),
  createForm(
    "KyberSwap's minimum is one unit lower",
    ["gives_too_little"],
    changeKyberSwap(({ minAmount }) => ({ minReturnAmount: minAmount - 1n }))
  ),
  createForm(
    "KyberSwap may fill in part",
    ["unreadable"],
    changeKyberSwap(() => ({ flags: 1n }))
  ),
  createForm(
    "KyberSwap may take more native tokens",
    ["unreadable"],
    changeKyberSwap(() => ({ flags: 2n }))
  ),
  createForm(
    "KyberSwap has a permit",
    ["unreadable"],
    changeKyberSwap(() => ({ permit: "0x01" }))
  ),
  createForm(
    "KyberSwap pays a fee",
    ["unreadable"],
    changeKyberSwap(() => ({ feeReceivers: [ATTACKER], feeAmounts: [1n] }))
  ),
  createForm("KyberSwap keeps an allowance", ["allowance_remains"], (swap) => [
    approve(KYBERSWAP, swap.amount * 2n),
    kyberSwapCall(swap)
  ]),
  createForm("KyberSwap gets other arguments", ["unreadable"], (swap) =>
    surroundWithApprovals(KYBERSWAP, swap, {
      to: KYBERSWAP,
      data: encodeFunctionData({
        abi: parseAbi(["function rescueFunds(address token, uint256 amount)"]),
        args: [USDC, 1n]
      }),
      value: 0n
    })
  ),
  createForm(
    "Velora",
    [],
    changeVelora(() => ({}))
  ),
  createForm("Velora, for native tokens", [], (swap) => [veloraCall(swap, {}, true)], "native tokens for USDC"),
  createForm(
    "Velora, to its caller",
    [],
    changeVelora(() => ({ beneficiary: zeroAddress }))
  ),
  createForm(
    "Velora, with a shared excess",
    [],
    changeVelora(() => ({ partnerAndFee: SHARED_EXCESS }))
  ),
  createForm(
    "Velora pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    changeVelora(() => ({ beneficiary: ATTACKER }))
  ),
  createForm(
    "Velora takes more",
    ["unknown_spender"],
    changeVelora(({ amount }) => ({ fromAmount: amount + 1n }))
  ),
  createForm(
    "Velora's minimum is one unit lower",
    ["gives_too_little"],
    changeVelora(({ minAmount }) => ({ toAmount: minAmount }))
  ),
  createForm(
    "Velora takes the excess over a false quote",
    ["gives_too_little"],
    changeVelora(({ minAmount }) => ({ quotedAmount: minAmount }))
  ),
  createForm(
    "Velora pays a fee",
    ["unreadable"],
    changeVelora(() => ({ partnerAndFee: SHARED_EXCESS | 1n }))
  ),
  createForm(
    "Velora has a permit",
    ["unreadable"],
    changeVelora(() => ({ permit: "0x01" }))
  ),
  createForm("Velora keeps an allowance", ["allowance_remains"], (swap) => [
    approve(VELORA, swap.amount * 2n),
    veloraCall(swap)
  ]),
  createForm("Velora gets other arguments", ["unreadable"], (swap) =>
    surroundWithApprovals(VELORA, swap, { ...veloraCall(swap), data: kyberSwapCall(swap).data })
  ),
  createForm(
    "LI.FI",
    [],
    changeLiFi(() => ({}))
  ),
  createForm("LI.FI, for native tokens", [], (swap) => [lifiCall(swap, {}, true)], "native tokens for USDC"),
  createForm("LI.FI, in one step", [], (swap) => surroundWithApprovals(LIFI, swap, lifiSingleCall(swap))),
  createForm(
    "LI.FI pays another receiver",
    ["gives_too_little", "pays_somebody_else"],
    changeLiFi(() => ({ receiver: ATTACKER }))
  ),
  createForm(
    "LI.FI takes more",
    ["unknown_spender"],
    changeLiFi(({ amount }) => ({ amount: amount + 1n }))
  ),
  createForm(
    "LI.FI takes the amount twice",
    ["unknown_spender"],
    changeLiFi(() => ({ second: true }))
  ),
  createForm(
    "LI.FI's minimum is one unit lower",
    ["gives_too_little"],
    changeLiFi(({ minAmount }) => ({ minAmount: minAmount - 1n }))
  ),
  createForm("LI.FI keeps an allowance", ["allowance_remains"], (swap) => [
    approve(LIFI, 2n ** 256n - 1n),
    lifiCall(swap)
  ])
]
