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
const V3_FORK = `0x${"b3".repeat(20)}` as const
const ATTACKER = `0x${"bad0".repeat(10)}` as const
const [CALLER, ITSELF, ZERO_ADDRESS] = [1, 2, 0].map((each) => numberToHex(each, { size: 20 })) as [Hex, Hex, Hex]
const ALL = 1n << 255n

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
const permit2Abi = parseAbi(["function approve(address token, address spender, uint160 amount, uint48 expiration)"])

const call = (to: string, data: Hex, value = 0n): ForgedCall => ({ to, data, value })
const approve = (spender: Hex, amount: bigint) =>
  call(USDC, encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] }))
const transfer = (to: Hex, amount: bigint) =>
  call(USDC, encodeFunctionData({ abi, functionName: "transfer", args: [to, amount] }))

type Command = readonly [code: Hex, input: Hex]

const execute = (commands: ReadonlyArray<Command>, deadline: bigint, value = 0n) =>
  call(
    UNIVERSAL,
    encodeFunctionData({
      abi,
      functionName: "execute",
      args: [concatHex(commands.map(([code]) => code)), commands.map(([, input]) => input), deadline]
    }),
    value
  )

const path = (...tokens: ReadonlyArray<string>): Hex =>
  concatHex(tokens.flatMap((token, i) => (i === 0 ? [token as Hex] : ["0x0001f4" as Hex, token as Hex])))

const v3 = (to: Hex, amount: bigint, minAmount: bigint, way: Hex, payerIsUser = false): Command => [
  "0x00",
  encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes, bool"), [
    to,
    amount,
    minAmount,
    way,
    payerIsUser
  ])
]
const v2 = (to: Hex, amount: bigint, minAmount: bigint, tokens: ReadonlyArray<Hex>): Command => [
  "0x08",
  encodeAbiParameters(parseAbiParameters("address, uint256, uint256, address[], bool"), [
    to,
    amount,
    minAmount,
    tokens,
    false
  ])
]
const tokenCommand = (code: Hex, token: Hex, to: Hex, amount: bigint): Command => [
  code,
  encodeAbiParameters(parseAbiParameters("address, address, uint256"), [token, to, amount])
]
const sweep = (token: Hex, to: Hex, minAmount: bigint) => tokenCommand("0x04", token, to, minAmount)
const recipientCommand = (code: Hex, to: Hex, amount: bigint): Command => [
  code,
  encodeAbiParameters(parseAbiParameters("address, uint256"), [to, amount])
]
const unwrap = (to: Hex, minAmount: bigint) => recipientCommand("0x0c", to, minAmount)

interface V4Pool {
  readonly hooks?: Hex
  readonly hookData?: Hex
}

const v4Swap = (
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

const v4Path = (
  currencyIn: Hex,
  through: Hex,
  currencyOut: Hex,
  amount: bigint,
  minAmount: bigint,
  { hookData = "0x", hooks = ZERO_ADDRESS }: V4Pool = {}
): Command => {
  const hop = (intermediateCurrency: Hex) => ({ intermediateCurrency, fee: 500, tickSpacing: 10, hooks, hookData })
  return [
    "0x07",
    encodeAbiParameters(
      parseAbiParameters([
        "Params params",
        "struct PathKey { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }",
        "struct Params { address currencyIn; PathKey[] path; uint128 amountIn; uint128 amountOutMinimum; }"
      ]),
      [{ currencyIn, path: [hop(through), hop(currencyOut)], amountIn: amount, amountOutMinimum: minAmount }]
    )
  ]
}

const settle = (currency: Hex, amount = 0n, payerIsUser = false): Command => [
  "0x0b",
  encodeAbiParameters(parseAbiParameters("address, uint256, bool"), [currency, amount, payerIsUser])
]
const take = (currency: Hex, to: Hex, amount = 0n) => tokenCommand("0x0e", currency, to, amount)

const v4 = (...actions: ReadonlyArray<Command>): Command => [
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

const honestForm = (name: string, calls: Form["calls"], fields: Partial<Form> = {}): Form => ({
  name,
  of: "USDC for WETH",
  calls,
  codes: [],
  ...fields
})
const attack = (name: string, codes: Form["codes"], calls: Form["calls"], fields: Partial<Form> = {}): Form => ({
  name,
  of: "USDC for WETH",
  calls,
  codes,
  ...fields
})

const [usdc, weth, native] = [USDC, WETH, ZERO_ADDRESS] as [Hex, Hex, Hex]
const direct = path(USDC, WETH)

/**
 * Builds a swap with two legs through the Universal Router. The wallet first pays the router; `commands` follow the
 * legs.
 */
const splitRoute =
  (...last: ReadonlyArray<(swap: Swap) => Command>): Form["calls"] =>
  (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute(
      [
        v3(ITSELF, swap.amount / 2n, 0n, direct),
        v2(ITSELF, swap.amount - swap.amount / 2n, 0n, [usdc, weth]),
        ...last.map((command) => command(swap))
      ],
      swap.deadline
    )
  ]

const sweepAll = ({ minAmount }: Swap) => sweep(weth, CALLER, minAmount)
const sweepRest = () => sweep(usdc, CALLER, 0n)

const byV4 =
  (...actions: ReadonlyArray<(swap: Swap) => Command>): Form["calls"] =>
  (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v4(...actions.map((action) => action(swap))), sweepAll(swap), sweepRest()], swap.deadline)
  ]

