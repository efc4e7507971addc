import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
  slice
} from "viem"
import { NATIVE, USDC, WETH } from "../../support/accounts.ts"
import type { ForgedCall } from "../forger.ts"
import { ATTACKER } from "../forgeries.ts"
import { FRIEND, type HonestQuote, PARTNER } from "../honestQuotes.ts"

/**
 * Changes the calls of an operation randomly, in the structures that routers read: lists of calls, of steps and of
 * words.
 */

export type Random = () => number

/** Returns a random number generator (mulberry32), which returns the same numbers for the same seed. */
export const createRandom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state)
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32
  }
}

const pickOne = <A>(random: Random, items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)]!

export const UNIVERSAL = "0x66a9893cc07d91d95644aedd05d03f95e1dba8af"
export const ROUTER_02 = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"
export const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
const V2_ROUTER = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d"
const MANAGER = "0xc36442b4a4522e871399cd717abdd847ab11fe88"
const CONTRACT_BALANCE = 1n << 255n
const smallAddress = (value: number): Hex => numberToHex(value, { size: 20 })

const abi = parseAbi([
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
  "function multicall(uint256 deadline, bytes[] data)",
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function pull(address token, uint256 value)",
  "function approveZeroThenMax(address token)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function deposit()",
  "function withdraw(uint256 amount)"
])
const multicallAbi = parseAbi(["function multicall(bytes[] data)"])
const permit2Abi = parseAbi(["function approve(address token, address spender, uint160 amount, uint48 expiration)"])

/** Words that mean something to a contract: parties, constants of the routers, and the amounts of the call itself. */
export interface Vocabulary {
  readonly addresses: ReadonlyArray<Hex>
  readonly amounts: ReadonlyArray<bigint>
}

const amountsIn = (data: Hex): ReadonlyArray<bigint> => {
  const body = data.slice(10)
  return (body.match(/.{64}/gu) ?? [])
    .map((each) => BigInt(`0x${each}`))
    .filter((each) => each > 100n && each < 1n << 100n)
}

export const vocabularyOf = ({ account }: HonestQuote, calls: ReadonlyArray<ForgedCall>): Vocabulary => {
  const ownAmounts = calls.flatMap(({ data, value }) => [value, ...amountsIn(data as Hex)])
  const amounts = ownAmounts.flatMap((each) => [each, each / 2n, each * 2n, each - 1n, each + 1n])
  return {
    addresses: [
      ...[0, 1, 2].map(smallAddress),
      ...([account.walletAddress, ATTACKER, FRIEND, PARTNER, USDC, WETH, NATIVE] as Array<Hex>),
      ...([UNIVERSAL, ROUTER_02, V2_ROUTER, PERMIT2, MANAGER] as Array<Hex>)
    ],
    amounts: [
      0n,
      1n,
      150n,
      10_000n,
      CONTRACT_BALANCE,
      2n ** 128n - 1n,
      2n ** 256n - 1n,
      10n ** 9n,
      ...amounts.filter((each) => each > 0n)
    ]
  }
}

interface Step {
  readonly code: Hex
  readonly input: Hex
}

const encodeRandomWords = (
  random: Random,
  vocabulary: Vocabulary,
  ...kinds: ReadonlyArray<"address" | "amount" | "bool">
): Hex =>
  concatHex(
    kinds.map((kind) =>
      kind === "address"
        ? pad(pickOne(random, vocabulary.addresses), { size: 32 })
        : numberToHex(kind === "bool" ? BigInt(random() < 0.5) : pickOne(random, vocabulary.amounts), { size: 32 })
    )
  )

