import type { AnyQuote } from "@countersign/http/verify"
import { USDC, WETH } from "../support/accounts.ts"
import type { Changes, ForgedCall } from "./forger.ts"
import { ATTACKER, type Forgery } from "./forgeries.ts"
import { LINK } from "./honestLiquidity.ts"
import { FRIEND, type HonestQuote, PARTNER } from "./honestQuotes.ts"
import {
  callOf,
  changeCommand,
  changeCommands,
  changeFields,
  changeManagerStep,
  changeManagerSteps,
  changeRouterStep,
  changeRouterSteps,
  encode,
  encodeCommand,
  isLiquidity,
  managerOf,
  routerOf,
  type Step,
  UNIVERSAL_ROUTER
} from "./liquidityCalls.ts"

/** Attacks of a server on a wallet that holds or opens a position. */

type Change = Forgery["changes"]

const OTHER_TOKEN_ID = 1n
const shiftTicks = (ticks: number) =>
  changeFields(({ tickLower, tickUpper }) => ({ tickLower: tickLower + ticks, tickUpper: tickUpper + ticks }))

const changeOfType =
  (type: AnyQuote["type"], change: Change): Change =>
  (honestQuote) =>
    honestQuote.quote.type === type ? change(honestQuote) : null

const changeNamed =
  (name: RegExp, change: Change): Change =>
  (honestQuote) =>
    isLiquidity(honestQuote) && name.test(honestQuote.name) ? change(honestQuote) : null

/** Applies the same lie to the quote's own fields. */
const alsoShow =
  (change: Change, shownFieldsOf: (quote: { tickLower: number; tickUpper: number }) => object): Change =>
  (honestQuote) => {
    const changes = change(honestQuote)
    return changes === null ? null : { ...changes, quote: (quote) => ({ ...quote, ...shownFieldsOf(quote) }) }
  }

const showFields =
  (fields: (quote: Record<string, never>) => object): Change =>
  (honestQuote) =>
    isLiquidity(honestQuote) ? { quote: (quote) => ({ ...quote, ...fields(quote) }) } : null

const addCall =
  (extraCallOf: (honestQuote: HonestQuote) => ForgedCall): Change =>
  (honestQuote) =>
    isLiquidity(honestQuote) ? { calls: (calls) => [...calls, extraCallOf(honestQuote)] } : null

const changeCalls =
  (change: (call: ForgedCall, honestQuote: HonestQuote) => ForgedCall): Change =>
  (honestQuote): Changes | null =>
    isLiquidity(honestQuote) ? { calls: (calls) => calls.map((call) => change(call, honestQuote)) } : null

const isSwap = (name: string) => name === "exactInputSingle" || name === "exactInput"
const isDeposit = (name: string) => name === "mint" || name === "increaseLiquidity"

const HOSTILE_TOKEN = `0x${"e1".repeat(20)}`

/** A swap of nothing between two tokens whose code the server controls. */
const hostileSwap = (recipient: string) =>
  [
    "exactInputSingle",
    [
      {
        tokenIn: HOSTILE_TOKEN,
        tokenOut: `0x${"e2".repeat(20)}`,
        fee: 500,
        recipient,
        amountIn: 0n,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      }
    ]
  ] as const

/** Adds steps of the router before a deposit that the wallet pays. */
const addBeforeDeposit = (stepsBefore: (honestQuote: HonestQuote, depositArgs: Step[1]) => ReadonlyArray<Step>) =>
  changeRouterSteps((steps, honestQuote) =>
    steps.some(([name]) => name === "pull")
      ? steps.flatMap((step) => (isDeposit(step[0]) ? [...stepsBefore(honestQuote, step[1]), step] : [step]))
      : steps
  )

const reduceByTwoPercent = (amount: bigint) => (amount * 98n) / 100n

const changeSwap = (change: (params: { amountOutMinimum: bigint }) => object) =>
  changeRouterSteps((steps) =>
    steps.map(([name, args]) => [name, isSwap(name) ? [{ ...args[0], ...change(args[0]) }] : args])
  )

/**
 * Changes the SWEEP command that pays out. It is the one with a minimum above zero; the SWEEP of the other token's
 * remainder has a minimum of zero.
 */
