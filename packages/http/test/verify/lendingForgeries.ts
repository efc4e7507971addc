import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem"
import { USDC, WETH } from "../support/accounts.ts"
import type { Changes, ForgedCall } from "./forger.ts"
import { ATTACKER, type Forgery } from "./forgeries.ts"
import type { HonestQuote } from "./honestQuotes.ts"

/** Attacks of a server on lenders and borrowers. */

const abi = parseAbi([
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function withdraw(address asset, uint256 amount, address to)",
  "function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)",
  "function approve(address spender, uint256 amount)",
  "function withdraw(uint256 amount)"
])
const morphoAbi = parseAbi([
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
  "function setAuthorization(address authorized, bool newIsAuthorized)"
])

const AAVE = "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2"
export const MORPHO = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb"

const isLending = ({ quote }: HonestQuote) => quote.type.startsWith("LENDING")
const isAtAave = (honestQuote: HonestQuote) => isLending(honestQuote) && honestQuote.name !== "lending in a market"

const changeLending = (changesOf: (honestQuote: HonestQuote) => Changes) => (honest: HonestQuote) =>
  isLending(honest) ? changesOf(honest) : null
const changeAtAave = (changesOf: (honestQuote: HonestQuote) => Changes) => (honest: HonestQuote) =>
  isAtAave(honest) ? changesOf(honest) : null
const changeAtMorpho = (changesOf: (honestQuote: HonestQuote) => Changes) => (honest: HonestQuote) =>
  honest.name === "lending in a market" ? changesOf(honest) : null
const changeBorrow = (changesOf: (honestQuote: HonestQuote) => Changes) => (honest: HonestQuote) =>
  honest.name === "supply and borrow" ? changesOf(honest) : null

/** Changes the data of all calls to a contract. */
const changeCalls = (to: string, change: (data: Hex) => Hex): Changes => ({
  calls: (calls) => calls.map((each) => (each.to === to ? { ...each, data: change(each.data as Hex) } : each))
})

const addCall = (to: string, data: Hex): Changes => ({ calls: (calls) => [...calls, { to, data, value: 0n }] })

type Args = ReadonlyArray<unknown>

/** Changes the arguments of a call to Aave's pool, if it calls this function. */
const changeAaveCall = (name: "supply" | "borrow", change: (args: Args) => Args): Changes =>
  changeCalls(AAVE, (data) => {
    const { args, functionName } = decodeFunctionData({ abi, data })
    return functionName === name ? encodeFunctionData({ abi, functionName, args: change(args as Args) as never }) : data
  })

const changeMorphoCall = (change: (args: Args) => Args): Changes =>
  changeCalls(MORPHO, (data) => {
    const { args, functionName } = decodeFunctionData({ abi: morphoAbi, data })
    return encodeFunctionData({ abi: morphoAbi, functionName, args: change(args as Args) as never })
  })

const setArgument = (index: number, value: unknown) => (args: Args) => args.with(index, value)

const isApprovalOf = ({ data, to }: ForgedCall, token: string) => to === token && data.startsWith("0x095ea7b3")