const untilSingle = (to: Hex, { amount, deadline, minAmount }: Swap, tokenOut: Hex = weth) =>
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

const v2Swap = (amount: bigint, minAmount: bigint, to: Hex, deadline: bigint) =>
  call(
    V2_ROUTER,
    encodeFunctionData({
      abi,
      functionName: "swapExactTokensForTokens",
      args: [amount, minAmount, [usdc, weth], to, deadline]
    })
  )

const byPermit2 = (allowed: bigint, spender: Hex, swap: Swap, payer = true) => [
  approve(PERMIT2, allowed),
  call(PERMIT2, encodeFunctionData({ abi: permit2Abi, functionName: "approve", args: [usdc, spender, allowed, 0] })),
  execute([v3(CALLER, swap.amount, swap.minAmount, direct, payer)], swap.deadline)
]

/** Builds a swap in which the wallet wraps one half for a router, and the Universal Router wraps the other half. */
const wrappedFirst = (
  { amount, deadline, minAmount }: Swap,
  spender: Hex,
  allowed: bigint
): ReadonlyArray<ForgedCall> => [
  call(WETH, encodeFunctionData({ abi, functionName: "deposit" }), amount / 2n),
  call(WETH, encodeFunctionData({ abi, functionName: "approve", args: [spender, allowed] })),
  call(
    V2_ROUTER,
    encodeFunctionData({
      abi,
      functionName: "swapExactTokensForTokens",
      args: [amount / 2n, 0n, [weth, usdc], UNIVERSAL, deadline]
    })
  ),
  execute(
    [
      recipientCommand("0x0b", ITSELF, amount - amount / 2n),
      v3(ITSELF, amount - amount / 2n, 0n, path(WETH, USDC)),
      sweep(usdc, CALLER, minAmount)
    ],
    deadline,
    amount - amount / 2n
  )
]

