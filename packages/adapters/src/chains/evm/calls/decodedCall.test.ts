import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from "viem"
import { decodedCall } from "./decodedCall.ts"
import { knownFunctionsAbi as abi, routerCommands, v4Actions } from "./knownFunctions.ts"

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
const SWAP_ROUTER = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"
const [friend, pool] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`] as [Hex, Hex]
const zero: Hex = `0x${"0".repeat(40)}`

const decode = (to: string, data: string) => decodedCall(1, { to: Address.make(to), data: HexBytes.make(data) })

describe("decodedCall", () => {
  it("returns the contract, the function and its arguments", () => {
    const data = encodeFunctionData({ abi, functionName: "transfer", args: [friend, 5n] })
    assert.deepStrictEqual(decode(USDC, data), {
      contract: "USDC",
      function: "transfer",
      arguments: [
        { name: "to", type: "address", value: friend },
        { name: "amount", type: "uint256", value: "5" }
      ],
      steps: []
    })
  })

  it("decodes SwapRouter02's calls inside a multicall", () => {
    const trade = encodeFunctionData({
      abi: parseAbi(["function unwrapWETH9(uint256 amountMinimum, address recipient)"]),
      args: [7n, friend]
    })
    const {
      contract,
      function: name,
      steps
    } = decode(SWAP_ROUTER, encodeFunctionData({ abi, functionName: "multicall", args: [9n, [trade, "0xdeadbeef"]] }))
    assert.deepStrictEqual([contract, name], ["SwapRouter02", "multicall"])
    assert.deepStrictEqual(steps, [
      {
        function: "unwrapWETH9",
        arguments: [
          { name: "amountMinimum", type: "uint256", value: "7" },
          { name: "recipient", type: "address", value: friend }
        ]
      },
      { function: "0xdeadbeef", arguments: [] }
    ])
  })

  it("decodes the commands of the Universal Router and the actions of V4, and shows unknown ones", () => {
    const singleInput = encodeAbiParameters(v4Actions[0x06].inputs, [
      {
        poolKey: { currency0: zero, currency1: USDC, fee: 500, tickSpacing: 10, hooks: zero },
        zeroForOne: true,
        amountIn: 3n,
        amountOutMinimum: 0n,
        hookData: "0x"
      }
    ])
    const take = encodeAbiParameters(v4Actions[0x0e].inputs, [USDC, friend, 0n])
    const { steps } = decode(
      pool,
      encodeFunctionData({
        abi,
        functionName: "execute",
        args: [
          concatHex(["0x10", "0x04", "0x21"]),
          [
            encodeAbiParameters(routerCommands[0x10].inputs, ["0x060e", [singleInput, take]]),
            encodeAbiParameters(routerCommands[0x04].inputs, [USDC, friend, 8n]),
            "0x1234"
          ],
          9n
        ]
      })
    )
    assert.deepStrictEqual(
      steps.map((step) => step.function),
      ["SWAP_EXACT_IN_SINGLE", "TAKE", "SWEEP", "0x21"]
    )
    assert.include(steps[0]!.arguments[0]!.value, '"amountIn":"3"')
    assert.deepStrictEqual(steps[3]!.arguments, [{ name: "input", type: "bytes", value: "0x1234" }])
  })

  it("is empty for other contracts, other functions and malformed arguments", () => {
    const noDetails = { contract: null, function: null, arguments: [], steps: [] }
    assert.deepStrictEqual(decode(pool, "0x"), noDetails)
    assert.deepStrictEqual(decode(pool, "0xa9059cbb12"), noDetails)
    assert.deepStrictEqual(decode(pool, "0x12345678"), noDetails)
  })
})