export const lendingForgeries: ReadonlyArray<Forgery> = [
  {
    name: "the native token stays, and its wrapped form is supplied",
    codes: ["pays_too_little"],
    changes: ({ name }) =>
      name === "supply of the native token and borrow"
        ? { calls: (calls) => calls.filter(({ value }) => value === 0n) }
        : null
  },
  {
    name: "more of the native token is wrapped than is supplied",
    codes: ["pays_too_much"],
    changes: ({ name }) =>
      name === "supply of the native token and borrow"
        ? {
            calls: (calls) =>
              calls.map((call) => (call.value === 0n ? call : { ...call, value: call.value + 10n ** 18n }))
          }
        : null
  },
  {
    name: "the borrowed token is not unwrapped",
    codes: ["gives_too_little"],
    changes: ({ name }) =>
      name === "supply and borrow of the native token" ? { calls: (calls) => calls.slice(0, -1) } : null
  },
  {
    name: "the wrapped token is unwrapped without a request",
    codes: ["pays_too_much"],
    changes: changeLending(() =>
      addCall(WETH, encodeFunctionData({ abi, functionName: "withdraw", args: [10n ** 15n] }))
    )
  },
  {
    name: "the supply belongs to another account",
    codes: ["pays_somebody_else"],
    changes: changeAtAave(() => changeAaveCall("supply", setArgument(2, ATTACKER)))
  },
  {
    name: "the loan belongs to another account's position",
    codes: ["pays_somebody_else"],
    changes: changeBorrow(() => changeAaveCall("borrow", setArgument(4, ATTACKER)))
  },
  {
    name: "more is borrowed than requested",
    codes: ["pays_too_much"],
    changes: changeBorrow(() => changeAaveCall("borrow", (args) => args.with(1, (args[1] as bigint) + 1n)))
  },
  {
    name: "less is borrowed than requested",
    codes: ["gives_too_little"],
    changes: changeBorrow(() => changeAaveCall("borrow", (args) => args.with(1, (args[1] as bigint) - 1n)))
  },
  {
    name: "another token is borrowed",
    codes: ["gives_too_little"],
    changes: changeBorrow(() => changeAaveCall("borrow", setArgument(0, USDC)))
  },
  {
    name: "the loan has another kind of rate",
    codes: ["unreadable"],
    changes: changeBorrow(() => changeAaveCall("borrow", setArgument(2, 1n)))
  },
  {
    name: "nothing is borrowed",
    codes: ["gives_too_little"],
    changes: changeBorrow(() => ({ calls: (calls) => calls.slice(0, -1) }))
  },
  {
    name: "less is supplied, and the rest stays allowed",
    codes: ["gives_too_little", "allowance_remains"],
    changes: changeAtAave(() => changeAaveCall("supply", (args) => args.with(1, (args[1] as bigint) / 2n)))
  },
  {
    name: "the quote shows another amount of a leg",
    codes: ["wrong_echo"],
    changes: changeBorrow(() => ({
      quote: (quote) => ({
        ...quote,
        borrow: { token: { ...quote.borrow.token, amount: { ...quote.borrow.token.amount, value: "0.07" } } }
      })
    }))
  },
  {
    name: "the quote shows another token of a leg",
    codes: ["wrong_echo"],
    changes: changeBorrow(() => ({
      quote: (quote) => ({ ...quote, borrow: { token: { ...quote.borrow.token, tokenAddress: USDC } } })
    }))
  },
  {
    name: "a token is borrowed in addition",
    codes: ["unknown_call"],
    changes: changeAtAave(({ account }) =>
      addCall(
        AAVE,
        encodeFunctionData({ abi, functionName: "borrow", args: [WETH, 1n, 2n, 0, account.walletAddress as Hex] })
      )
    )
  },
  {
    name: "a token is withdrawn to another account in addition",
    codes: ["pays_somebody_else"],
    changes: changeAtAave(() =>
      addCall(AAVE, encodeFunctionData({ abi, functionName: "withdraw", args: [USDC, maxUint256, ATTACKER as Hex] }))
    )
  },
  {
    name: "an unknown function of the protocol is called",
    codes: ["unknown_call"],
    changes: changeAtAave(() =>
      addCall(AAVE, encodeFunctionData({ abi, functionName: "setUserUseReserveAsCollateral", args: [USDC, false] }))
    )
  },
  {
    name: "the attacker's contract is called instead of the protocol",
    codes: ["unknown_spender", "unknown_call"],
    changes: changeLending(() => ({
      calls: (calls) =>
        calls.map((each) =>
          each.to === AAVE || each.to === MORPHO
            ? { ...each, to: ATTACKER }
            : isApprovalOf(each, USDC)
              ? {
                  ...each,
                  data: each.data.replace(AAVE.slice(2), ATTACKER.slice(2)).replace(MORPHO.slice(2), ATTACKER.slice(2))
                }
              : each
        )
    }))
  },
  {
    name: "the market has the attacker's oracle",
    codes: ["unknown_market"],
    changes: changeAtMorpho(() =>
      changeMorphoCall((args) => args.with(0, { ...(args[0] as object), oracle: ATTACKER }))
    )
  },
  {
    name: "the market has another loan-to-value ratio",
    codes: ["unknown_market"],
    changes: changeAtMorpho(() =>
      changeMorphoCall((args) => args.with(0, { ...(args[0] as object), lltv: 10n ** 18n - 1n }))
    )
  },
  {
    name: "the lent amount belongs to another account",
    codes: ["pays_somebody_else"],
    changes: changeAtMorpho(() => changeMorphoCall(setArgument(3, ATTACKER)))
  },
  {
    name: "the protocol calls the wallet back",
    codes: ["unreadable"],
    changes: changeAtMorpho(() => changeMorphoCall(setArgument(4, "0x1234")))
  },
  {
    name: "everything is moved instead of an amount",
    codes: ["pays_too_much"],
    changes: changeAtMorpho(() => changeMorphoCall((args) => args.with(1, 0n).with(2, maxUint256)))
  },
  {
    name: "another account may manage the wallet's positions",
    codes: ["unknown_call"],
    changes: changeAtMorpho(() =>
      addCall(
        MORPHO,
        encodeFunctionData({ abi: morphoAbi, functionName: "setAuthorization", args: [ATTACKER as Hex, true] })
      )
    )
  }
]
