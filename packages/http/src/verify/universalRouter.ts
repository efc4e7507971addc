import { makeCallDecoder, pathTokens } from "./abi.ts"
import type { Bytes } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import { type InstructionSet, runInstructions } from "./instructions.ts"
import type { Ledger } from "./ledger.ts"
import {
  CONTRACT_BALANCE,
  endsOf,
  hex,
  type List,
  listedTokens,
  number,
  recipientOf,
  unknownStep
} from "./routerWords.ts"
import { runV4 } from "./v4Router.ts"

/** Decodes the commands of Universal Router 2.0 (`Commands.sol`, `Dispatcher.sol`). */

type Command = (ledger: Ledger, router: Bytes, args: List) => void

const amountOrBalance = (amount: unknown): bigint | null => (amount === CONTRACT_BALANCE ? null : (amount as bigint))

const swap = (ledger: Ledger, router: Bytes, path: ReadonlyArray<Bytes>, args: List): void => {
  const [tokenIn, tokenOut] = endsOf(path)
  const [to, amountIn, minAmount, , payerIsUser] = args
  const receiver = recipientOf(ledger, router, hex(to))
  if (payerIsUser === 1n) {
    ledger.pull(tokenIn, router, number(amountIn), "PERMIT2")
    ledger.arrive(tokenOut, receiver, number(minAmount), "AT_LEAST")
  } else {
    const { shares } = ledger.sell(router, tokenIn, amountOrBalance(amountIn))
    ledger.arrive(tokenOut, receiver, number(minAmount), "AT_LEAST", shares)
  }
  // Pools of V3 pay the output before the input, so that the code of a token in the path can also take the output.
  ledger.runCode(path)
}

const commands: InstructionSet<Command> = {
  // V3_SWAP_EXACT_IN, V2_SWAP_EXACT_IN
  "00": [
    "address,uint256,uint256,bytes,bool",
    (ledger, router, args) => swap(ledger, router, pathTokens(hex(args[3])), args)
  ],
  "08": [
    "address,uint256,uint256,address[],bool",
    (ledger, router, args) => swap(ledger, router, listedTokens(args[3] as List), args)
  ],
  // PERMIT2_TRANSFER_FROM
  "02": [
    "address,address,uint160",
    (ledger, router, [token, to, amount]) => {
      ledger.pull(hex(token), router, number(amount), "PERMIT2")
      ledger.arrive(hex(token), recipientOf(ledger, router, hex(to)), number(amount), "EXACTLY")
    }
  ],
  // SWEEP
  "04": [
    "address,address,uint256",
    (ledger, router, [currency, to, minAmount]) => {
      const token = ledger.tokenOf(hex(currency))
      ledger.pass(ledger.use(router, token, null), token, recipientOf(ledger, router, hex(to)), number(minAmount))
    }
  ],
  // TRANSFER
  "05": [
    "address,address,uint256",
    (ledger, router, [currency, to, value]) => {
      const token = ledger.tokenOf(hex(currency))
      const receiver = recipientOf(ledger, router, hex(to))
      const amount = amountOrBalance(value)
      if (amount === null) ledger.pass(ledger.use(router, token, null), token, receiver, 0n)
      else ledger.cut(router, { token, to: receiver, bips: 0n, amount })
    }
  ],
  // PAY_PORTION pays a fraction of an unknown amount.
  "06": [
    "address,address,uint256",
    (ledger, router, [currency, to, bips]) => {
      const token = ledger.tokenOf(hex(currency))
      ledger.cut(router, { token, to: recipientOf(ledger, router, hex(to)), bips: number(bips), amount: 0n })
    }
  ],
  // WRAP_ETH
  "0b": [
    "address,uint256",
    (ledger, router, [to, amount]) => {
      const usedHolding = ledger.use(router, NATIVE, amountOrBalance(amount))
      ledger.pass(usedHolding, ledger.wrapped, recipientOf(ledger, router, hex(to)), amountOrBalance(amount) ?? 0n)
    }
  ],
  // UNWRAP_WETH
  "0c": [
    "address,uint256",
    (ledger, router, [to, minAmount]) => {
      ledger.pass(
        ledger.use(router, ledger.wrapped, null),
        NATIVE,
        recipientOf(ledger, router, hex(to)),
        number(minAmount)
      )
    }
  ],
  // V4_SWAP
  "10": [
    "bytes,bytes[]",
    (ledger, router, [actions, params]) => runV4(ledger, router, hex(actions), params as ReadonlyArray<Bytes>)
  ]
}

const decodeExecute = makeCallDecoder({ "execute(bytes,bytes[],uint256)": null })

export const runUniversalRouter = (ledger: Ledger, router: Bytes, data: Bytes): void => {
  const { args } = decodeExecute(data) ?? unknownStep(data)
  const [codes, inputs, deadline] = args
  ledger.deadlines.push(number(deadline))
  runInstructions(commands, hex(codes), inputs as ReadonlyArray<Bytes>, (run, values) => run(ledger, router, values))
}
