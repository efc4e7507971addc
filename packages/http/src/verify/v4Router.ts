import { type Bytes, largest, Unreadable } from "./bytes.ts"
import { ZERO } from "./contracts.ts"
import { type InstructionSet, runInstructions } from "./instructions.ts"
import type { Ledger } from "./ledger.ts"
import { CALLER, CONTRACT_BALANCE, endsOf, hex, type List, number, recipientOf } from "./routerWords.ts"

/**
 * Decodes the actions of Uniswap V4's router (`Actions.sol`, `V4Router.sol`), which is part of the Universal Router.
 */

/**
 * The router's balance of a token in the pool manager: exactly `minAmount` if `isExact`, otherwise at least
 * `minAmount`. A negative balance is a debt.
 */
interface Delta {
  readonly minAmount: bigint
  readonly isExact: boolean
}

const ZERO_DELTA: Delta = { minAmount: 0n, isExact: true }

/** One unlock of the pool manager. The pool manager reverts if a balance is not zero at the end. */
interface PoolManagerUnlock {
  readonly ledger: Ledger
  readonly router: Bytes
  readonly deltas: Map<Bytes, Delta>
  /** Tokens of which the router has paid its complete balance. It may have been too low for the debt. */
  readonly paidByBalance: Set<Bytes>
  /**
   * The fees that were paid from the router's balance before it was settled; null before the first settlement or
   * payout.
   */
  shares: string | null
}

type Action = (unlock: PoolManagerUnlock, args: List) => void

const requireNoHook = ({ ledger }: PoolManagerUnlock, hooks: unknown, data: unknown): void => {
  if (hooks !== ZERO || data !== "0x")
    ledger.report(
      "unknown_hook",
      `The swap uses a pool with the hook contract ${hooks}, or passes data to it. Hooks can't be verified.`
    )
}

const deltaOf = ({ deltas }: PoolManagerUnlock, token: Bytes): Delta => deltas.get(token) ?? ZERO_DELTA

const addToDelta = (unlock: PoolManagerUnlock, token: Bytes, amount: bigint): void => {
  const { isExact, minAmount } = deltaOf(unlock, token)
  unlock.deltas.set(token, { minAmount: minAmount + amount, isExact })
}

const addInput = (unlock: PoolManagerUnlock, paidFees: string): void => {
  if (unlock.shares !== null && unlock.shares !== paidFees)
    unlock.ledger.report("pays_too_little", "A fee applies to only a part of the swapped amount.")
  unlock.shares = paidFees
}

/**
 * Takes the router's complete credit. Actions request this with an amount of zero. The router must have no debt
 * (`_getFullCredit`).
 */
const takeFullCredit = (unlock: PoolManagerUnlock, token: Bytes): Delta => {
  const delta = deltaOf(unlock, token)
  if (delta.minAmount < 0n) throw new Unreadable("a router uses its credit of a token for which it may have a debt")
  unlock.deltas.set(token, ZERO_DELTA)
  return delta
}

const swap = (unlock: PoolManagerUnlock, path: ReadonlyArray<Bytes>, amountIn: bigint, minAmount: bigint): void => {
  const [tokenIn, tokenOut] = endsOf(path)
  unlock.ledger.runCode(path)
  if (amountIn === 0n) takeFullCredit(unlock, tokenIn)
  else addToDelta(unlock, tokenIn, -amountIn)
  unlock.deltas.set(tokenOut, { minAmount: deltaOf(unlock, tokenOut).minAmount + minAmount, isExact: false })
}

/**
 * Pays a debt of the router. An amount of zero means the complete debt; the router must then have no credit
 * (`_getFullDebt`).
 */
const settle = (unlock: PoolManagerUnlock, token: Bytes, amount: bigint, payerIsUser: boolean): void => {
  const { ledger, router } = unlock
  const { isExact, minAmount } = deltaOf(unlock, token)
  if (amount === CONTRACT_BALANCE) {
    if (payerIsUser) throw new Unreadable("the wallet pays the amount of a router's balance")
    // The router pays its complete balance, which can exceed the known amount. Only the payment of a debt is certain:
    // the pool manager reverts if less is paid. A token's code may have taken a part of any other amount.
    const { known, more, shares } = ledger.sell(router, token, null)
    addInput(unlock, shares)
    unlock.paidByBalance.add(token)
    const newAmount = minAmount + known
    const isDebtPaid = newAmount <= 0n
    unlock.deltas.set(token, {
      minAmount: isDebtPaid ? newAmount : largest(minAmount, 0n),
      isExact: isExact && isDebtPaid && more === "NONE"
    })
    return
  }
  // If the balance was too low, the payer would pay the rest of the debt.
  const isUnknownDebt = minAmount > 0n || !isExact || unlock.paidByBalance.has(token)
  if (amount === 0n && isUnknownDebt) throw new Unreadable("a router pays an unknown debt")
  const paidAmount = amount === 0n ? -minAmount : amount
  addToDelta(unlock, token, paidAmount)
  if (payerIsUser) ledger.pull(token, router, paidAmount, "PERMIT2")
  addInput(unlock, payerIsUser ? "" : ledger.sell(router, token, paidAmount).shares)
}