const randomV4Step = (random: Random, vocabulary: Vocabulary): Step => {
  const actions = pickOne(random, [
    ["0x0b"],
    ["0x0e"],
    ["0x0e", "0x0b"],
    ["0x0b", "0x0e"],
    ["0x0c"],
    ["0x0f"],
    ["0x0e", "0x0c"]
  ]) as ReadonlyArray<Hex>
  const inputs = actions.map((code) => {
    if (code === "0x0b") return encodeRandomWords(random, vocabulary, "address", "amount", "bool")
    return code === "0x0e"
      ? encodeRandomWords(random, vocabulary, "address", "address", "amount")
      : encodeRandomWords(random, vocabulary, "address", "amount")
  })
  return {
    code: "0x10",
    input: encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [concatHex(actions), inputs])
  }
}

/** Returns an additional step for the Universal Router. */
const randomStep = (random: Random, vocabulary: Vocabulary): Step => {
  const code = pickOne<Hex>(random, ["0x02", "0x04", "0x05", "0x06", "0x0b", "0x0c", "0x10"])
  if (code === "0x10") return randomV4Step(random, vocabulary)
  const isPair = code === "0x0b" || code === "0x0c"
  return {
    code,
    input: isPair
      ? encodeRandomWords(random, vocabulary, "address", "amount")
      : encodeRandomWords(random, vocabulary, "address", "address", "amount")
  }
}

/** Returns an additional step for SwapRouter02. */
const randomRouterCall = (random: Random, vocabulary: Vocabulary): Hex => {
  const [firstAddress, secondAddress] = [pickOne(random, vocabulary.addresses), pickOne(random, vocabulary.addresses)]
  const [amount, minAmount] = [pickOne(random, vocabulary.amounts), pickOne(random, vocabulary.amounts)]
  return pickOne<() => Hex>(random, [
    () => encodeFunctionData({ abi, functionName: "sweepToken", args: [firstAddress, minAmount, secondAddress] }),
    () => encodeFunctionData({ abi, functionName: "unwrapWETH9", args: [minAmount, secondAddress] }),
    () => encodeFunctionData({ abi, functionName: "pull", args: [firstAddress, amount] }),
    () => encodeFunctionData({ abi, functionName: "approveZeroThenMax", args: [firstAddress] })
  ])()
}

/** Returns an additional call of the wallet. */
const randomCall = (random: Random, vocabulary: Vocabulary): ForgedCall => {
  const [firstAddress, secondAddress] = [pickOne(random, vocabulary.addresses), pickOne(random, vocabulary.addresses)]
  const amount = pickOne(random, vocabulary.amounts)
  const token = pickOne(random, [USDC, WETH])
  const callTo = (target: string, data: Hex, value = 0n): ForgedCall => ({ to: target, data, value })
  return pickOne<() => ForgedCall>(random, [
    () => callTo(token, encodeFunctionData({ abi, functionName: "transfer", args: [firstAddress, amount] })),
    () => callTo(token, encodeFunctionData({ abi, functionName: "approve", args: [firstAddress, amount] })),
    () => callTo(WETH, encodeFunctionData({ abi, functionName: "deposit" }), amount % 10n ** 18n),
    () => callTo(WETH, encodeFunctionData({ abi, functionName: "withdraw", args: [amount] })),
    () => callTo(firstAddress, "0x", amount % 10n ** 18n),
    () =>
      callTo(
        PERMIT2,
        encodeFunctionData({
          abi: permit2Abi,
          functionName: "approve",
          args: [token as Hex, secondAddress, amount % (1n << 160n), 0]
        })
      ),
    () => makeExecuteCall([randomStep(random, vocabulary), randomStep(random, vocabulary)], amount)
  ])()
}

const makeExecuteCall = (steps: ReadonlyArray<Step>, deadline: bigint): ForgedCall => ({
  to: UNIVERSAL,
  value: 0n,
  data: encodeFunctionData({
    abi,
    functionName: "execute",
    args: [concatHex(steps.map(({ code }) => code)), steps.map(({ input }) => input), deadline]
  })
})

