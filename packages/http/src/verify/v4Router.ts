import type { Bytes } from "./bytes.ts"
import { ZERO } from "./contracts.ts"
import { type InstructionSet, runInstructions } from "./instructions.ts"
import type { Ledger } from "./ledger.ts"
import { ALL, CALLER, hex, type List, number, placeOf } from "./routerWords.ts"

/** Uniswap V4's router (`Actions.sol`, `V4Router.sol`), inside of the Universal Router. */

/** What is open between the router and the pools, in one unlocking of them. */
interface Unlocking {
  readonly ledger: Ledger
  readonly router: Bytes
  /** What it owes, by token. */
  readonly debts: Map<Bytes, bigint>
  /** The least that it is owed, by token. */
  readonly credits: Map<Bytes, bigint>
}

type Action = (unlocking: Unlocking, args: List) => void

const requireNoHook = ({ ledger }: Unlocking, hooks: unknown, data: unknown): void => {
  if (hooks !== ZERO || data !== "0x") ledger.report("unknown_hook", `A pool has a hook that is not known (${hooks}).`)
}

/** Zero is V4's word for all that is open of a token. */
const orAllOf = (open: bigint, amount: bigint): bigint => (amount === 0n ? open : amount)

const swap = (
  { credits, debts }: Unlocking,
  [tokenIn, tokenOut]: readonly [Bytes, Bytes],
  amountIn: bigint,
  least: bigint
): void => {
  // What an earlier swap gave goes into this one first, and is certain no longer.
  const credit = credits.get(tokenIn) ?? 0n
  const amount = orAllOf(credit, amountIn)
  credits.set(tokenIn, credit > amount ? credit - amount : 0n)
  debts.set(tokenIn, (debts.get(tokenIn) ?? 0n) + (amount > credit ? amount - credit : 0n))
  credits.set(tokenOut, (credits.get(tokenOut) ?? 0n) + least)
}

const settle = ({ debts, ledger, router }: Unlocking, token: Bytes, amount: bigint, payerIsUser: boolean): void => {
  const paid = orAllOf(debts.get(token) ?? 0n, amount)
  debts.delete(token)
  if (payerIsUser) ledger.pull(token, router, paid, "PERMIT2")
  else ledger.use(router, token, paid === ALL ? null : paid)
}

const take = ({ credits, ledger, router }: Unlocking, token: Bytes, to: Bytes, amount: bigint): void => {
  const credit = credits.get(token) ?? 0n
  const taken = orAllOf(credit, amount)
  credits.set(token, credit > taken ? credit - taken : 0n)
  ledger.arrive(token, placeOf(ledger, router, to), taken, "AT_LEAST")
}

const actions: InstructionSet<Action> = {
  // SWAP_EXACT_IN_SINGLE
  "06": [
    "((address,address,uint24,int24,address),bool,uint128,uint128,bytes)",
    (unlocking, [params]) => {
      const [pool, zeroForOne, amountIn, least, hookData] = params as List
      const [currency0, currency1, , , hooks] = pool as List
      requireNoHook(unlocking, hooks, hookData)
      const [token0, token1] = [currency0, currency1].map((each) => unlocking.ledger.tokenOf(hex(each))) as [
        Bytes,
        Bytes
      ]
      swap(unlocking, zeroForOne === 1n ? [token0, token1] : [token1, token0], number(amountIn), number(least))
    }
  ],
  // SWAP_EXACT_IN
  "07": [
    "(address,(address,uint24,int24,address,bytes)[],uint128,uint128)",
    (unlocking, [params]) => {
      const [currencyIn, path, amountIn, least] = params as List
      const hops = path as ReadonlyArray<List>
      for (const [, , , hooks, hookData] of hops) requireNoHook(unlocking, hooks, hookData)
      const ends = [currencyIn, hops.at(-1)?.[0] ?? currencyIn].map((each) => unlocking.ledger.tokenOf(hex(each)))
      swap(unlocking, ends as [Bytes, Bytes], number(amountIn), number(least))
    }
  ],
  // SETTLE, SETTLE_ALL
  "0b": [
    "address,uint256,bool",
    (unlocking, [currency, amount, payerIsUser]) =>
      settle(unlocking, unlocking.ledger.tokenOf(hex(currency)), number(amount), payerIsUser === 1n)
  ],
  "0c": [
    "address,uint256",
    (unlocking, [currency]) => settle(unlocking, unlocking.ledger.tokenOf(hex(currency)), 0n, true)
  ],
  // TAKE, TAKE_ALL
  "0e": [
    "address,address,uint256",
    (unlocking, [currency, to, amount]) =>
      take(unlocking, unlocking.ledger.tokenOf(hex(currency)), hex(to), number(amount))
  ],
  "0f": [
    "address,uint256",
    (unlocking, [currency, least]) => {
      const token = unlocking.ledger.tokenOf(hex(currency))
      unlocking.credits.set(token, number(least))
      take(unlocking, token, CALLER, 0n)
    }
  ]
}

export const runV4 = (ledger: Ledger, router: Bytes, codes: Bytes, inputs: ReadonlyArray<Bytes>): void => {
  const unlocking: Unlocking = { ledger, router, debts: new Map(), credits: new Map() }
  runInstructions(actions, codes, inputs, (run, args) => run(unlocking, args))
}
