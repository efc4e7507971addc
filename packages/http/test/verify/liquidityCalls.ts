import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi
} from "viem"
import type { Changes, ForgedCall } from "./forger.ts"
import type { HonestQuote } from "./honestQuotes.ts"

/** Decodes the calls of operations on positions, and encodes changed calls. */

const MANAGERS: Readonly<Record<number, string>> = {
  1: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
  100: "0xae8fbe656a77519a7490054274910129c9244fa3"
}
const ROUTERS: Readonly<Record<number, string>> = {
  1: "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
  100: "0xc6d25285d5c5b62b7ca26d6092751a145d50e9be"
}
export const UNIVERSAL_ROUTER = "0x66a9893cc07d91d95644aedd05d03f95e1dba8af"

export const abi = parseAbi([
  "struct DecreaseLiquidityParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Min; uint256 amount1Min; address recipient; }",
  "struct IncreaseLiquidityParams { address token0; address token1; uint256 tokenId; uint256 amount0Min; uint256 amount1Min; }",
  "struct SingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct PathParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function multicall(bytes[] data)",
  "function multicall(uint256 deadline, bytes[] data)",
  "function decreaseLiquidity(DecreaseLiquidityParams params)",
  "function collect(CollectParams params)",
  "function burn(uint256 tokenId)",
  "function approveZeroThenMax(address token)",
  "function mint(MintParams params)",
  "function increaseLiquidity(IncreaseLiquidityParams params)",
  "function pull(address token, uint256 value)",
  "function wrapETH(uint256 value)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function exactInputSingle(SingleParams params)",
  "function exactInput(PathParams params)",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)",
  "function approve(address to, uint256 tokenId)",
  "function transfer(address to, uint256 amount)",
  "function setApprovalForAll(address operator, bool approved)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)"
])

// biome-ignore lint/suspicious/noExplicitAny: a lie may have any value.
export type Args = any

/** A function name and its arguments. Structs have named fields. */
export type Step = readonly [name: string, args: Args]

export const encode = (name: string, args: Args): Hex => encodeFunctionData({ abi, functionName: name, args } as never)

export const callOf = (to: string, name: string, args: Args, value = 0n): ForgedCall => ({
  to,
  data: encode(name, args),
  value
})

const decodeStep = (data: string): Step => {
  const { args, functionName } = decodeFunctionData({ abi, data: data as Hex })
  return [functionName, args]
}

const chainIdOf = ({ request }: HonestQuote): number => (request as { chainId: number }).chainId
export const managerOf = (honestQuote: HonestQuote): string => MANAGERS[chainIdOf(honestQuote)]!
export const routerOf = (honestQuote: HonestQuote): string => ROUTERS[chainIdOf(honestQuote)]!

export const isLiquidity = ({ quote }: HonestQuote): boolean => quote.type.startsWith("LIQUIDITY_")

const isMulticallTo = (to: string) => (call: { readonly to: string; readonly data: string }) =>
  call.to === to && /^0xac9650d8|^0x5ae401dc/u.test(call.data)

/**
 * Builds a change of the steps in multicalls to a contract. It returns null if there are no such steps, or if nothing
 * changes.
 */
const changeMulticall =
  (
    toOf: (honestQuote: HonestQuote) => string,
    change: (steps: ReadonlyArray<Step>, honestQuote: HonestQuote) => ReadonlyArray<Step>
  ) =>
  (honestQuote: HonestQuote): Changes | null => {
    if (!isLiquidity(honestQuote)) return null
    const isMatch = isMulticallTo(toOf(honestQuote))
    const changeData = (data: string): string => {
      const [, args] = decodeStep(data)
      const steps = change((args.at(-1) as ReadonlyArray<string>).map(decodeStep), honestQuote).map((step) =>
        encode(...step)
      )
      return encode("multicall", [...args.slice(0, -1), steps])
    }
    const isChanged = honestQuote.quote.preview.calls.some(
      (call) => isMatch(call) && changeData(call.data) !== call.data
    )
    return isChanged
      ? { calls: (calls) => calls.map((call) => (isMatch(call) ? { ...call, data: changeData(call.data) } : call)) }
      : null
  }

type StepsChange = Parameters<typeof changeMulticall>[1]
export const changeManagerSteps = (change: StepsChange) => changeMulticall(managerOf, change)
export const changeRouterSteps = (change: StepsChange) => changeMulticall(routerOf, change)

/** Changes the arguments of a function in all steps that call it. */
const buildStepChange =
  (changeSteps: typeof changeManagerSteps) => (name: string, change: (args: Args, honestQuote: HonestQuote) => Args) =>
    changeSteps((steps, honestQuote) =>
      steps.map(([each, args]) => (each === name ? [each, change(args, honestQuote)] : [each, args]))
    )

export const changeManagerStep = buildStepChange(changeManagerSteps)
export const changeRouterStep = buildStepChange(changeRouterSteps)

/** Changes fields of the struct that a function takes as its argument. */
export const changeFields =
  (change: (params: Args, honestQuote: HonestQuote) => object) =>
  ([params]: Args, honestQuote: HonestQuote): Args => [{ ...params, ...change(params, honestQuote) }]

/** A command of the Universal Router: code and input. */
export type Command = readonly [code: string, input: string]

/**
 * Builds a change of the Universal Router's commands. It returns null if there are no commands, or if nothing changes.
 */
export const changeCommands =
  (change: (commands: ReadonlyArray<Command>, honestQuote: HonestQuote) => ReadonlyArray<Command>) =>
  (honestQuote: HonestQuote): Changes | null => {
    const isMatch = ({ to }: { to: string }) => to === UNIVERSAL_ROUTER
    if (!isLiquidity(honestQuote) || !honestQuote.quote.preview.calls.some(isMatch)) return null
    const changeData = (data: string): string => {
      const [, [codes, inputs, deadline]] = decodeStep(data)
      const commands = (codes.slice(2).match(/../gu) ?? []).map((code: string, i: number): Command => [code, inputs[i]])
      const changedCommands = change(commands, honestQuote)
      return encode("execute", [
        `0x${changedCommands.map(([code]) => code).join("")}`,
        changedCommands.map(([, input]) => input),
        deadline
      ])
    }
    const isChanged = honestQuote.quote.preview.calls.some(
      (call) => isMatch(call) && changeData(call.data) !== call.data
    )
    return isChanged
      ? { calls: (calls) => calls.map((call) => (isMatch(call) ? { ...call, data: changeData(call.data) } : call)) }
      : null
  }

const parameterTypes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "00": ["address", "uint256", "uint256", "bytes", "bool"],
  "04": ["address", "address", "uint256"],
  "05": ["address", "address", "uint256"],
  "06": ["address", "address", "uint256"]
}

const parametersOf = (code: string) => parameterTypes[code]!.map((type) => ({ type }))

export const encodeCommand = (code: string, ...values: ReadonlyArray<unknown>): Command => [
  code,
  encodeAbiParameters(parametersOf(code), values)
]

/** Changes the values of all commands with a code. A command is removed if the change returns null. */
export const changeCommand = (
  code: string,
  change: (values: Args, honestQuote: HonestQuote) => ReadonlyArray<unknown> | null
) =>
  changeCommands((commands, honestQuote) =>
    commands.flatMap((each) => {
      if (each[0] !== code) return [each]
      const values = change(decodeAbiParameters(parametersOf(code), each[1] as Hex), honestQuote)
      return values === null ? [] : [encodeCommand(code, ...values)]
    })
  )
