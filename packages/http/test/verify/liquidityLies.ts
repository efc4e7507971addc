import type { AnyQuote } from "@countersign/http/verify"
import { USDC, WETH } from "../support/accounts.ts"
import type { Changes, ForgedCall } from "./forger.ts"
import { LINK } from "./honestLiquidity.ts"
import { FRIEND, type HonestQuote, PARTNER } from "./honestQuotes.ts"
import { ATTACKER, type Lie } from "./lies.ts"
import {
  callOf,
  command,
  encoded,
  inManager,
  inRouter,
  inUniversalRouter,
  isLiquidity,
  managerOf,
  onCommand,
  onManager,
  onRouter,
  routerOf,
  UNIVERSAL_ROUTER,
  withFields
} from "./liquidityCalls.ts"

/** What a server could do to who has a position, or makes one. */

type Change = Lie["changes"]

const THEIRS = 1n
const shifted = (ticks: number) =>
  withFields(({ tickLower, tickUpper }) => ({ tickLower: tickLower + ticks, tickUpper: tickUpper + ticks }))

const ofType =
  (type: AnyQuote["type"], change: Change): Change =>
  (honest) =>
    honest.quote.type === type ? change(honest) : null

const named =
  (name: RegExp, change: Change): Change =>
  (honest) =>
    isLiquidity(honest) && name.test(honest.name) ? change(honest) : null

/** The same lie, told in the quote's own fields too. */
const alsoShown =
  (change: Change, shown: (quote: { tickLower: number; tickUpper: number }) => object): Change =>
  (honest) => {
    const changes = change(honest)
    return changes === null ? null : { ...changes, quote: (quote) => ({ ...quote, ...shown(quote) }) }
  }

const shows =
  (fields: (quote: Record<string, never>) => object): Change =>
  (honest) =>
    isLiquidity(honest) ? { quote: (quote) => ({ ...quote, ...fields(quote) }) } : null

const alsoCalls =
  (extra: (honest: HonestQuote) => ForgedCall): Change =>
  (honest) =>
    isLiquidity(honest) ? { calls: (calls) => [...calls, extra(honest)] } : null

const onCalls =
  (change: (call: ForgedCall, honest: HonestQuote) => ForgedCall): Change =>
  (honest): Changes | null =>
    isLiquidity(honest) ? { calls: (calls) => calls.map((call) => change(call, honest)) } : null

const isSwap = (name: string) => name === "exactInputSingle" || name === "exactInput"
const part = (amount: bigint) => (amount * 98n) / 100n

const inSwap = (change: (params: { amountOutMinimum: bigint }) => object) =>
  inRouter((steps) => steps.map(([name, args]) => [name, isSwap(name) ? [{ ...args[0], ...change(args[0]) }] : args]))

/** All that is paid out goes by this command: what the pool's other token leaves is swept with a minimum of zero. */
const onPayout = (change: (values: readonly [string, string, bigint]) => ReadonlyArray<unknown>): Change =>
  ofType(
    "LIQUIDITY_WITHDRAW",
    onCommand("04", (values) => (values[2] > 0n ? change(values) : values))
  )

const created = (sqrtPriceX96: bigint) => (honest: HonestQuote) =>
  callOf(managerOf(honest), "createAndInitializePoolIfNecessary", [USDC, WETH, 100, sqrtPriceX96])

