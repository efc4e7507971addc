import { makeCallDecoder } from "./abi.ts"
import type { Bytes } from "./bytes.ts"
import { NATIVE, ZERO } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { enterLiFiTransfer } from "./lifiBridge.ts"
import { enterChainflipTransfer } from "./lifiChainflip.ts"
import { hex, type List, number, unknownStep } from "./routerWords.ts"

/**
 * Decodes LI.FI's swaps and cross-chain transfers. Swap calls state the input and the minimum output. The route cannot
 * be decoded.
 */

const STEP = "(address,address,address,address,uint256,bytes,bool)"
const signature = (name: string, steps: string) => `swapTokens${name}(bytes32,string,string,address,uint256,${steps})`

interface Form {
  readonly fromNativeToken: boolean
  readonly toNativeToken: boolean
}

const forms: Readonly<Record<string, Form>> = {
  ERC20ToERC20: { fromNativeToken: false, toNativeToken: false },
  ERC20ToNative: { fromNativeToken: false, toNativeToken: true },
  NativeToERC20: { fromNativeToken: true, toNativeToken: false }
}

const decodeSwap = makeCallDecoder(
  Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => [
      [signature(`SingleV3${name}`, STEP), { ...form, stepsOf: (step: List): List => [step], isSingle: true }],
      [signature(`MultipleV3${name}`, `${STEP}[]`), { ...form, stepsOf: (steps: List): List => steps, isSingle: false }]
    ])
  )
)

const UNDECODED_ROUTE =
  "LI.FI's contract calls exchanges with data that can't be decoded. The contract takes the amount and enforces the minimum output, but no deadline."

export const runLiFi = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  ledger.runCode(null)
  if (enterLiFiTransfer(ledger, router, data) || enterChainflipTransfer(ledger, router, data)) return
  const { args, definition } = decodeSwap(data) ?? unknownStep(data)
  const [, , , to, minAmount, swaps] = args
  const steps = definition.stepsOf(swaps as List) as ReadonlyArray<List>
  if (steps.length === 0) unknownStep(data)
  if (definition.fromNativeToken) ledger.sell(router, NATIVE, null)
  for (const [, , soldToken, , amount, , isDeposited] of steps) {
    if ((definition.isSingle || isDeposited === 1n) && hex(soldToken) !== ZERO)
      ledger.pull(hex(soldToken), router, number(amount), "ALLOWANCE")
  }
  const tokenOut = definition.toNativeToken ? NATIVE : ledger.tokenOf(hex(steps.at(-1)![3]))
  ledger.arrive(tokenOut, hex(to), number(minAmount), "AT_LEAST")
  ledger.unknown.add(UNDECODED_ROUTE)
}
