import type { ProblemCode, RouterKind } from "@countersign/http/verify"
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters
} from "viem"
import { NATIVE, USDC, WETH } from "../support/accounts.ts"
import { aggregatorForms } from "./aggregatorForms.ts"
import type { ForgedCall } from "./forger.ts"

/** The call encodings that the routers' published interfaces allow for a swap, and malicious variants of each. */

const UNIVERSAL = "0x66a9893cc07d91d95644aedd05d03f95e1dba8af"
const V2_ROUTER = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d"
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
const ROUTER02 = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"
/** Tokens of the attacker, whose code may call any contract during a transfer. */
const [EVIL_TOKEN, EVIL_OUTPUT] = [`0x${"e1".repeat(20)}`, `0x${"e2".repeat(20)}`] as const
const V3_FORK = `0x${"b3".repeat(20)}` as const
const ATTACKER = `0x${"bad0".repeat(10)}` as const
const [CALLER, ITSELF, ZERO_ADDRESS] = [1, 2, 0].map((each) => numberToHex(each, { size: 20 })) as [Hex, Hex, Hex]
const CONTRACT_BALANCE = 1n << 255n

const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function multicall(bytes[] data)",
  "function deposit()",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "struct Until { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Until params)"
])
const router02Abi = parseAbi([
  "function multicall(uint256 deadline, bytes[] data) payable",
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable",
  "function refundETH() payable",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable"
])
const permit2Abi = parseAbi(["function approve(address token, address spender, uint160 amount, uint48 expiration)"])

const buildCall = (to: string, data: Hex, value = 0n): ForgedCall => ({ to, data, value })
const approve = (spender: Hex, amount: bigint) =>
  buildCall(USDC, encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] }))
const transfer = (to: Hex, amount: bigint) =>
  buildCall(USDC, encodeFunctionData({ abi, functionName: "transfer", args: [to, amount] }))

type Command = readonly [code: Hex, input: Hex]

const executeCall = (commands: ReadonlyArray<Command>, deadline: bigint, value = 0n) =>
  buildCall(
    UNIVERSAL,
    encodeFunctionData({
      abi,
      functionName: "execute",
      args: [concatHex(commands.map(([code]) => code)), commands.map(([, input]) => input), deadline]
    }),
    value
  )

const encodePath = (...tokens: ReadonlyArray<string>): Hex =>
  concatHex(tokens.flatMap((token, i) => (i === 0 ? [token as Hex] : ["0x0001f4" as Hex, token as Hex])))

const v3Command = (to: Hex, amount: bigint, minAmount: bigint, encodedPath: Hex, payerIsUser = false): Command => [
  "0x00",
  encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes, bool"), [
    to,
    amount,
    minAmount,
    encodedPath,
    payerIsUser
  ])
]
const v2Command = (to: Hex, amount: bigint, minAmount: bigint, tokens: ReadonlyArray<Hex>): Command => [
  "0x08",
  encodeAbiParameters(parseAbiParameters("address, uint256, uint256, address[], bool"), [
    to,
    amount,
    minAmount,
    tokens,
    false
  ])
]
const tokenCommandOf = (code: Hex, token: Hex, to: Hex, amount: bigint): Command => [
  code,
  encodeAbiParameters(parseAbiParameters("address, address, uint256"), [token, to, amount])
]
const sweepCommand = (token: Hex, to: Hex, minAmount: bigint) => tokenCommandOf("0x04", token, to, minAmount)
const recipientCommandOf = (code: Hex, to: Hex, amount: bigint): Command => [
  code,
  encodeAbiParameters(parseAbiParameters("address, uint256"), [to, amount])
]
const unwrapCommand = (to: Hex, minAmount: bigint) => recipientCommandOf("0x0c", to, minAmount)

interface V4Pool {
  readonly hooks?: Hex
  readonly hookData?: Hex
}

const v4SwapAction = (
  currencyIn: Hex,
  currencyOut: Hex,
  amount: bigint,
  minAmount: bigint,
  { hookData = "0x", hooks = ZERO_ADDRESS }: V4Pool = {}
): Command => {
  const zeroForOne = currencyIn < currencyOut
  const [currency0, currency1] = zeroForOne ? [currencyIn, currencyOut] : [currencyOut, currencyIn]
  return [
    "0x06",
    encodeAbiParameters(
      parseAbiParameters([
        "Params params",
        "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
        "struct Params { PoolKey poolKey; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; bytes hookData; }"
      ]),
      [
        {
          poolKey: { currency0, currency1, fee: 500, tickSpacing: 10, hooks },
          zeroForOne,
          amountIn: amount,
          amountOutMinimum: minAmount,
          hookData
        }
      ]
    )
  ]
}