const changePayout = (change: (values: readonly [string, string, bigint]) => ReadonlyArray<unknown>): Change =>
  changeOfType(
    "LIQUIDITY_WITHDRAW",
    changeCommand("04", (values) => (values[2] > 0n ? change(values) : values))
  )

const createPoolCall = (sqrtPriceX96: bigint) => (honestQuote: HonestQuote) =>
  callOf(managerOf(honestQuote), "createAndInitializePoolIfNecessary", [USDC, WETH, 100, sqrtPriceX96])

export const liquidityForgeries: ReadonlyArray<Forgery> = [
  // Attacks on deposits:
  {
    name: "the NFT goes to another account",
    codes: ["pays_somebody_else"],
    changes: changeRouterStep(
      "mint",
      changeFields(() => ({ recipient: ATTACKER }))
    )
  },
  {
    name: "the position is in a pool with another fee",
    codes: ["wrong_position"],
    changes: changeRouterStep(
      "mint",
      changeFields(() => ({ fee: 10_000 }))
    )
  },
  {
    name: "the position is in a pool of another token",
    codes: ["wrong_position"],
    changes: changeRouterStep(
      "mint",
      changeFields(() => ({ token0: LINK }))
    )
  },
  {
    name: "the position has a wider range",
    codes: ["wrong_position"],
    changes: changeNamed(
      /^(?!.*all prices)/u,
      changeRouterStep(
        "mint",
        changeFields(({ tickUpper }) => ({ tickUpper: tickUpper + 60 }))
      )
    )
  },
  {
    name: "the position has a narrower range",
    codes: ["wrong_position"],
    changes: changeRouterStep(
      "mint",
      changeFields(({ tickLower }) => ({ tickLower: tickLower + 60 }))
    )
  },
  {
    name: "the position has another range, and the quote shows it",
    codes: ["wrong_position"],
    changes: changeNamed(
      /^(?!.*all prices)/u,
      alsoShow(changeRouterStep("mint", shiftTicks(-6000)), ({ tickLower, tickUpper }) => ({
        tickLower: tickLower - 6000,
        tickUpper: tickUpper - 6000
      }))
    )
  },
  {
    name: "the position's ticks do not fit the pool's tick spacing",
    codes: ["wrong_position"],
    changes: changeNamed(/another receiver/u, changeRouterStep("mint", shiftTicks(1)))
  },
  {
    // A deposit of a single token takes all or nothing, whatever the minimum is, so this lie has no effect.
    name: "the position has a minimum of zero",
    codes: ["gives_too_little"],
    changes: changeNamed(
      /^(?!.*above the price)/u,
      changeRouterStep(
        "mint",
        changeFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
      )
    )
  },
  {
    name: "the position has a minimum two percent lower",
    codes: ["gives_too_little"],
    changes: changeNamed(
      /over all prices|another token/u,
      changeRouterStep(
        "mint",
        changeFields(({ amount0Min, amount1Min }) => ({
          amount0Min: reduceByTwoPercent(amount0Min),
          amount1Min: reduceByTwoPercent(amount1Min)
        }))
      )
    )
  },
  {
    name: "a token's code runs between the payment and the deposit",
    codes: ["gives_too_little"],
    changes: addBeforeDeposit(({ account }) => [hostileSwap(account.walletAddress)])
  },
  {
    name: "a token's code runs in a transfer between the payment and the deposit",
    codes: ["gives_too_little"],
    changes: addBeforeDeposit(({ account }) => [["sweepToken", [HOSTILE_TOKEN, 0n, account.walletAddress]]])
  },
  {
    name: "a token's code runs between the payment and the deposit, and the router then pays itself",
    codes: ["gives_too_little"],
    changes: addBeforeDeposit((honestQuote, [{ token0, token1 }]) => [
      hostileSwap(honestQuote.account.walletAddress),
      ...[token0, token1].map((token) => ["sweepToken", [token, 0n, routerOf(honestQuote)]] as const)
    ])
  },
  {
    name: "what the deposit leaves is swapped without a minimum",
    codes: ["gives_too_little"],
    changes: changeRouterSteps((steps, { account }) =>
      steps.flatMap((step) => {
        if (!isDeposit(step[0])) return [step]
        const [name, [params]] = hostileSwap(account.walletAddress)
        const [{ token0, token1 }] = step[1]
        const swapOf = (tokenIn: string, tokenOut: string) => [name, [{ ...params, tokenIn, tokenOut }]] as const
        return [step, swapOf(token0, token1), swapOf(token1, token0)]
      })
    )
  },
  {
    name: "an addition has a minimum of zero",
    codes: ["gives_too_little"],
    changes: changeRouterStep(
      "increaseLiquidity",
      changeFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
    )
  },
  {
    name: "the swap before a deposit has a minimum two percent lower",
    codes: ["gives_too_little"],
    changes: changeSwap(({ amountOutMinimum }) => ({ amountOutMinimum: reduceByTwoPercent(amountOutMinimum) }))
  },
  {
    name: "the swap before a deposit pays another account",
    codes: ["pays_somebody_else"],
    changes: changeSwap(() => ({ recipient: ATTACKER }))
  },
  {
    name: "the amount that needs no swap is not deposited",
    codes: ["allowance_remains", "left_in_router", "pays_too_little"],
    changes: changeRouterSteps((steps) => steps.filter(([name]) => name !== "pull" && name !== "wrapETH"))
  },
  {
    name: "more is pulled, and swept",
    codes: ["unknown_spender", "pays_too_much"],
    changes: changeRouterStep("pull", ([token, value]) => [token, value + 1n])
  },
  {
    name: "leftovers go to the address that means the caller in swaps only",
    codes: ["pays_somebody_else"],
    changes: changeRouterStep("sweepToken", ([token, minAmount]) => [token, minAmount, `0x${"1".padStart(40, "0")}`])
  },
  {
    name: "the router calls a contract that is not a token of the position",
    codes: ["unknown_call"],
    changes: changeRouterStep("approveZeroThenMax", () => [ATTACKER])
  },
  {
    name: "leftovers go to another account",
    codes: ["pays_somebody_else"],
    changes: changeRouterStep("sweepToken", ([token, minAmount]) => [token, minAmount, ATTACKER])
  },
  {
    name: "leftovers go to a fee receiver",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: changeNamed(
      /^(?!withdrawal)/u,
      changeRouterStep("sweepToken", ([token, minAmount]) => [token, minAmount, PARTNER])
    )
  },
  {
    name: "leftovers stay in the router",
    codes: ["left_in_router"],
    changes: changeRouterSteps((steps) => steps.filter(([name]) => name !== "sweepToken" && name !== "unwrapWETH9"))
  },
  {
    name: "nothing is deposited, and everything is returned",
    codes: ["gives_too_little"],
    changes: changeRouterSteps((steps) => steps.filter(([name]) => name !== "mint" && name !== "increaseLiquidity"))
  },
  {
    name: "a second position is minted",
    codes: ["unknown_call"],
    changes: changeRouterSteps((steps) => steps.flatMap((step) => (step[0] === "mint" ? [step, step] : [step])))
  },
  {
    name: "liquidity is added to another account's position",
    codes: ["wrong_position"],
    changes: changeRouterStep(
      "increaseLiquidity",
      changeFields(() => ({ tokenId: OTHER_TOKEN_ID }))
    )
  },
  {
    name: "liquidity is added to another account's position, and the quote shows it",
    codes: ["wrong_position", "wrong_echo"],
    changes: alsoShow(
      changeRouterStep(
        "increaseLiquidity",
        changeFields(() => ({ tokenId: OTHER_TOKEN_ID }))
      ),
      () => ({ tokenId: "1" })
    )
  },
  {
    name: "a new position is minted instead of an addition",
    codes: ["gives_too_little", "unknown_call"],
    changes: changeRouterSteps((steps) =>
      steps.map(([name, args]) =>
        name === "increaseLiquidity"
          ? ["mint", [{ ...args[0], fee: 3000, tickLower: 0, tickUpper: 60, recipient: ATTACKER }]]
          : [name, args]
      )
    )
  },
  {
    name: "the allowance is larger",
    codes: ["allowance_remains"],
    changes: changeNamed(
      /^position for/u,
      changeCalls((call, honestQuote) => ({
        ...call,
        data: call.data.startsWith(`0x095ea7b3${routerOf(honestQuote).slice(2).padStart(64, "0")}`)
          ? `${call.data.slice(0, -24)}${"f".repeat(24)}`
          : call.data
      }))
    )
  },
  {
    name: "the position manager gets an allowance from the wallet",
    codes: ["unknown_spender"],
    changes: changeNamed(
      /^position for/u,
      addCall((honestQuote) => callOf(USDC, "approve", [managerOf(honestQuote), 1n]))
    )
  },
  // Attacks on pools:
  {
    name: "a pool is created with another price than the amounts were computed with",
    codes: ["wrong_price"],
    changes: changeNamed(
      /new pool/u,
      changeCalls((call) => {
        const start = call.data.length - 64
        const isCreation = call.data.startsWith("0x13ead562")
        return isCreation
          ? { ...call, data: `${call.data.slice(0, start)}${(2n ** 100n).toString(16).padStart(64, "0")}` }
          : call
      })
    )
  },
  {
    name: "a pool is created that the quote does not mention",
    codes: ["wrong_echo", "unknown_call"],
    changes: addCall(createPoolCall(2n ** 96n))
  },
  {
    name: "a pool is created first that the quote does not mention",
    codes: ["wrong_echo", "unknown_call"],
    changes: changeNamed(/^(?!.*new pool)/u, (honestQuote) => ({
      calls: (calls) => [createPoolCall(2n ** 96n)(honestQuote), ...calls]
    }))
  },
  {
    name: "the quote hides that a pool is created",
    codes: ["wrong_echo"],
    changes: changeNamed(
      /new pool/u,
      showFields(() => ({ poolCreated: false }))
    )
  },
  {
    name: "the quote falsely says that a pool is created",
    codes: ["wrong_echo"],
    changes: changeNamed(
      /^(?:position for|addition)/u,
      showFields(() => ({ poolCreated: true }))
    )
  },
  // Attacks on withdrawals:
  {
    name: "liquidity is withdrawn from another position of the wallet",
    codes: ["wrong_position"],
    changes: changeManagerStep(
      "decreaseLiquidity",
      changeFields(() => ({ tokenId: OTHER_TOKEN_ID }))
    )
  },
  {
    name: "the fees of another position are collected",
    codes: ["wrong_position"],
    changes: changeManagerStep(
      "collect",
      changeFields(() => ({ tokenId: OTHER_TOKEN_ID }))
    )
  },
  {
    name: "another NFT is burned",
    codes: ["wrong_position"],
    changes: changeManagerStep("burn", () => [OTHER_TOKEN_ID])
  },
  {
    name: "more than the percentage is withdrawn, and the quote shows it",
    codes: ["pays_too_much"],
    changes: changeNamed(
      /^withdrawal (?!of all)/u,
      alsoShow(
        changeManagerStep(
          "decreaseLiquidity",
          changeFields(({ liquidity }) => ({ liquidity: liquidity + 1n }))
        ),
        (quote) => ({ liquidity: String(BigInt((quote as unknown as { liquidity: string }).liquidity) + 1n) })
      )
    )
  },
  {
    name: "less than the percentage is withdrawn",
    codes: ["gives_too_little"],
    changes: changeManagerStep(
      "decreaseLiquidity",
      changeFields(({ liquidity }) => ({ liquidity: liquidity - 1n }))
    )
  },
  {
    name: "the withdrawal has a minimum of zero",
    codes: ["gives_too_little"],
    changes: changeManagerStep(
      "decreaseLiquidity",
      changeFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
    )
  },
  {
    name: "the withdrawal has a minimum two percent lower",
    codes: ["gives_too_little"],
    changes: changeNamed(
      /as another token/u,
      changeManagerStep(
        "decreaseLiquidity",
        changeFields(({ amount0Min, amount1Min }) => ({
          amount0Min: reduceByTwoPercent(amount0Min),
          amount1Min: reduceByTwoPercent(amount1Min)
        }))
      )
    )
  },
  {
    name: "only fees are withdrawn",
    codes: ["gives_too_little"],
    changes: changeManagerSteps((steps) => steps.filter(([name]) => name !== "decreaseLiquidity"))
  },
  {
    name: "tokens are collected before the withdrawal, so that they stay in the position",
    codes: ["gives_too_little", "unknown_call"],
    changes: changeManagerSteps((steps) => [
      ...steps.filter(([name]) => name === "collect"),
      ...steps.filter(([name]) => name !== "collect")
    ])
  },
  {
    name: "the withdrawn tokens are collected by another account",
    codes: ["pays_somebody_else"],
    changes: changeManagerStep(
      "collect",
      changeFields(() => ({ recipient: ATTACKER }))
    )
  },
  {
    name: "the withdrawn tokens are collected by a fee receiver",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: changeNamed(
      /^(?:withdrawal|move) .*fees/u,
      changeManagerStep(
        "collect",
        changeFields(() => ({ recipient: PARTNER }))
      )
    )
  },
  {
    name: "the withdrawn tokens are collected for a router that does not use them",
    codes: ["left_in_router"],
    changes: changeNamed(
      /^(?:withdrawal|move)(?!.*by the wallet)/u,
      changeManagerStep(
        "collect",
        changeFields((_, honestQuote) => ({ recipient: routerOf(honestQuote) }))
      )
    )
  },
  {
    name: "the owed tokens are collected in part",
    codes: ["gives_too_little"],
    changes: changeManagerStep(
      "collect",
      changeFields(() => ({ amount0Max: 1n }))
    )
  },
  {
    name: "the NFT is burned after a partial withdrawal",
    codes: ["pays_too_much"],
    changes: changeNamed(
      /^withdrawal (?!of all)/u,
      changeManagerSteps((steps) => [...steps, ["burn", [steps[0]![1][0].tokenId]]])
    )
  },
  {
    name: "the NFT of an empty position is not burned",
    codes: ["gives_too_little"],
    changes: changeManagerSteps((steps) => steps.filter(([name]) => name !== "burn"))
  },
  {
    name: "the router pays another account",
    codes: ["pays_somebody_else", "gives_too_little"],
    changes: changePayout(([token, , minAmount]) => [token, ATTACKER, minAmount])
  },
  {
    name: "the router pays out one unit less than it must",
    codes: ["gives_too_little"],
    changes: changePayout(([token, to, minAmount]) => [token, to, minAmount - 1n])
  },
  {
    name: "the quote promises less, and the router enforces it",
    codes: ["gives_too_little"],
    changes: alsoShow(
      changePayout(([token, to]) => [token, to, 1n]),
      () => ({ minAmountOut: "0" })
    )
  },
  {
    name: "the router pays out another token",
    codes: ["gives_too_little"],
    changes: changePayout(([, to, minAmount]) => [`0x${"da1".padStart(40, "0")}`, to, minAmount])
  },
  {
    name: "the swap of the withdrawn tokens pays another account",
    codes: ["pays_somebody_else"],
    changes: changeCommand("00", ([, ...rest]) => [ATTACKER, ...rest])
  },
  {
    name: "the swap of the withdrawn tokens uses a part of them",
    codes: ["left_in_router"],
    changes: changeOfType(
      "LIQUIDITY_WITHDRAW",
      changeCommands((commands) =>
        commands.flatMap(([code, input], i) =>
          code === "04" && i > commands.findIndex(([each]) => each === "04")
            ? []
            : [[code, code === "00" ? `${input.slice(0, 66)}${"1".padStart(64, "0")}${input.slice(130)}` : input]]
        )
      )
    )
  },
  {
    name: "a rebalance leaves a part in the router",
    codes: ["left_in_router"],
    changes: changeOfType(
      "LIQUIDITY_REBALANCE",
      changeCommands((commands) => commands.slice(0, -1))
    )
  },
  {
    name: "a rebalance sends a part to the wallet",
    codes: ["gives_too_little", "wrong_echo"],
    changes: changeOfType(
      "LIQUIDITY_REBALANCE",
      changeCommand("04", ([token, , minAmount], { account }) => [token, account.walletAddress, minAmount])
    )
  },
  {
    name: "the swap of a rebalance has a minimum two percent lower",
    codes: ["gives_too_little"],
    changes: changeOfType(
      "LIQUIDITY_REBALANCE",
      changeCommand("00", ([to, amount, minAmount, ...rest]) => [to, amount, reduceByTwoPercent(minAmount), ...rest])
    )
  },
  // Attacks on the fees of withdrawals:
  {
    name: "a fee is a larger share",
    codes: ["pays_too_much"],
    changes: changeCommand("06", ([token, to, bips]) => [token, to, bips + 1n])
  },
  {
    name: "a fee is nearly everything",
    codes: ["pays_too_much"],
    changes: changeCommand("06", ([token, to]) => [token, to, 9_999n])
  },
  {
    name: "a share goes to another account",
    codes: ["pays_somebody_else"],
    changes: changeCommand("06", ([token, , bips]) => [token, ATTACKER, bips])
  },
  {
    name: "an additional share goes to another account",
    codes: ["pays_somebody_else"],
    changes: changeCommands((commands) => {
      const lastSwapIndex = commands.findLastIndex(([code]) => code === "00")
      return commands.toSpliced(lastSwapIndex + 1, 0, encodeCommand("06", USDC, ATTACKER, 1n))
    })
  },
  {
    name: "a share is deducted before the rest of the token has arrived",
    codes: ["pays_too_little"],
    changes: changeNamed(
      /withdrawal.* with fees/u,
      changeCommands((commands) => {
        const shareIndex = commands.findIndex(([code]) => code === "06")
        return [commands[shareIndex]!, ...commands.toSpliced(shareIndex, 1)]
      })
    )
  },
  {
    name: "a share is deducted after the token was paid out",
    codes: ["pays_too_little"],
    changes: changeNamed(
      /with fees/u,
      changeCommands((commands) => {
        const shareIndex = commands.findLastIndex(([code]) => code === "06")
        return [...commands.toSpliced(shareIndex, 1), commands[shareIndex]!]
      })
    )
  },
  {
    name: "a fee with a fixed amount is larger",
    codes: ["pays_too_much"],
    changes: changeCommand("05", ([token, to, amount]) => [token, to, amount + amount / 100n + 9n])
  },
  {
    name: "a fee is not paid",
    codes: ["gives_too_little"],
    changes: changeNamed(
      /with fees/u,
      changeCommands((commands) => commands.filter(([code]) => code !== "05" && code !== "06"))
    )
  },
  {
    name: "the receiver of the withdrawal gets a fee",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: changeOfType(
      "LIQUIDITY_REBALANCE",
      changeCommand("06", ([token, , bips]) => [token, FRIEND, bips])
    )
  },
  {
    name: "the wallet pays a larger fee from the withdrawal",
    codes: ["pays_too_much"],
    changes: changeNamed(
      /by the wallet to another receiver/u,
      changeCalls((call) => {
        const isFee = call.data.startsWith("0xa9059cbb") && call.data.includes(PARTNER.slice(2))
        const amount = BigInt(`0x${call.data.slice(-64)}`)
        return isFee ? callOf(call.to, "transfer", [PARTNER, amount + amount / 50n + 9n]) : call
      })
    )
  },
  {
    name: "the wallet pays out less of the withdrawal",
    codes: ["gives_too_little"],
    changes: changeNamed(
      /by the wallet to another receiver/u,
      changeCalls((call) =>
        call.data.startsWith("0xa9059cbb") && call.data.includes(FRIEND.slice(2))
          ? callOf(call.to, "transfer", [FRIEND, BigInt(`0x${call.data.slice(-64)}`) - 1n])
          : call
      )
    )
  },
  // Attacks with the NFT and with other contracts:
  {
    name: "another account may take all NFTs of the wallet",
    codes: ["unknown_call"],
    changes: addCall((honestQuote) => callOf(managerOf(honestQuote), "setApprovalForAll", [ATTACKER, true]))
  },
  {
    name: "another account may take the NFT",
    codes: ["unknown_call"],
    changes: addCall((honestQuote) => callOf(managerOf(honestQuote), "approve", [ATTACKER, OTHER_TOKEN_ID]))
  },
  {
    name: "the NFT is given away",
    codes: ["unknown_call"],
    changes: addCall((honestQuote) =>
      callOf(managerOf(honestQuote), "safeTransferFrom", [honestQuote.account.walletAddress, ATTACKER, OTHER_TOKEN_ID])
    )
  },
  {
    name: "the NFT is given away among other steps",
    codes: ["unreadable"],
    changes: changeManagerSteps((steps, { account }) => [
      ["safeTransferFrom", [account.walletAddress, ATTACKER, OTHER_TOKEN_ID]],
      ...steps
    ])
  },
  {
    name: "native tokens are sent to the position manager",
    codes: ["unknown_call"],
    changes: changeNamed(
      /^(?:withdrawal|move)/u,
      changeCalls((call, honestQuote) => (call.to === managerOf(honestQuote) ? { ...call, value: 1n } : call))
    )
  },
  {
    name: "the position manager is the attacker's contract",
    codes: ["unknown_call"],
    changes: changeNamed(
      /^(?:withdrawal|move)/u,
      changeCalls((call, honestQuote) => (call.to === managerOf(honestQuote) ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "the router of positions is the attacker's contract",
    codes: ["unknown_call"],
    changes: changeNamed(
      /^(?:position|addition|move)/u,
      changeCalls((call, honestQuote) => (call.to === routerOf(honestQuote) ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "the router that swaps the withdrawn tokens is the attacker's contract",
    codes: ["unknown_call"],
    changes: changeNamed(
      /^(?:withdrawal|move)(?!.*by the wallet)/u,
      changeCalls((call) => (call.to === UNIVERSAL_ROUTER ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "liquidity is withdrawn in addition",
    codes: ["unknown_call", "pays_somebody_else"],
    changes: changeNamed(
      /^(?:position|addition)/u,
      addCall((honestQuote) =>
        callOf(managerOf(honestQuote), "multicall", [
          [encode("collect", [{ tokenId: OTHER_TOKEN_ID, recipient: ATTACKER, amount0Max: 1n, amount1Max: 1n }])]
        ])
      )
    )
  },
  {
    name: "liquidity can be withdrawn long after the quote",
    codes: ["wrong_deadline"],
    changes: changeManagerStep(
      "decreaseLiquidity",
      changeFields(() => ({ deadline: 2n ** 40n }))
    )
  },
  // False fields of the quote:
  {
    name: "the quote shows more liquidity than the amounts buy",
    codes: ["wrong_echo"],
    changes: showFields(({ liquidity }) => ({ liquidity: String((BigInt(liquidity ?? 0) * 11n) / 10n) }))
  },
  {
    name: "the quote shows other ticks than those signed",
    codes: ["wrong_echo"],
    changes: changeNamed(
      /^(?!withdrawal)/u,
      showFields(({ tickUpper }) => ({ tickUpper: Number(tickUpper) - 60 }))
    )
  },
  {
    name: "the quote shows a smaller deposit",
    codes: ["wrong_echo"],
    changes: changeNamed(
      /^(?!withdrawal)/u,
      showFields(() => ({ amount0: "0", amount1: "0" }))
    )
  },
  {
    name: "the quote hides that the NFT is burned",
    codes: ["wrong_echo"],
    changes: changeOfType(
      "LIQUIDITY_WITHDRAW",
      showFields(({ burned }) => ({ burned: !burned }))
    )
  },
  {
    name: "the quote shows another position manager",
    codes: ["wrong_echo"],
    changes: showFields(() => ({ nftAddress: ATTACKER }))
  },
  {
    name: "the quote shows another slippage",
    codes: ["wrong_echo"],
    changes: showFields(() => ({ slippage: 3 }))
  },
  {
    name: "the quote shows another percentage",
    codes: ["wrong_echo"],
    changes: changeOfType(
      "LIQUIDITY_WITHDRAW",
      showFields(() => ({ percentage: 1 }))
    )
  },
  {
    name: "the quote shows that less is collected than withdrawn",
    codes: ["wrong_echo"],
    changes: changeNamed(
      /^(?:withdrawal|move)/u,
      showFields(() => ({ collected: { amount0: "0.000001", amount1: "0.000001" } }))
    )
  },
  {
    name: "the quote shows a smaller amount for the liquidity",
    codes: ["wrong_echo", "gives_too_little"],
    changes: changeNamed(
      /^(?:withdrawal|move)/u,
      showFields(() => ({ removed: { amount0: "1", amount1: "0.00001" } }))
    )
  }
]
