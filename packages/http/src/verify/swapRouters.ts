import { type AbiValue, makeCallDecoder, pathTokens } from "./abi.ts"
import { type Bytes, Unreadable } from "./bytes.ts"
import { NATIVE, ZERO } from "./contracts.ts"
import { exposureSentence, type Ledger } from "./ledger.ts"
import { routerPositionSteps } from "./positionCalls.ts"
import { endsOf, hex, type List, listedTokens, number, recipientOf, unknownStep } from "./routerWords.ts"

/** Decodes calls to SwapRouter02, PancakeSwap's two routers for V3 pools, and Router02 of Uniswap V2 and its forks. */

type Step = (ledger: Ledger, router: Bytes, args: List) => void

/**
 * Reports a step in which the router pays wrapped tokens while it holds native ones. It wraps and pays the native tokens
 * first (`PeripheryPayments.pay`), and the wrapped ones remain in the router.
 */
const requireNoNativeTokens = (ledger: Ledger, router: Bytes): void => {
  if (ledger.isHolding(router, NATIVE))
    ledger.report(
      "left_in_router",
      "A router swaps wrapped tokens while it holds native tokens, which it uses instead."
    )
}

/** Records a swap by a router that takes its input from the caller or from its own balance. */
const swap = (
  ledger: Ledger,
  router: Bytes,
  path: ReadonlyArray<Bytes>,
  amountIn: bigint,
  minAmount: bigint,
  to: Bytes
): void => {
  const [tokenIn, tokenOut] = endsOf(path)
  const takeInput = (): string => {
    if (tokenIn === ledger.wrapped && amountIn > 0n && ledger.knownAmountIn(router, NATIVE) >= amountIn) {
      // Without native tokens, the router would take wrapped ones by an earlier allowance of the wallet.
      if (ledger.isExposed(router, NATIVE)) ledger.unknown.add(exposureSentence(NATIVE))
      return ledger.use(router, NATIVE, amountIn).shares
    }
    if (tokenIn === ledger.wrapped) requireNoNativeTokens(ledger, router)
    if (amountIn === 0n) return ledger.sell(router, tokenIn, null).shares
    ledger.pull(tokenIn, router, amountIn, "ALLOWANCE")
    return ""
  }
  const paidFees = takeInput()
  if (path.slice(1, -1).includes(ledger.wrapped)) requireNoNativeTokens(ledger, router)
  ledger.arrive(tokenOut, to, minAmount, "AT_LEAST", paidFees)
  // Pools of V3 pay the output before the input, so that the code of a token in the path can also take the output.
  ledger.runCode(path)
}

const requireNoPriceLimit = (limit: AbiValue | undefined): void => {
  if (limit !== 0n) throw new Unreadable("a swap with a price limit may use only a part of the amount")
}

/** Resolves the receiver. PancakeSwap's SwapRouter has only one placeholder: address zero is the router itself. */
const receiverOrRouter = (router: Bytes, to: AbiValue | undefined): Bytes => (to === ZERO ? router : hex(to))

/** Functions that pay a literal address. Only swap functions resolve placeholders. */
const payments: Readonly<Record<string, Step>> = {
  "unwrapWETH9(uint256,address)": (ledger, router, [minAmount, to]) => {
    ledger.pass(ledger.use(router, ledger.wrapped, null), NATIVE, hex(to), number(minAmount))
  },
  "sweepToken(address,uint256,address)": (ledger, router, [token, minAmount, to]) => {
    ledger.pass(ledger.use(router, hex(token), null), hex(token), hex(to), number(minAmount))
  },
  "refundETH()": (ledger, router) => ledger.pass(ledger.use(router, NATIVE, null), NATIVE, ledger.wallet, 0n)
}

const stepsOfRouter02: Readonly<Record<string, Step>> = {
  ...payments,
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))": (ledger, router, [params]) => {
    const [tokenIn, tokenOut, , to, amountIn, minAmount, limit] = params as List
    requireNoPriceLimit(limit)
    swap(
      ledger,
      router,
      [hex(tokenIn), hex(tokenOut)],
      number(amountIn),
      number(minAmount),
      recipientOf(ledger, router, hex(to))
    )
  },
  "exactInput((bytes,address,uint256,uint256))": (ledger, router, [params]) => {
    const [path, to, amountIn, minAmount] = params as List
    swap(
      ledger,
      router,
      pathTokens(hex(path)),
      number(amountIn),
      number(minAmount),
      recipientOf(ledger, router, hex(to))
    )
  },
  "swapExactTokensForTokens(uint256,uint256,address[],address)": (ledger, router, [amountIn, minAmount, path, to]) =>
    swap(
      ledger,
      router,
      listedTokens(path as List),
      number(amountIn),
      number(minAmount),
      recipientOf(ledger, router, hex(to))
    )
}