const v4PathAction = (
  currencyIn: Hex,
  intermediateToken: Hex,
  currencyOut: Hex,
  amount: bigint,
  minAmount: bigint,
  { hookData = "0x", hooks = ZERO_ADDRESS }: V4Pool = {}
): Command => {
  const hopOf = (intermediateCurrency: Hex) => ({ intermediateCurrency, fee: 500, tickSpacing: 10, hooks, hookData })
  return [
    "0x07",
    encodeAbiParameters(
      parseAbiParameters([
        "Params params",
        "struct PathKey { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }",
        "struct Params { address currencyIn; PathKey[] path; uint128 amountIn; uint128 amountOutMinimum; }"
      ]),
      [
        {
          currencyIn,
          path: [hopOf(intermediateToken), hopOf(currencyOut)],
          amountIn: amount,
          amountOutMinimum: minAmount
        }
      ]
    )
  ]
}

const settleAction = (currency: Hex, amount = 0n, payerIsUser = false): Command => [
  "0x0b",
  encodeAbiParameters(parseAbiParameters("address, uint256, bool"), [currency, amount, payerIsUser])
]
const takeAction = (currency: Hex, to: Hex, amount = 0n) => tokenCommandOf("0x0e", currency, to, amount)

const v4Command = (...actions: ReadonlyArray<Command>): Command => [
  "0x10",
  encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [
    concatHex(actions.map(([code]) => code)),
    actions.map(([, input]) => input)
  ])
]

/** Amount, minimum and deadline of a swap, in base units and Unix seconds. */
export interface Swap {
  readonly amount: bigint
  readonly minAmount: bigint
  readonly deadline: bigint
  readonly wallet: Hex
}

export interface Form {
  readonly name: string
  /** The sandbox's swap that this form replaces. */
  readonly of: "USDC for WETH" | "native tokens for USDC"
  readonly calls: (swap: Swap) => ReadonlyArray<ForgedCall>
  /** Expected problem codes; empty for an honest form. */
  readonly codes: ReadonlyArray<ProblemCode>
  readonly routers?: Readonly<Record<string, RouterKind>>
}

const makeHonestForm = (name: string, calls: Form["calls"], fields: Partial<Form> = {}): Form => ({
  name,
  of: "USDC for WETH",
  calls,
  codes: [],
  ...fields
})
const attackForm = (name: string, codes: Form["codes"], calls: Form["calls"], fields: Partial<Form> = {}): Form => ({
  name,
  of: "USDC for WETH",
  calls,
  codes,
  ...fields
})

const [usdc, weth, nativeToken] = [USDC, WETH, ZERO_ADDRESS] as [Hex, Hex, Hex]
const directPath = encodePath(USDC, WETH)

/**
 * Builds a swap with two legs through the Universal Router. The wallet first pays the router; `commands` follow the
 * legs.
 */
const splitRouteCalls =
  (...lastCommands: ReadonlyArray<(swap: Swap) => Command>): Form["calls"] =>
  (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v3Command(ITSELF, swap.amount / 2n, 0n, directPath),
        v2Command(ITSELF, swap.amount - swap.amount / 2n, 0n, [usdc, weth]),
        ...lastCommands.map((command) => command(swap))
      ],
      swap.deadline
    )
  ]

const sweepAll = ({ minAmount }: Swap) => sweepCommand(weth, CALLER, minAmount)
const sweepRest = () => sweepCommand(usdc, CALLER, 0n)

const v4Calls =
  (...actions: ReadonlyArray<(swap: Swap) => Command>): Form["calls"] =>
  (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall([v4Command(...actions.map((action) => action(swap))), sweepAll(swap), sweepRest()], swap.deadline)
  ]

const deadlineSwapData = (to: Hex, { amount, deadline, minAmount }: Swap, tokenOut: Hex = weth) =>
  encodeFunctionData({
    abi,
    functionName: "exactInputSingle",
    args: [
      {
        tokenIn: usdc,
        tokenOut,
        fee: 500,
        recipient: to,
        deadline,
        amountIn: amount,
        amountOutMinimum: minAmount,
        sqrtPriceLimitX96: 0n
      }
    ]
  })