export const forms: ReadonlyArray<Form> = [
  honestForm("Universal Router, V3 and V2", splitRoute(sweepAll, sweepRest)),
  honestForm("Universal Router, V3 over a third token, to the wallet itself", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v3(swap.wallet, swap.amount, swap.minAmount, path(USDC, `0x${"d1".repeat(20)}`, WETH))], swap.deadline)
  ]),
  honestForm(
    "Universal Router, V4",
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n),
      () => settle(usdc),
      () => take(weth, ITSELF)
    )
  ),
  honestForm("Universal Router, V4 through native tokens, with the output taken by the wallet", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute(
      [v4(v4Path(usdc, native, weth, swap.amount, swap.minAmount), settle(usdc), take(weth, CALLER))],
      swap.deadline
    )
  ]),
  honestForm("Universal Router, V4 to native tokens, which are wrapped", (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute(
      [
        v4(v4Swap(usdc, native, swap.amount, 0n), settle(usdc), take(native, ITSELF)),
        recipientCommand("0x0b", ITSELF, ALL),
        sweepAll(swap)
      ],
      swap.deadline
    )
  ]),
  honestForm("a V2 router that pays into the Universal Router", (swap) => [
    approve(V2_ROUTER, swap.amount / 4n),
    v2Swap(swap.amount / 4n, 0n, UNIVERSAL, swap.deadline),
    transfer(UNIVERSAL, swap.amount - swap.amount / 4n),
    execute([v3(ITSELF, swap.amount - swap.amount / 4n, 0n, direct), sweepAll(swap), sweepRest()], swap.deadline)
  ]),
  honestForm("a V2 router", (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2Swap(swap.amount, swap.minAmount, swap.wallet, swap.deadline)
  ]),
  honestForm("Permit2", (swap) => byPermit2(swap.amount, UNIVERSAL, swap)),
  honestForm(
    "the first router of V3",
    (swap) => [approve(V3_FORK, swap.amount), call(V3_FORK, untilSingle(swap.wallet, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  honestForm(
    "Universal Router, native tokens by V3 and V4",
    (swap) => [
      execute(
        [
          recipientCommand("0x0b", ITSELF, swap.amount / 2n),
          v3(ITSELF, swap.amount / 2n, 0n, path(WETH, USDC)),
          v4(v4Swap(native, usdc, swap.amount - swap.amount / 2n, 0n), settle(native), take(usdc, ITSELF)),
          sweep(usdc, CALLER, swap.minAmount),
          sweep(native, CALLER, 0n)
        ],
        swap.deadline,
        swap.amount
      )
    ],
    { of: "native tokens for USDC" }
  ),
  honestForm(
    "a V2 router, for native tokens",
    (swap) => [
      call(
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

  honestForm(
    "native tokens, wrapped by the wallet, by a V2 router and the Universal Router",
    (swap) => wrappedFirst(swap, V2_ROUTER, swap.amount / 2n),
    { of: "native tokens for USDC" }
  ),

  honestForm(
    "Universal Router, wrapped native tokens that are unwrapped for V4 and wrapped again for V3",
    (swap) => [
      call(WETH, encodeFunctionData({ abi, functionName: "deposit" }), swap.amount),
      call(WETH, encodeFunctionData({ abi, functionName: "transfer", args: [UNIVERSAL, swap.amount] })),
      execute(
        [
          unwrap(ITSELF, 0n),
          recipientCommand("0x0b", ITSELF, swap.amount / 2n),
          v3(ITSELF, swap.amount / 2n, 0n, path(WETH, USDC)),
          v4(settle(native, swap.amount - swap.amount / 2n), v4Swap(native, usdc, 0n, 0n), take(usdc, ITSELF)),
          sweep(usdc, CALLER, swap.minAmount)
        ],
        swap.deadline
      )
    ],
    { of: "native tokens for USDC" }
  ),

  attack(
    "V4 does not use all unwrapped tokens",
    ["left_in_router"],
    (swap) => [
      call(WETH, encodeFunctionData({ abi, functionName: "deposit" }), swap.amount),
      call(WETH, encodeFunctionData({ abi, functionName: "transfer", args: [UNIVERSAL, swap.amount] })),
      execute(
        [
          unwrap(ITSELF, 0n),
          v4(settle(native, swap.amount - 1n), v4Swap(native, usdc, 0n, swap.minAmount), take(usdc, CALLER))
        ],
        swap.deadline
      )
    ],
    { of: "native tokens for USDC" }
  ),
  attack(
    "another account may take the tokens that the wallet wraps",
    ["unknown_spender"],
    (swap) => wrappedFirst(swap, ATTACKER, swap.amount / 2n),
    { of: "native tokens for USDC" }
  ),
  attack(
    "a router may take more than the wallet wraps",
    ["allowance_remains"],
    (swap) => wrappedFirst(swap, V2_ROUTER, swap.amount),
    { of: "native tokens for USDC" }
  ),
  attack(
    "the sweep has no minimum",
    ["gives_too_little"],
    splitRoute(() => sweep(weth, CALLER, 0n), sweepRest)
  ),
  attack(
    "the sweep's minimum is one unit lower",
    ["gives_too_little"],
    splitRoute(({ minAmount }) => sweep(weth, CALLER, minAmount - 1n))
  ),
  attack(
    "the sweep goes to another account",
    ["pays_somebody_else"],
    splitRoute(({ minAmount }) => sweep(weth, ATTACKER, minAmount))
  ),
  attack(
    "a share is paid to another account before the sweep",
    ["pays_somebody_else"],
    splitRoute(() => tokenCommand("0x06", weth, ATTACKER, 100n), sweepAll, sweepRest)
  ),
  attack(
    "an amount is sent to another account before the sweep",
    ["pays_somebody_else"],
    splitRoute(() => tokenCommand("0x05", weth, ATTACKER, 1n), sweepAll, sweepRest)
  ),
  attack(
    "the rest goes to another account",
    ["pays_somebody_else"],
    splitRoute(sweepAll, () => sweep(usdc, ATTACKER, 0n))
  ),
  attack("nothing is swept", ["left_in_router"], splitRoute()),
  attack(
    "the output stays in the router as native tokens",
    ["left_in_router"],
    splitRoute(({ minAmount }) => unwrap(ITSELF, minAmount))
  ),
  attack("a leg may fail", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([["0x80", v3(ITSELF, swap.amount, 0n, direct)[1]], sweepAll(swap)], swap.deadline)
  ]),
  attack(
    "a command is unknown",
    ["unreadable"],
    splitRoute(() => ["0x21", "0x"], sweepAll)
  ),
  attack("a command has trailing bytes", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([["0x00", concatHex([v3(CALLER, swap.amount, swap.minAmount, direct)[1], "0x12"])]], swap.deadline)
  ]),
  attack("the router gets more commands than inputs", ["unreadable"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    call(
      UNIVERSAL,
      encodeFunctionData({
        abi,
        functionName: "execute",
        args: ["0x0004", [v3(CALLER, swap.amount, swap.minAmount, direct)[1]], swap.deadline]
      })
    )
  ]),
  attack("a part of the amount is not swapped", ["left_in_router"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v3(CALLER, swap.amount - 1n, swap.minAmount, direct)], swap.deadline)
  ]),
  attack("a part of the amount is returned", ["pays_too_little", "gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount - 1n),
    execute([v3(CALLER, swap.amount - 1n, swap.minAmount, direct)], swap.deadline)
  ]),
  attack("more than the amount is swapped", ["pays_too_much"], (swap) => [
    transfer(UNIVERSAL, swap.amount + 1n),
    execute([v3(CALLER, swap.amount + 1n, swap.minAmount, direct)], swap.deadline)
  ]),
  attack("a leg pays another receiver", ["pays_somebody_else"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v3(ATTACKER, swap.amount, swap.minAmount, direct)], swap.deadline)
  ]),
  attack("a leg returns another token", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v3(CALLER, swap.amount, swap.minAmount, path(USDC, NATIVE))], swap.deadline)
  ]),
  attack("the router has no deadline", ["wrong_deadline"], (swap) =>
    splitRoute(sweepAll, sweepRest)({ ...swap, deadline: maxUint256 })
  ),
  attack("another contract replaces the router", ["pays_somebody_else", "unknown_call"], (swap) => [
    transfer(ATTACKER, swap.amount),
    { ...splitRoute(sweepAll)(swap)[1]!, to: ATTACKER }
  ]),
  attack(
    "a V4 pool has a hook",
    ["unknown_hook"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n, { hooks: ATTACKER }),
      () => settle(usdc),
      () => take(weth, ITSELF)
    )
  ),
  attack(
    "a V4 pool gets data for a hook",
    ["unknown_hook"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n, { hookData: "0x1234" }),
      () => settle(usdc),
      () => take(weth, ITSELF)
    )
  ),
  attack(
    "a pool on V4's path has a hook",
    ["unknown_hook"],
    byV4(
      ({ amount }) => v4Path(usdc, native, weth, amount, 0n, { hooks: ATTACKER }),
      () => settle(usdc),
      () => take(weth, ITSELF)
    )
  ),
  attack(
    "V4 pays another account",
    ["pays_somebody_else"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n),
      () => settle(usdc),
      () => take(weth, ATTACKER)
    )
  ),
  attack("V4's output goes into another pool", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute(
      [
        v4(
          v4Swap(usdc, weth, swap.amount, swap.minAmount),
          v4Swap(weth, `0x${"bad1".repeat(10)}`, 0n, 0n),
          settle(usdc),
          take(weth, CALLER)
        )
      ],
      swap.deadline
    )
  ]),
  attack("V4 takes less than the swap returns", ["gives_too_little"], (swap) => [
    transfer(UNIVERSAL, swap.amount),
    execute([v4(v4Swap(usdc, weth, swap.amount, swap.minAmount), settle(usdc), take(weth, CALLER, 1n))], swap.deadline)
  ]),
  attack(
    "an action of V4 is unknown",
    ["unreadable"],
    byV4(() => ["0x02", "0x"])
  ),
  attack("Permit2 allows more than is taken", ["allowance_remains"], (swap) =>
    byPermit2(swap.amount + 1n, UNIVERSAL, swap)
  ),
  attack("Permit2 has an unlimited allowance", ["allowance_remains"], (swap) =>
    byPermit2(2n ** 160n - 1n, UNIVERSAL, swap)
  ),
  attack("Permit2 allows another account", ["unknown_spender"], (swap) => byPermit2(swap.amount, ATTACKER, swap)),
  attack("more is taken than was allowed", ["unknown_spender"], (swap) => byPermit2(swap.amount - 1n, UNIVERSAL, swap)),
  attack("the V2 router pays another receiver", ["pays_somebody_else"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2Swap(swap.amount, swap.minAmount, ATTACKER, swap.deadline)
  ]),
  attack("the V2 router has no minimum", ["gives_too_little"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2Swap(swap.amount, 0n, swap.wallet, swap.deadline)
  ]),
  attack("the V2 router may take more", ["allowance_remains"], (swap) => [
    approve(V2_ROUTER, swap.amount * 2n),
    v2Swap(swap.amount, swap.minAmount, swap.wallet, swap.deadline)
  ]),
  attack("the V2 router pays into a router that is not swept", ["left_in_router"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    v2Swap(swap.amount, swap.minAmount, UNIVERSAL, swap.deadline)
  ]),
  attack("the V2 router takes native tokens without a request", ["pays_too_much", "left_in_router"], (swap) => [
    approve(V2_ROUTER, swap.amount),
    { ...v2Swap(swap.amount, swap.minAmount, swap.wallet, swap.deadline), value: 1n }
  ]),
  attack(
    "the first router of V3 keeps the output",
    ["left_in_router"],
    (swap) => [approve(V3_FORK, swap.amount), call(V3_FORK, untilSingle(ZERO_ADDRESS, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attack(
    "the first router of V3 unwraps for another account",
    ["pays_somebody_else"],
    (swap) => [
      approve(V3_FORK, swap.amount),
      call(
        V3_FORK,
        encodeFunctionData({
          abi,
          functionName: "multicall",
          args: [
            [
              untilSingle(ZERO_ADDRESS, swap),
              encodeFunctionData({ abi, functionName: "unwrapWETH9", args: [swap.minAmount, ATTACKER] })
            ]
          ]
        })
      )
    ],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attack(
    "the receiver is a constant that the router does not translate",
    ["pays_somebody_else"],
    (swap) => [approve(V3_FORK, swap.amount), call(V3_FORK, untilSingle(CALLER, swap))],
    { routers: { [V3_FORK]: "V3" } }
  ),
  attack(
    "V4's pools pay out without an input",
    ["left_in_router", "unreadable"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n),
      () => settle(usdc),
      () => take(weth, ITSELF),
      () => take(usdc, CALLER, 10n ** 9n)
    )
  ),
  attack(
    "a debt to V4's pools is paid from tokens that the router lacks",
    ["left_in_router"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount, 0n),
      () => settle(usdc),
      () => take(weth, ITSELF),
      () => take(usdc, CALLER, 10n ** 9n),
      () => settle(usdc)
    )
  ),
  attack(
    "V4's pools are paid more than the debt",
    ["left_in_router"],
    byV4(
      ({ amount }) => v4Swap(usdc, weth, amount / 2n, 0n),
      ({ amount }) => settle(usdc, amount),
      () => take(weth, ITSELF)
    )
  ),
  attack(
    "the minimum is sent, and the excess stays in the router",
    ["left_in_router"],
    splitRoute(
      ({ minAmount }) => sweep(weth, ITSELF, minAmount),
      ({ minAmount }) => tokenCommand("0x05", weth, CALLER, minAmount),
      sweepRest
    )
  ),
  attack("the caller does not know the router", ["unknown_spender", "unknown_call"], (swap) => [
    approve(V3_FORK, swap.amount),
    call(V3_FORK, untilSingle(swap.wallet, swap))
  ]),
  attack(
    "the native tokens are not swapped completely",
    ["left_in_router"],
    (swap) => [
      execute(
        [
          recipientCommand("0x0b", ITSELF, swap.amount - 1n),
          v3(CALLER, swap.amount - 1n, swap.minAmount, path(WETH, USDC))
        ],
        swap.deadline,
        swap.amount
      )
    ],
    { of: "native tokens for USDC" }
  ),
  attack(
    "the wrapped native tokens go to another account",
    ["pays_somebody_else"],
    (swap) => [execute([recipientCommand("0x0b", ATTACKER, swap.amount)], swap.deadline, swap.amount)],
    { of: "native tokens for USDC" }
  ),
  ...aggregatorForms
]