const stepsOfRouterV3: Readonly<Record<string, Step>> = {
  ...payments,
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": (ledger, router, [params]) => {
    const [tokenIn, tokenOut, , to, deadline, amountIn, minAmount, limit] = params as List
    requireNoPriceLimit(limit)
    ledger.deadlines.push(number(deadline))
    swap(
      ledger,
      router,
      [hex(tokenIn), hex(tokenOut)],
      number(amountIn),
      number(minAmount),
      receiverOrRouter(router, to)
    )
  },
  "exactInput((bytes,address,uint256,uint256,uint256))": (ledger, router, [params]) => {
    const [path, to, deadline, amountIn, minAmount] = params as List
    ledger.deadlines.push(number(deadline))
    swap(ledger, router, pathTokens(hex(path)), number(amountIn), number(minAmount), receiverOrRouter(router, to))
  }
}

const makeStepRunner = (steps: Readonly<Record<string, Step>>) => {
  const decodeStep = makeCallDecoder(steps)
  return (ledger: Ledger, router: Bytes, data: ReadonlyArray<Bytes>): void => {
    for (const step of data) {
      const { args, definition } = decodeStep(step) ?? unknownStep(step)
      definition(ledger, router, args)
    }
  }
}

const stepRouter02 = makeStepRunner(stepsOfRouter02)
const stepRouter02WithPositions = makeStepRunner({ ...stepsOfRouter02, ...routerPositionSteps })
const stepRouterV3 = makeStepRunner(stepsOfRouterV3)

const readRouter02 = makeCallDecoder({ "multicall(uint256,bytes[])": null })
const readRouterV3 = makeCallDecoder({ "multicall(bytes[])": null })

const nativeIn = { fromCoin: true, toCoin: false }
const nativeOut = { fromCoin: false, toCoin: true }
const readRouterV2 = makeCallDecoder({
  "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)": { fromCoin: false, toCoin: false },
  "swapExactETHForTokens(uint256,address[],address,uint256)": nativeIn,
  "swapExactAVAXForTokens(uint256,address[],address,uint256)": nativeIn,
  "swapExactTokensForETH(uint256,uint256,address[],address,uint256)": nativeOut,
  "swapExactTokensForAVAX(uint256,uint256,address[],address,uint256)": nativeOut
})

const router02RunnerOf =
  (stepOf: (ledger: Ledger) => typeof stepRouter02) =>
  (ledger: Ledger, router: Bytes, data: Bytes): void => {
    const { args } = readRouter02(data) ?? unknownStep(data)
    ledger.deadlines.push(number(args[0]))
    stepOf(ledger)(ledger, router, args[1] as ReadonlyArray<Bytes>)
  }

export const runRouter02 = router02RunnerOf(({ manager }) =>
  manager === null ? stepRouter02 : stepRouter02WithPositions
)
export const runSmartRouter = router02RunnerOf(() => stepRouter02)

export const runRouterV3 = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const multicall = readRouterV3(data)
  stepRouterV3(ledger, router, multicall === null ? [data] : (multicall.args[0] as ReadonlyArray<Bytes>))
}

export const runRouterV2 = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const { args, definition } = readRouterV2(data) ?? unknownStep(data)
  const [minAmount, path, to, deadline] = definition.fromCoin ? args : args.slice(1)
  const tokens = listedTokens(path as List)
  const [tokenIn, tokenOut] = endsOf(tokens)
  ledger.deadlines.push(number(deadline))
  if (!definition.fromCoin) ledger.pull(tokenIn, router, number(args[0]), "ALLOWANCE")
  else if (tokenIn === ledger.wrapped) ledger.sell(router, NATIVE, null)
  ledger.runCode(tokens)
  // These routers pay the receiver's literal address, without placeholders.
  ledger.arrive(definition.toCoin ? NATIVE : tokenOut, hex(to), number(minAmount), "AT_LEAST")
}