const v2SwapCall = (amount: bigint, minAmount: bigint, to: Hex, deadline: bigint) =>
  buildCall(
    V2_ROUTER,
    encodeFunctionData({
      abi,
      functionName: "swapExactTokensForTokens",
      args: [amount, minAmount, [usdc, weth], to, deadline]
    })
  )

const permit2Calls = (allowance: bigint, spender: Hex, swap: Swap, payerIsUser = true) => [
  approve(PERMIT2, allowance),
  buildCall(
    PERMIT2,
    encodeFunctionData({ abi: permit2Abi, functionName: "approve", args: [usdc, spender, allowance, 0] })
  ),
  executeCall([v3Command(CALLER, swap.amount, swap.minAmount, directPath, payerIsUser)], swap.deadline)
]

/**
 * Builds a call of SwapRouter02 that swaps the router's own balance of a token, and then returns what the router still
 * holds to the wallet, without a minimum.
 */
const swapAndReturn = (
  { deadline, wallet }: Swap,
  [tokenIn, tokenOut]: readonly [Hex, Hex],
  {
    minAmount = 0n,
    returned,
    value = 0n
  }: { readonly minAmount?: bigint; readonly returned: Hex; readonly value?: bigint }
) =>
  buildCall(
    ROUTER02,
    encodeFunctionData({
      abi: router02Abi,
      functionName: "multicall",
      args: [
        deadline,
        [
          encodeFunctionData({
            abi: router02Abi,
            functionName: "exactInputSingle",
            args: [
              {
                tokenIn,
                tokenOut,
                fee: 500,
                recipient: wallet,
                amountIn: 0n,
                amountOutMinimum: minAmount,
                sqrtPriceLimitX96: 0n
              }
            ]
          }),
          returned === ZERO_ADDRESS
            ? encodeFunctionData({ abi: router02Abi, functionName: "refundETH" })
            : encodeFunctionData({ abi: router02Abi, functionName: "sweepToken", args: [returned, 0n, wallet] })
        ]
      ]
    }),
    value
  )

const honestV2Calls = (swap: Swap) => [
  approve(V2_ROUTER, swap.amount),
  v2SwapCall(swap.amount, swap.minAmount, swap.wallet, swap.deadline)
]

/** Builds a swap in which the wallet wraps one half for a router, and the Universal Router wraps the other half. */
const wrapFirstCalls = (
  { amount, deadline, minAmount }: Swap,
  spender: Hex,
  allowance: bigint
): ReadonlyArray<ForgedCall> => [
  buildCall(WETH, encodeFunctionData({ abi, functionName: "deposit" }), amount / 2n),
  buildCall(WETH, encodeFunctionData({ abi, functionName: "approve", args: [spender, allowance] })),
  buildCall(
    V2_ROUTER,
    encodeFunctionData({
      abi,
      functionName: "swapExactTokensForTokens",
      args: [amount / 2n, 0n, [weth, usdc], UNIVERSAL, deadline]
    })
  ),
  executeCall(
    [
      recipientCommandOf("0x0b", ITSELF, amount - amount / 2n),
      v3Command(ITSELF, amount - amount / 2n, 0n, encodePath(WETH, USDC)),
      sweepCommand(usdc, CALLER, minAmount)
    ],
    deadline,
    amount - amount / 2n
  )
]