const takeToken = (unlock: PoolManagerUnlock, token: Bytes, to: Bytes, amount: bigint): void => {
  const { ledger, router } = unlock
  const receiver = recipientOf(ledger, router, to)
  ledger.runCode([token])
  // If the payout comes first, the input must not have paid fees, because the output would not show them.
  unlock.shares ??= ""
  if (amount > 0n) {
    addToDelta(unlock, token, -amount)
    ledger.arrive(token, receiver, amount, "EXACTLY", unlock.shares)
  } else {
    const { isExact, minAmount } = takeFullCredit(unlock, token)
    ledger.arrive(token, receiver, minAmount, isExact ? "EXACTLY" : "AT_LEAST", unlock.shares)
  }
}

const actions: InstructionSet<Action> = {
  // SWAP_EXACT_IN_SINGLE
  "06": [
    "((address,address,uint24,int24,address),bool,uint128,uint128,bytes)",
    (unlock, [params]) => {
      const [pool, zeroForOne, amountIn, minAmount, hookData] = params as List
      const [currency0, currency1, , , hooks] = pool as List
      requireNoHook(unlock, hooks, hookData)
      const [token0, token1] = [currency0, currency1].map((each) => unlock.ledger.tokenOf(hex(each))) as [Bytes, Bytes]
      swap(unlock, zeroForOne === 1n ? [token0, token1] : [token1, token0], number(amountIn), number(minAmount))
    }
  ],
  // SWAP_EXACT_IN
  "07": [
    "(address,(address,uint24,int24,address,bytes)[],uint128,uint128)",
    (unlock, [params]) => {
      const [currencyIn, path, amountIn, minAmount] = params as List
      const hops = path as ReadonlyArray<List>
      for (const [, , , hooks, hookData] of hops) requireNoHook(unlock, hooks, hookData)
      const tokens = [currencyIn, ...hops.map(([currency]) => currency)].map((each) => unlock.ledger.tokenOf(hex(each)))
      swap(unlock, tokens, number(amountIn), number(minAmount))
    }
  ],
  // SETTLE, SETTLE_ALL
  "0b": [
    "address,uint256,bool",
    (unlock, [currency, amount, payerIsUser]) =>
      settle(unlock, unlock.ledger.tokenOf(hex(currency)), number(amount), payerIsUser === 1n)
  ],
  "0c": ["address,uint256", (unlock, [currency]) => settle(unlock, unlock.ledger.tokenOf(hex(currency)), 0n, true)],
  // TAKE, TAKE_ALL
  "0e": [
    "address,address,uint256",
    (unlock, [currency, to, amount]) => takeToken(unlock, unlock.ledger.tokenOf(hex(currency)), hex(to), number(amount))
  ],
  "0f": [
    "address,uint256",
    (unlock, [currency, minAmount]) => {
      const token = unlock.ledger.tokenOf(hex(currency))
      const credit = takeFullCredit(unlock, token)
      unlock.deltas.set(token, { ...credit, minAmount: largest(credit.minAmount, number(minAmount)) })
      takeToken(unlock, token, CALLER, 0n)
    }
  ]
}

export const runV4 = (ledger: Ledger, router: Bytes, codes: Bytes, inputs: ReadonlyArray<Bytes>): void => {
  const unlock: PoolManagerUnlock = { ledger, router, deltas: new Map(), paidByBalance: new Set(), shares: null }
  runInstructions(actions, codes, inputs, (run, args) => run(unlock, args))
  for (const [token, { isExact, minAmount }] of unlock.deltas) {
    if (!isExact || minAmount !== 0n)
      ledger.report(
        "left_in_router",
        `The balance of ${token} in the pool manager is not settled, and ${router} may keep it.`
      )
  }
}