/** Removes, duplicates, moves, adds or changes one item. */
const changeList = <A>(
  random: Random,
  items: ReadonlyArray<A>,
  add: () => A,
  change: (item: A) => A
): ReadonlyArray<A> => {
  const [index, targetIndex] = [Math.floor(random() * items.length), Math.floor(random() * (items.length + 1))]
  const randomValue = random()
  if (items.length === 0 || randomValue < 0.15) return items.toSpliced(targetIndex, 0, add())
  if (randomValue < 0.25) return items.toSpliced(index, 1)
  if (randomValue < 0.35) return items.toSpliced(targetIndex, 0, items[index]!)
  if (randomValue < 0.45) return items.toSpliced(index, 1).toSpliced(targetIndex, 0, items[index]!)
  return items.with(index, change(items[index]!))
}

/** Replaces one word after the first `start` bytes by another word of the vocabulary. */
const changeWord = (random: Random, data: Hex, start: number, vocabulary: Vocabulary): Hex => {
  const wordCount = Math.floor((size(data) - start) / 32)
  if (wordCount === 0) return data
  const offset = start + 32 * Math.floor(random() * wordCount)
  const word =
    random() < 0.5 ? encodeRandomWords(random, vocabulary, "address") : encodeRandomWords(random, vocabulary, "amount")
  const remainingData = offset + 32 < size(data) ? slice(data, offset + 32) : "0x"
  return concatHex([offset === 0 ? "0x" : slice(data, 0, offset), word, remainingData])
}

const changeCall = (random: Random, call: ForgedCall, vocabulary: Vocabulary): ForgedCall => {
  const data = call.data as Hex
  if (random() < 0.08) return { ...call, to: pickOne(random, vocabulary.addresses) }
  if (random() < 0.08) return { ...call, value: pickOne(random, vocabulary.amounts) % 10n ** 18n }
  if (data.startsWith("0x3593564c")) {
    const [codes, inputs, deadline] = decodeFunctionData({ abi, data }).args as [Hex, ReadonlyArray<Hex>, bigint]
    const steps = inputs.map((input, i) => ({ code: slice(codes, i, i + 1), input }))
    const changedSteps = changeList(
      random,
      steps,
      () => randomStep(random, vocabulary),
      (step) => ({ ...step, input: changeWord(random, step.input, 0, vocabulary) })
    )
    return { ...makeExecuteCall(changedSteps, deadline), to: call.to, value: call.value }
  }
  if (data.startsWith("0x5ae401dc") || data.startsWith("0xac9650d8")) {
    const isRouter = data.startsWith("0x5ae401dc")
    const { args } = decodeFunctionData({ abi: isRouter ? abi : multicallAbi, data })
    const steps = (args as ReadonlyArray<unknown>).at(-1) as ReadonlyArray<Hex>
    const changedSteps = changeList(
      random,
      steps,
      () => randomRouterCall(random, vocabulary),
      (step) => changeWord(random, step, 4, vocabulary)
    )
    const changedData = isRouter
      ? encodeFunctionData({ abi, functionName: "multicall", args: [args![0] as bigint, changedSteps] })
      : encodeFunctionData({ abi: multicallAbi, functionName: "multicall", args: [changedSteps] })
    return { ...call, data: changedData }
  }
  return { ...call, data: changeWord(random, data, 4, vocabulary) }
}

/** Applies one to three changes to the calls. */
export const variantOf = (
  random: Random,
  honestCalls: ReadonlyArray<ForgedCall>,
  vocabulary: Vocabulary
): ReadonlyArray<ForgedCall> => {
  let calls = honestCalls
  for (let remainingChanges = 1 + Math.floor(random() * 3); remainingChanges > 0; remainingChanges--) {
    calls = changeList(
      random,
      calls,
      () => randomCall(random, vocabulary),
      (call) => changeCall(random, call, vocabulary)
    )
  }
  // An operation without calls does nothing, and some account types cannot encode it.
  return calls.length === 0 ? honestCalls : calls
}