export const forms: ReadonlyArray<Form> = [
  makeHonestForm("Universal Router, V3 and V2", splitRouteCalls(sweepAll, sweepRest)),
  makeHonestForm("Universal Router, V3 over a third token, to the wallet itself", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [v3Command(swap.wallet, swap.amount, swap.minAmount, encodePath(USDC, `0x${"d1".repeat(20)}`, WETH))],
      swap.deadline
    )
  ]),
  makeHonestForm(
    "Universal Router, V4",
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF)
    )
  ),
  makeHonestForm("Universal Router, V4 through native tokens, with the output taken by the wallet", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4PathAction(usdc, nativeToken, weth, swap.amount, swap.minAmount),
          settleAction(usdc),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  makeHonestForm("Universal Router, V4 to native tokens, which are wrapped", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4SwapAction(usdc, nativeToken, swap.amount, 0n),
          settleAction(usdc),
          takeAction(nativeToken, ITSELF)
        ),
        recipientCommandOf("0x0b", ITSELF, CONTRACT_BALANCE),
        sweepAll(swap)
      ],
      swap.deadline
    )
  ]),
  makeHonestForm("Universal Router, V4 with the router's balance", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          settleAction(usdc, CONTRACT_BALANCE),
          v4SwapAction(usdc, weth, 0n, swap.minAmount),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  makeHonestForm("Universal Router, V4 whose debt the router's balance pays", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4SwapAction(usdc, weth, swap.amount, swap.minAmount),
          settleAction(usdc, CONTRACT_BALANCE),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  makeHonestForm("a V2 router that pays into the Universal Router", (swap) => [
    approve(V2_ROUTER, swap.amount / 4n),
    v2SwapCall(swap.amount / 4n, 0n, UNIVERSAL, swap.deadline),
    transfer(UNIVERSAL, swap.amount - swap.amount / 4n),
    executeCall(
      [v3Command(ITSELF, swap.amount - swap.amount / 4n, 0n, directPath), sweepAll(swap), sweepRest()],
      swap.deadline
    )
  ]),
  makeHonestForm("a V2 router", (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2SwapCall(swap.amount, swap.minAmount, swap.wallet, swap.deadline)
  ]),
  makeHonestForm("Permit2", (swap) => permit2Calls(swap.amount, UNIVERSAL, swap)),
  makeHonestForm(
    "the first router of V3",
    (swap) => [approve(V3_FORK, swap.amount), buildCall(V3_FORK, deadlineSwapData(swap.wallet, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  makeHonestForm(
    "Universal Router, native tokens by V3 and V4",
    (swap) => [
      executeCall(
        [
          recipientCommandOf("0x0b", ITSELF, swap.amount / 2n),
          v3Command(ITSELF, swap.amount / 2n, 0n, encodePath(WETH, USDC)),
          v4Command(
            v4SwapAction(nativeToken, usdc, swap.amount - swap.amount / 2n, 0n),
            settleAction(nativeToken),
            takeAction(usdc, ITSELF)
          ),
          sweepCommand(usdc, CALLER, swap.minAmount),
          sweepCommand(nativeToken, CALLER, 0n)
        ],
        swap.deadline,
        swap.amount
      )
    ],
    { of: "native tokens for USDC" }
  ),
  makeHonestForm(
    "a V2 router, for native tokens",
    (swap) => [
      buildCall(
        V2_ROUTER,
        encodeFunctionData({
          abi,
          functionName: "swapExactETHForTokens",
          args: [swap.minAmount, [weth, usdc], swap.wallet, swap.deadline]
        }),
        swap.amount
      )
    ],
    { of: "native tokens for USDC" }
  ),

  makeHonestForm(
    "native tokens, wrapped by the wallet, by a V2 router and the Universal Router",
    (swap) => wrapFirstCalls(swap, V2_ROUTER, swap.amount / 2n),
    { of: "native tokens for USDC" }
  ),

  makeHonestForm(
    "Universal Router, wrapped native tokens that are unwrapped for V4 and wrapped again for V3",
    (swap) => [
      buildCall(WETH, encodeFunctionData({ abi, functionName: "deposit" }), swap.amount),
      buildCall(WETH, encodeFunctionData({ abi, functionName: "transfer", args: [UNIVERSAL, swap.amount] })),
      executeCall(
        [
          unwrapCommand(ITSELF, 0n),
          recipientCommandOf("0x0b", ITSELF, swap.amount / 2n),
          v3Command(ITSELF, swap.amount / 2n, 0n, encodePath(WETH, USDC)),
          v4Command(
            settleAction(nativeToken, swap.amount - swap.amount / 2n),
            v4SwapAction(nativeToken, usdc, 0n, 0n),
            takeAction(usdc, ITSELF)
          ),
          sweepCommand(usdc, CALLER, swap.minAmount)
        ],
        swap.deadline
      )
    ],
    { of: "native tokens for USDC" }
  ),

  attackForm(
    "V4 does not use all unwrapped tokens",
    ["left_in_router"],
    (swap) => [
      buildCall(WETH, encodeFunctionData({ abi, functionName: "deposit" }), swap.amount),
      buildCall(WETH, encodeFunctionData({ abi, functionName: "transfer", args: [UNIVERSAL, swap.amount] })),
      executeCall(
        [
          unwrapCommand(ITSELF, 0n),
          v4Command(
            settleAction(nativeToken, swap.amount - 1n),
            v4SwapAction(nativeToken, usdc, 0n, swap.minAmount),
            takeAction(usdc, CALLER)
          )
        ],
        swap.deadline
      )
    ],
    { of: "native tokens for USDC" }
  ),
  attackForm(
    "another account may take the tokens that the wallet wraps",
    ["unknown_spender"],
    (swap) => wrapFirstCalls(swap, ATTACKER, swap.amount / 2n),
    { of: "native tokens for USDC" }
  ),
  attackForm(
    "a router may take more than the wallet wraps",
    ["allowance_remains"],
    (swap) => wrapFirstCalls(swap, V2_ROUTER, swap.amount),
    { of: "native tokens for USDC" }
  ),
  attackForm(
    "the sweep has no minimum",
    ["gives_too_little"],
    splitRouteCalls(() => sweepCommand(weth, CALLER, 0n), sweepRest)
  ),
  attackForm(
    "the sweep's minimum is one unit lower",
    ["gives_too_little"],
    splitRouteCalls(({ minAmount }) => sweepCommand(weth, CALLER, minAmount - 1n))
  ),
  attackForm(
    "the sweep goes to another account",
    ["pays_somebody_else"],
    splitRouteCalls(({ minAmount }) => sweepCommand(weth, ATTACKER, minAmount))
  ),
  attackForm(
    "a share is paid to another account before the sweep",
    ["pays_somebody_else"],
    splitRouteCalls(() => tokenCommandOf("0x06", weth, ATTACKER, 100n), sweepAll, sweepRest)
  ),
  attackForm(
    "an amount is sent to another account before the sweep",
    ["pays_somebody_else"],
    splitRouteCalls(() => tokenCommandOf("0x05", weth, ATTACKER, 1n), sweepAll, sweepRest)
  ),
  attackForm(
    "the rest goes to another account",
    ["pays_somebody_else"],
    splitRouteCalls(sweepAll, () => sweepCommand(usdc, ATTACKER, 0n))
  ),
  attackForm("nothing is swept", ["left_in_router"], splitRouteCalls()),
  attackForm(
    "the output stays in the router as native tokens",
    ["left_in_router"],
    splitRouteCalls(({ minAmount }) => unwrapCommand(ITSELF, minAmount))
  ),
  attackForm("a leg may fail", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall([["0x80", v3Command(ITSELF, swap.amount, 0n, directPath)[1]], sweepAll(swap)], swap.deadline)
  ]),
  attackForm(
    "a command is unknown",
    ["unreadable"],
    splitRouteCalls(() => ["0x21", "0x"], sweepAll)
  ),
  attackForm("a command has trailing bytes", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [["0x00", concatHex([v3Command(CALLER, swap.amount, swap.minAmount, directPath)[1], "0x12"])]],
      swap.deadline
    )
  ]),
  attackForm("the router gets more commands than inputs", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    buildCall(
      UNIVERSAL,
      encodeFunctionData({
        abi,
        functionName: "execute",
        args: ["0x0004", [v3Command(CALLER, swap.amount, swap.minAmount, directPath)[1]], swap.deadline]
      })
    )
  ]),
  attackForm("a part of the amount is not swapped", ["left_in_router"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall([v3Command(CALLER, swap.amount - 1n, swap.minAmount, directPath)], swap.deadline)
  ]),
  attackForm("a part of the amount is returned", ["pays_too_little", "gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount - 1n),
    executeCall([v3Command(CALLER, swap.amount - 1n, swap.minAmount, directPath)], swap.deadline)
  ]),
  attackForm("more than the amount is swapped", ["pays_too_much"], (swap) => [
    transfer(UNIVERSAL, swap.amount + 1n),
    executeCall([v3Command(CALLER, swap.amount + 1n, swap.minAmount, directPath)], swap.deadline)
  ]),
  attackForm("a leg pays another receiver", ["pays_somebody_else"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall([v3Command(ATTACKER, swap.amount, swap.minAmount, directPath)], swap.deadline)
  ]),
  attackForm("a leg returns another token", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall([v3Command(CALLER, swap.amount, swap.minAmount, encodePath(USDC, NATIVE))], swap.deadline)
  ]),
  attackForm("the router has no deadline", ["wrong_deadline"], (swap) =>
    splitRouteCalls(sweepAll, sweepRest)({ ...swap, deadline: maxUint256 })
  ),
  attackForm("another contract replaces the router", ["pays_somebody_else", "unknown_call"], (swap) => [
    transfer(ATTACKER, swap.amount),
    { ...splitRouteCalls(sweepAll)(swap)[1]!, to: ATTACKER }
  ]),
  attackForm(
    "a V4 pool has a hook",
    ["unknown_hook"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n, { hooks: ATTACKER }),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF)
    )
  ),
  attackForm(
    "a V4 pool gets data for a hook",
    ["unknown_hook"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n, { hookData: "0x1234" }),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF)
    )
  ),
  attackForm(
    "a pool on V4's path has a hook",
    ["unknown_hook"],
    v4Calls(
      ({ amount }) => v4PathAction(usdc, nativeToken, weth, amount, 0n, { hooks: ATTACKER }),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF)
    )
  ),
  attackForm(
    "V4 pays another account",
    ["pays_somebody_else"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n),
      () => settleAction(usdc),
      () => takeAction(weth, ATTACKER)
    )
  ),
  attackForm("V4's output goes into another pool", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4SwapAction(usdc, weth, swap.amount, swap.minAmount),
          v4SwapAction(weth, `0x${"bad1".repeat(10)}`, 0n, 0n),
          settleAction(usdc),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  attackForm("V4 takes less than the swap returns", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4SwapAction(usdc, weth, swap.amount, swap.minAmount),
          settleAction(usdc),
          takeAction(weth, CALLER, 1n)
        )
      ],
      swap.deadline
    )
  ]),
  attackForm(
    "an action of V4 is unknown",
    ["unreadable"],
    v4Calls(() => ["0x02", "0x"])
  ),
  attackForm("a token's code runs while a router holds native tokens", ["pays_too_much"], (swap) => [
    ...honestV2Calls(swap),
    swapAndReturn(swap, [EVIL_TOKEN, EVIL_OUTPUT], { returned: ZERO_ADDRESS, value: 10n ** 17n })
  ]),
  attackForm("a token's code runs while a router holds tokens", ["pays_too_much"], (swap) => [
    ...honestV2Calls(swap),
    transfer(ROUTER02, swap.amount),
    swapAndReturn(swap, [EVIL_TOKEN, EVIL_OUTPUT], { returned: usdc })
  ]),
  attackForm(
    "a router pays with native tokens and keeps the wrapped ones",
    ["pays_too_much"],
    (swap) => [
      buildCall(WETH, encodeFunctionData({ abi, functionName: "deposit" }), swap.amount),
      buildCall(WETH, encodeFunctionData({ abi, functionName: "transfer", args: [ROUTER02, swap.amount] })),
      swapAndReturn(swap, [weth, usdc], { minAmount: swap.minAmount, returned: ZERO_ADDRESS, value: swap.amount })
    ],
    { of: "native tokens for USDC" }
  ),
  attackForm("V4 returns a router's balance without a minimum", ["pays_too_much"], (swap) => [
    ...honestV2Calls(swap),
    transfer(UNIVERSAL, swap.amount),
    executeCall([v4Command(settleAction(usdc, CONTRACT_BALANCE), takeAction(usdc, CALLER))], swap.deadline)
  ]),
  attackForm("the wallet pays a debt through Permit2 after the router's balance", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          v4SwapAction(usdc, weth, swap.amount, swap.minAmount),
          settleAction(usdc, CONTRACT_BALANCE),
          settleAction(usdc, 0n, true),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  attackForm("the wallet pays the amount of a router's balance through Permit2", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    executeCall(
      [
        v4Command(
          settleAction(usdc, CONTRACT_BALANCE, true),
          v4SwapAction(usdc, weth, 0n, swap.minAmount),
          takeAction(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  attackForm("Permit2 allows more than is taken", ["allowance_remains"], (swap) =>
    permit2Calls(swap.amount + 1n, UNIVERSAL, swap)
  ),
  attackForm("Permit2 has an unlimited allowance", ["allowance_remains"], (swap) =>
    permit2Calls(2n ** 160n - 1n, UNIVERSAL, swap)
  ),
  attackForm("Permit2 allows another account", ["unknown_spender"], (swap) =>
    permit2Calls(swap.amount, ATTACKER, swap)
  ),
  attackForm("more is taken than was allowed", ["unknown_spender"], (swap) =>
    permit2Calls(swap.amount - 1n, UNIVERSAL, swap)
  ),
  attackForm("the V2 router pays another receiver", ["pays_somebody_else"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2SwapCall(swap.amount, swap.minAmount, ATTACKER, swap.deadline)
  ]),
  attackForm("the V2 router has no minimum", ["gives_too_little"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2SwapCall(swap.amount, 0n, swap.wallet, swap.deadline)
  ]),
  attackForm("the V2 router may take more", ["allowance_remains"], (swap) => [
    approve(V2_ROUTER, swap.amount * 2n),
    v2SwapCall(swap.amount, swap.minAmount, swap.wallet, swap.deadline)
  ]),
  attackForm("the V2 router pays into a router that is not swept", ["left_in_router"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2SwapCall(swap.amount, swap.minAmount, UNIVERSAL, swap.deadline)
  ]),
  attackForm("the V2 router takes native tokens without a request", ["pays_too_much", "left_in_router"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    { ...v2SwapCall(swap.amount, swap.minAmount, swap.wallet, swap.deadline), value: 1n }
  ]),
  attackForm(
    "the first router of V3 keeps the output",
    ["left_in_router"],
    (swap) => [approve(V3_FORK, swap.amount), buildCall(V3_FORK, deadlineSwapData(ZERO_ADDRESS, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attackForm(
    "the first router of V3 unwraps for another account",
    ["pays_somebody_else"],
    (swap) => [
      approve(V3_FORK, swap.amount),
      buildCall(
        V3_FORK,
        encodeFunctionData({
          abi,
          functionName: "multicall",
          args: [
            [
              deadlineSwapData(ZERO_ADDRESS, swap),
              encodeFunctionData({ abi, functionName: "unwrapWETH9", args: [swap.minAmount, ATTACKER] })
            ]
          ]
        })
      )
    ],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attackForm(
    "the receiver is a constant that the router does not translate",
    ["pays_somebody_else"],
    (swap) => [approve(V3_FORK, swap.amount), buildCall(V3_FORK, deadlineSwapData(CALLER, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attackForm(
    "V4's pools pay out without an input",
    ["left_in_router", "unreadable"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF),
      () => takeAction(usdc, CALLER, 10n ** 9n)
    )
  ),
  attackForm(
    "a debt to V4's pools is paid from tokens that the router lacks",
    ["left_in_router"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount, 0n),
      () => settleAction(usdc),
      () => takeAction(weth, ITSELF),
      () => takeAction(usdc, CALLER, 10n ** 9n),
      () => settleAction(usdc)
    )
  ),
  attackForm(
    "V4's pools are paid more than the debt",
    ["left_in_router"],
    v4Calls(
      ({ amount }) => v4SwapAction(usdc, weth, amount / 2n, 0n),
      ({ amount }) => settleAction(usdc, amount),
      () => takeAction(weth, ITSELF)
    )
  ),
  attackForm(
    "the minimum is sent, and the excess stays in the router",
    ["left_in_router"],
    splitRouteCalls(
      ({ minAmount }) => sweepCommand(weth, ITSELF, minAmount),
      ({ minAmount }) => tokenCommandOf("0x05", weth, CALLER, minAmount),
      sweepRest
    )
  ),
  attackForm("the caller does not know the router", ["unknown_spender", "unknown_call"], (swap) => [
    approve(V3_FORK, swap.amount),
    buildCall(V3_FORK, deadlineSwapData(swap.wallet, swap))
  ]),
  attackForm(
    "the native tokens are not swapped completely",
    ["left_in_router"],
    (swap) => [
      executeCall(
        [
          recipientCommandOf("0x0b", ITSELF, swap.amount - 1n),
          v3Command(CALLER, swap.amount - 1n, swap.minAmount, encodePath(WETH, USDC))
        ],
        swap.deadline,
        swap.amount
      )
    ],
    { of: "native tokens for USDC" }
  ),
  attackForm(
    "the wrapped native tokens go to another account",
    ["pays_somebody_else"],
    (swap) => [executeCall([recipientCommandOf("0x0b", ATTACKER, swap.amount)], swap.deadline, swap.amount)],
    { of: "native tokens for USDC" }
  ),
  ...aggregatorForms
]