export const liquidityLies: ReadonlyArray<Lie> = [
  // What is put in
  {
    name: "the NFT goes to somebody else",
    codes: ["pays_somebody_else"],
    changes: onRouter(
      "mint",
      withFields(() => ({ recipient: ATTACKER }))
    )
  },
  {
    name: "the position is in a pool with another fee",
    codes: ["wrong_position"],
    changes: onRouter(
      "mint",
      withFields(() => ({ fee: 10_000 }))
    )
  },
  {
    name: "the position is in a pool of another token",
    codes: ["wrong_position"],
    changes: onRouter(
      "mint",
      withFields(() => ({ token0: LINK }))
    )
  },
  {
    name: "the position has a wider range",
    codes: ["wrong_position"],
    changes: named(
      /^(?!.*all prices)/u,
      onRouter(
        "mint",
        withFields(({ tickUpper }) => ({ tickUpper: tickUpper + 60 }))
      )
    )
  },
  {
    name: "the position has a narrower range",
    codes: ["wrong_position"],
    changes: onRouter(
      "mint",
      withFields(({ tickLower }) => ({ tickLower: tickLower + 60 }))
    )
  },
  {
    name: "the position has another range, and the quote shows it",
    codes: ["wrong_position"],
    changes: named(
      /^(?!.*all prices)/u,
      alsoShown(onRouter("mint", shifted(-6000)), ({ tickLower, tickUpper }) => ({
        tickLower: tickLower - 6000,
        tickUpper: tickUpper - 6000
      }))
    )
  },
  {
    name: "the position's ticks are not of the pool's spacing",
    codes: ["wrong_position"],
    changes: named(/friend/u, onRouter("mint", shifted(1)))
  },
  {
    // Of one token alone a position takes all or nothing, whatever the least is.
    name: "the position may take as little as it likes",
    codes: ["gives_too_little"],
    changes: named(
      /^(?!.*above the price)/u,
      onRouter(
        "mint",
        withFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
      )
    )
  },
  {
    name: "the position may take two percent less",
    codes: ["gives_too_little"],
    changes: named(
      /over all prices|another token/u,
      onRouter(
        "mint",
        withFields(({ amount0Min, amount1Min }) => ({ amount0Min: part(amount0Min), amount1Min: part(amount1Min) }))
      )
    )
  },
  {
    name: "an addition may take as little as it likes",
    codes: ["gives_too_little"],
    changes: onRouter(
      "increaseLiquidity",
      withFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
    )
  },
  {
    name: "the swap before a deposit may give two percent less",
    codes: ["gives_too_little"],
    changes: inSwap(({ amountOutMinimum }) => ({ amountOutMinimum: part(amountOutMinimum) }))
  },
  {
    name: "the swap before a deposit goes to somebody else",
    codes: ["pays_somebody_else"],
    changes: inSwap(() => ({ recipient: ATTACKER }))
  },
  {
    name: "what needs no swap is not put in",
    codes: ["allowance_remains", "left_in_router", "pays_too_little"],
    changes: inRouter((steps) => steps.filter(([name]) => name !== "pull" && name !== "wrapETH"))
  },
  {
    name: "more is pulled, and swept",
    codes: ["unknown_spender", "pays_too_much"],
    changes: onRouter("pull", ([token, value]) => [token, value + 1n])
  },
  {
    name: "leftovers go to the address that means the caller in swaps alone",
    codes: ["pays_somebody_else"],
    changes: onRouter("sweepToken", ([token, least]) => [token, least, `0x${"1".padStart(40, "0")}`])
  },
  {
    name: "the router calls a contract that is no token of the position",
    codes: ["unknown_call"],
    changes: onRouter("approveZeroThenMax", () => [ATTACKER])
  },
  {
    name: "what is left over goes to somebody else",
    codes: ["pays_somebody_else"],
    changes: onRouter("sweepToken", ([token, least]) => [token, least, ATTACKER])
  },
  {
    name: "what is left over goes to who takes a fee",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: named(
      /^(?!withdrawal)/u,
      onRouter("sweepToken", ([token, least]) => [token, least, PARTNER])
    )
  },
  {
    name: "what is left over stays with the router",
    codes: ["left_in_router"],
    changes: inRouter((steps) => steps.filter(([name]) => name !== "sweepToken" && name !== "unwrapWETH9"))
  },
  {
    name: "nothing is put into a position, and all is given back",
    codes: ["gives_too_little"],
    changes: inRouter((steps) => steps.filter(([name]) => name !== "mint" && name !== "increaseLiquidity"))
  },
  {
    name: "a second position is made",
    codes: ["unknown_call"],
    changes: inRouter((steps) => steps.flatMap((step) => (step[0] === "mint" ? [step, step] : [step])))
  },
  {
    name: "it is added to somebody else's position",
    codes: ["wrong_position"],
    changes: onRouter(
      "increaseLiquidity",
      withFields(() => ({ tokenId: THEIRS }))
    )
  },
  {
    name: "it is added to somebody else's position, and the quote shows it",
    codes: ["wrong_position", "wrong_echo"],
    changes: alsoShown(
      onRouter(
        "increaseLiquidity",
        withFields(() => ({ tokenId: THEIRS }))
      ),
      () => ({ tokenId: "1" })
    )
  },
  {
    name: "a new position is made in the place of an addition",
    codes: ["gives_too_little", "unknown_call"],
    changes: inRouter((steps) =>
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
    changes: named(
      /^position for/u,
      onCalls((call, honest) => ({
        ...call,
        data: call.data.startsWith(`0x095ea7b3${routerOf(honest).slice(2).padStart(64, "0")}`)
          ? `${call.data.slice(0, -24)}${"f".repeat(24)}`
          : call.data
      }))
    )
  },
  {
    name: "the position manager gets an allowance of the wallet",
    codes: ["unknown_spender"],
    changes: named(
      /^position for/u,
      alsoCalls((honest) => callOf(USDC, "approve", [managerOf(honest), 1n]))
    )
  },
  // Pools
  {
    name: "a pool is made with another price than it was computed with",
    codes: ["wrong_price"],
    changes: named(
      /new pool/u,
      onCalls((call) => {
        const start = call.data.length - 64
        const isCreation = call.data.startsWith("0x13ead562")
        return isCreation
          ? { ...call, data: `${call.data.slice(0, start)}${(2n ** 100n).toString(16).padStart(64, "0")}` }
          : call
      })
    )
  },
  {
    name: "a pool is made of which the quote says nothing",
    codes: ["wrong_echo", "unknown_call"],
    changes: alsoCalls(created(2n ** 96n))
  },
  {
    name: "a pool is made first of which the quote says nothing",
    codes: ["wrong_echo", "unknown_call"],
    changes: named(/^(?!.*new pool)/u, (honest) => ({ calls: (calls) => [created(2n ** 96n)(honest), ...calls] }))
  },
  {
    name: "the quote hides that a pool is made",
    codes: ["wrong_echo"],
    changes: named(
      /new pool/u,
      shows(() => ({ poolCreated: false }))
    )
  },
  {
    name: "the quote says that a pool is made",
    codes: ["wrong_echo"],
    changes: named(
      /^(?:position for|addition)/u,
      shows(() => ({ poolCreated: true }))
    )
  },
  // What is taken out
  {
    name: "it is taken out of another position of the wallet",
    codes: ["wrong_position"],
    changes: onManager(
      "decreaseLiquidity",
      withFields(() => ({ tokenId: THEIRS }))
    )
  },
  {
    name: "the fees of another position are collected",
    codes: ["wrong_position"],
    changes: onManager(
      "collect",
      withFields(() => ({ tokenId: THEIRS }))
    )
  },
  {
    name: "another NFT is burned",
    codes: ["wrong_position"],
    changes: onManager("burn", () => [THEIRS])
  },
  {
    name: "more is taken out than the percentage, and the quote shows it",
    codes: ["pays_too_much"],
    changes: named(
      /^withdrawal (?!of all)/u,
      alsoShown(
        onManager(
          "decreaseLiquidity",
          withFields(({ liquidity }) => ({ liquidity: liquidity + 1n }))
        ),
        (quote) => ({ liquidity: String(BigInt((quote as unknown as { liquidity: string }).liquidity) + 1n) })
      )
    )
  },
  {
    name: "less is taken out than the percentage",
    codes: ["gives_too_little"],
    changes: onManager(
      "decreaseLiquidity",
      withFields(({ liquidity }) => ({ liquidity: liquidity - 1n }))
    )
  },
  {
    name: "the position may give as little as it likes",
    codes: ["gives_too_little"],
    changes: onManager(
      "decreaseLiquidity",
      withFields(() => ({ amount0Min: 0n, amount1Min: 0n }))
    )
  },
  {
    name: "the position may give two percent less",
    codes: ["gives_too_little"],
    changes: named(
      /as another token/u,
      onManager(
        "decreaseLiquidity",
        withFields(({ amount0Min, amount1Min }) => ({ amount0Min: part(amount0Min), amount1Min: part(amount1Min) }))
      )
    )
  },
  {
    name: "nothing is taken out but fees",
    codes: ["gives_too_little"],
    changes: inManager((steps) => steps.filter(([name]) => name !== "decreaseLiquidity"))
  },
  {
    name: "it is collected before it is taken out, so that it stays in the position",
    codes: ["gives_too_little", "unknown_call"],
    changes: inManager((steps) => [
      ...steps.filter(([name]) => name === "collect"),
      ...steps.filter(([name]) => name !== "collect")
    ])
  },
  {
    name: "what comes out is collected by somebody else",
    codes: ["pays_somebody_else"],
    changes: onManager(
      "collect",
      withFields(() => ({ recipient: ATTACKER }))
    )
  },
  {
    name: "what comes out is collected by who takes a fee",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: named(
      /^(?:withdrawal|move) .*fees/u,
      onManager(
        "collect",
        withFields(() => ({ recipient: PARTNER }))
      )
    )
  },
  {
    name: "what comes out is collected for a router that does nothing with it",
    codes: ["left_in_router"],
    changes: named(
      /^(?:withdrawal|move)(?!.*by the wallet)/u,
      onManager(
        "collect",
        withFields((_, honest) => ({ recipient: routerOf(honest) }))
      )
    )
  },
  {
    name: "what is owed is collected in part",
    codes: ["gives_too_little"],
    changes: onManager(
      "collect",
      withFields(() => ({ amount0Max: 1n }))
    )
  },
  {
    name: "the NFT of a part is burned",
    codes: ["pays_too_much"],
    changes: named(
      /^withdrawal (?!of all)/u,
      inManager((steps) => [...steps, ["burn", [steps[0]![1][0].tokenId]]])
    )
  },
  {
    name: "the NFT of an empty position stays",
    codes: ["gives_too_little"],
    changes: inManager((steps) => steps.filter(([name]) => name !== "burn"))
  },
  {
    name: "the router pays out to somebody else",
    codes: ["pays_somebody_else", "gives_too_little"],
    changes: onPayout(([token, , least]) => [token, ATTACKER, least])
  },
  {
    name: "the router pays out one unit less than it must",
    codes: ["gives_too_little"],
    changes: onPayout(([token, to, least]) => [token, to, least - 1n])
  },
  {
    name: "the quote promises less, and the router enforces it",
    codes: ["gives_too_little"],
    changes: alsoShown(
      onPayout(([token, to]) => [token, to, 1n]),
      () => ({ minAmountOut: "0" })
    )
  },
  {
    name: "the router pays out another token",
    codes: ["gives_too_little"],
    changes: onPayout(([, to, least]) => [`0x${"da1".padStart(40, "0")}`, to, least])
  },
  {
    name: "the swap of what comes out goes to somebody else",
    codes: ["pays_somebody_else"],
    changes: onCommand("00", ([, ...rest]) => [ATTACKER, ...rest])
  },
  {
    name: "the swap of what comes out uses a part of it",
    codes: ["left_in_router"],
    changes: ofType(
      "LIQUIDITY_WITHDRAW",
      inUniversalRouter((commands) =>
        commands.flatMap(([code, input], i) =>
          code === "04" && i > commands.findIndex(([each]) => each === "04")
            ? []
            : [[code, code === "00" ? `${input.slice(0, 66)}${"1".padStart(64, "0")}${input.slice(130)}` : input]]
        )
      )
    )
  },
  {
    name: "what is moved stays with the router in part",
    codes: ["left_in_router"],
    changes: ofType(
      "LIQUIDITY_REBALANCE",
      inUniversalRouter((commands) => commands.slice(0, -1))
    )
  },
  {
    name: "what is moved goes to the wallet in part",
    codes: ["gives_too_little", "wrong_echo"],
    changes: ofType(
      "LIQUIDITY_REBALANCE",
      onCommand("04", ([token, , least], { account }) => [token, account.walletAddress, least])
    )
  },
  {
    name: "the swap of a move may give two percent less",
    codes: ["gives_too_little"],
    changes: ofType(
      "LIQUIDITY_REBALANCE",
      onCommand("00", ([to, amount, least, ...rest]) => [to, amount, part(least), ...rest])
    )
  },
  // Fees of what is taken out
  {
    name: "a fee is a larger share",
    codes: ["pays_too_much"],
    changes: onCommand("06", ([token, to, bips]) => [token, to, bips + 1n])
  },
  {
    name: "a fee is nearly everything",
    codes: ["pays_too_much"],
    changes: onCommand("06", ([token, to]) => [token, to, 9_999n])
  },
  {
    name: "a share goes to somebody else",
    codes: ["pays_somebody_else"],
    changes: onCommand("06", ([token, , bips]) => [token, ATTACKER, bips])
  },
  {
    name: "a share goes to somebody else besides",
    codes: ["pays_somebody_else"],
    changes: inUniversalRouter((commands) => {
      const last = commands.findLastIndex(([code]) => code === "00")
      return commands.toSpliced(last + 1, 0, command("06", USDC, ATTACKER, 1n))
    })
  },
  {
    name: "a share is taken before the rest of the token is there",
    codes: ["pays_too_little"],
    changes: named(
      /withdrawal.* with fees/u,
      inUniversalRouter((commands) => {
        const share = commands.findIndex(([code]) => code === "06")
        return [commands[share]!, ...commands.toSpliced(share, 1)]
      })
    )
  },
  {
    name: "a share is taken when the token has gone",
    codes: ["pays_too_little"],
    changes: named(
      /with fees/u,
      inUniversalRouter((commands) => {
        const share = commands.findLastIndex(([code]) => code === "06")
        return [...commands.toSpliced(share, 1), commands[share]!]
      })
    )
  },
  {
    name: "a fee that is an amount is larger",
    codes: ["pays_too_much"],
    changes: onCommand("05", ([token, to, amount]) => [token, to, amount + amount / 100n + 9n])
  },
  {
    name: "a fee is not paid",
    codes: ["gives_too_little"],
    changes: named(
      /with fees/u,
      inUniversalRouter((commands) => commands.filter(([code]) => code !== "05" && code !== "06"))
    )
  },
  {
    name: "the receiver of what is withdrawn gets a fee",
    codes: ["pays_somebody_else", "pays_too_much"],
    changes: ofType(
      "LIQUIDITY_REBALANCE",
      onCommand("06", ([token, , bips]) => [token, FRIEND, bips])
    )
  },
  {
    name: "the wallet pays a larger fee of what it has withdrawn",
    codes: ["pays_too_much"],
    changes: named(
      /by the wallet to a friend/u,
      onCalls((call) => {
        const isFee = call.data.startsWith("0xa9059cbb") && call.data.includes(PARTNER.slice(2))
        const amount = BigInt(`0x${call.data.slice(-64)}`)
        return isFee ? callOf(call.to, "transfer", [PARTNER, amount + amount / 50n + 9n]) : call
      })
    )
  },
  {
    name: "the wallet pays less of what it has withdrawn",
    codes: ["gives_too_little"],
    changes: named(
      /by the wallet to a friend/u,
      onCalls((call) =>
        call.data.startsWith("0xa9059cbb") && call.data.includes(FRIEND.slice(2))
          ? callOf(call.to, "transfer", [FRIEND, BigInt(`0x${call.data.slice(-64)}`) - 1n])
          : call
      )
    )
  },
  // The NFT, and other contracts
  {
    name: "somebody may take all NFTs of the wallet",
    codes: ["unknown_call"],
    changes: alsoCalls((honest) => callOf(managerOf(honest), "setApprovalForAll", [ATTACKER, true]))
  },
  {
    name: "somebody may take the NFT",
    codes: ["unknown_call"],
    changes: alsoCalls((honest) => callOf(managerOf(honest), "approve", [ATTACKER, THEIRS]))
  },
  {
    name: "the NFT is given away",
    codes: ["unknown_call"],
    changes: alsoCalls((honest) =>
      callOf(managerOf(honest), "safeTransferFrom", [honest.account.walletAddress, ATTACKER, THEIRS])
    )
  },
  {
    name: "the NFT is given away among other steps",
    codes: ["unreadable"],
    changes: inManager((steps, { account }) => [
      ["safeTransferFrom", [account.walletAddress, ATTACKER, THEIRS]],
      ...steps
    ])
  },
  {
    name: "coin is sent to the position manager",
    codes: ["unknown_call"],
    changes: named(
      /^(?:withdrawal|move)/u,
      onCalls((call, honest) => (call.to === managerOf(honest) ? { ...call, value: 1n } : call))
    )
  },
  {
    name: "the position manager is a contract of theirs",
    codes: ["unknown_call"],
    changes: named(
      /^(?:withdrawal|move)/u,
      onCalls((call, honest) => (call.to === managerOf(honest) ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "the router of positions is a contract of theirs",
    codes: ["unknown_call"],
    changes: named(
      /^(?:position|addition|move)/u,
      onCalls((call, honest) => (call.to === routerOf(honest) ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "the router that swaps what comes out is a contract of theirs",
    codes: ["unknown_call"],
    changes: named(
      /^(?:withdrawal|move)(?!.*by the wallet)/u,
      onCalls((call) => (call.to === UNIVERSAL_ROUTER ? { ...call, to: ATTACKER } : call))
    )
  },
  {
    name: "something is taken out besides",
    codes: ["unknown_call", "pays_somebody_else"],
    changes: named(
      /^(?:position|addition)/u,
      alsoCalls((honest) =>
        callOf(managerOf(honest), "multicall", [
          [encoded("collect", [{ tokenId: THEIRS, recipient: ATTACKER, amount0Max: 1n, amount1Max: 1n }])]
        ])
      )
    )
  },
  {
    name: "liquidity is taken out long after",
    codes: ["wrong_deadline"],
    changes: onManager(
      "decreaseLiquidity",
      withFields(() => ({ deadline: 2n ** 40n }))
    )
  },
  // What the quote shows
  {
    name: "the quote shows more liquidity than the amounts give",
    codes: ["wrong_echo"],
    changes: shows(({ liquidity }) => ({ liquidity: String((BigInt(liquidity ?? 0) * 11n) / 10n) }))
  },
  {
    name: "the quote shows other ticks than those signed",
    codes: ["wrong_echo"],
    changes: named(
      /^(?!withdrawal)/u,
      shows(({ tickUpper }) => ({ tickUpper: Number(tickUpper) - 60 }))
    )
  },
  {
    name: "the quote shows less than is put in",
    codes: ["wrong_echo"],
    changes: named(
      /^(?!withdrawal)/u,
      shows(() => ({ amount0: "0", amount1: "0" }))
    )
  },
  {
    name: "the quote hides that the NFT is burned",
    codes: ["wrong_echo"],
    changes: ofType(
      "LIQUIDITY_WITHDRAW",
      shows(({ burned }) => ({ burned: !burned }))
    )
  },
  {
    name: "the quote shows another position manager",
    codes: ["wrong_echo"],
    changes: shows(() => ({ nftAddress: ATTACKER }))
  },
  {
    name: "the quote shows another slippage",
    codes: ["wrong_echo"],
    changes: shows(() => ({ slippage: 3 }))
  },
  {
    name: "the quote shows another percentage",
    codes: ["wrong_echo"],
    changes: ofType(
      "LIQUIDITY_WITHDRAW",
      shows(() => ({ percentage: 1 }))
    )
  },
  {
    name: "the quote shows that less is collected than is taken out",
    codes: ["wrong_echo"],
    changes: named(
      /^(?:withdrawal|move)/u,
      shows(() => ({ collected: { amount0: "0.000001", amount1: "0.000001" } }))
    )
  },
  {
    name: "the quote shows that less is given for the liquidity",
    codes: ["wrong_echo", "gives_too_little"],
    changes: named(
      /^(?:withdrawal|move)/u,
      shows(() => ({ removed: { amount0: "1", amount1: "0.00001" } }))
    )
  }
]
