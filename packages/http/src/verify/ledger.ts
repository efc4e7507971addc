import type { Bytes } from "./bytes.ts"
import { type LenderKind, NATIVE, permit2, type RouterKind, ZERO } from "./contracts.ts"
import type { LendingAct } from "./LendingAct.ts"
import type { AmountPair } from "./liquidityMath.ts"
import type { HeldAmount, PositionAct } from "./PositionAct.ts"
import type { ProblemCode } from "./shapes.ts"
import type { SpokePool } from "./spokePools.ts"

/**
 * A router's balance of a token: the certain amount, and amounts from swaps or positions that are only known after
 * execution.
 */
interface Holding extends HeldAmount {
  readonly more: "NONE" | "OF_SWAPS" | "OF_POSITION"
  /**
   * The fees that were already paid from the balance, in order, as text. The ledger reports a later inflow with other
   * fees, because the paid fees did not apply to that inflow.
   */
  readonly shares: string
  /** Whether the code of a foreign token or receiver may have taken the balance since it arrived. */
  readonly isExposed: boolean
}

const EMPTY: Holding = { known: 0n, promised: 0n, enforced: 0n, more: "NONE", shares: "", isExposed: false }

/**
 * Splits a balance into the taken amount and the rest. Takes known amounts first, then promised and then enforced
 * amounts.
 */
const splitHolding = (heldAmounts: HeldAmount, amount: bigint): readonly [taken: HeldAmount, left: HeldAmount] => {
  let openAmount = amount
  const takeFrom = (availableAmount: bigint): bigint => {
    const usedAmount = availableAmount < openAmount ? availableAmount : openAmount
    openAmount -= usedAmount
    return usedAmount
  }
  const [known, promised, enforced] = [
    takeFrom(heldAmounts.known),
    takeFrom(heldAmounts.promised),
    takeFrom(heldAmounts.enforced)
  ]
  return [
    { known, promised, enforced },
    {
      known: heldAmounts.known - known,
      promised: heldAmounts.promised - promised,
      enforced: heldAmounts.enforced - enforced
    }
  ]
}

const sumOf = ({ enforced, known, promised }: HeldAmount): bigint => known + promised + enforced

const isEmpty = (holding: Holding): boolean => sumOf(holding) === 0n && holding.more === "NONE"

/**
 * A payment from a router's balance: an amount, or `bips` (hundredths of a percent) of the balance if `amount` is zero.
 */
export interface PaidShare {
  readonly token: Bytes
  readonly to: Bytes
  readonly bips: bigint
  readonly amount: bigint
}

/** A payment, and the fees that were paid from the balance before it, as text. */
export interface RecordedShare extends PaidShare {
  readonly paidBefore: string
}

/** The position of a withdrawal: the tokens of its pool, and the amounts that the quote states for them. */
export interface OpenPosition {
  readonly tokens: readonly [Bytes, Bytes]
  readonly promised: AmountPair
}

/** Across's SpokePool on the operation's chain, and the limit of the bridge fee. */
export interface Bridge extends SpokePool {
  /** Whether the request asks for native tokens on the destination chain. */
  readonly isNativeAsked: boolean
  /** Maximum bridge fee, in percent of the deposit's value at par. */
  readonly maxFeePercent: number
}

const keyOf = (...parts: ReadonlyArray<Bytes>): string => parts.join(" ")

/** Returns the sentence about a router's balance that the code of a foreign token or receiver could take. */
export const exposureSentence = (token: Bytes): string =>
  `Code that belongs to no token of the request runs while a router holds ${token}. If it is malicious, it could take this balance.`

const add = (map: Map<string, bigint>, key: string, amount: bigint): void => {
  map.set(key, (map.get(key) ?? 0n) + amount)
}

/**
 * Sums up the worst case of an operation's calls. It records which amounts leave the wallet, which amounts each
 * receiver certainly gets (a sent amount, or a router's enforced minimum), what spenders may take, and what remains in
 * routers.
 */
export class Ledger {
  readonly wallet: Bytes
  readonly wrapped: Bytes
  readonly routers: Readonly<Record<Bytes, RouterKind>>
  readonly lenders: Readonly<Record<Bytes, LenderKind>>
  /** Uniswap's NonfungiblePositionManager; null if the request concerns no position. */
  readonly manager: Bytes | null
  readonly position: OpenPosition | null
  /** The bridge to another chain; null for a same-chain request, and on a chain without a SpokePool. */
  readonly bridge: Bridge | null
  /** Tokens whose code is trusted: those of the request, its pools and the bridge, the wrapped and the native token. */
  readonly trusted: ReadonlySet<Bytes>
  readonly report: (code: ProblemCode, message: string) => void
  /** Amounts that leave the wallet, by token. */
  readonly out = new Map<string, bigint>()
  readonly in = new Map<string, bigint>()
  /** Amounts paid to others, by receiver and token. */
  readonly paid = new Map<string, bigint>()
  /** Receivers (including the wallet) and tokens whose recorded amount is only a minimum. */
  readonly unbounded = new Set<string>()
  /** Allowances by token and spender. Allowances within Permit2 are keyed by token, router and Permit2. */
  readonly allowances = new Map<string, bigint>()
  readonly deadlines: Array<bigint> = []
  /** Sentences about effects of the calls that cannot be known before execution. */
  readonly unknown = new Set<string>()
  /** Decoded calls to lending protocols, in order. */
  readonly acts: Array<LendingAct> = []
  /** Decoded calls to position managers, in order. */
  readonly positionActs: Array<PositionAct> = []
  /** Tokens for which a router has approved the position manager. */
  readonly managed = new Set<Bytes>()
  /** Fee payments from router balances, in order. */
  readonly cuts: Array<RecordedShare> = []
  /** Complete balances of tokens of a position that routers swap, with the amounts that the quote states. */
  readonly soldBalances: Array<{ readonly token: Bytes; readonly amount: bigint }> = []
  readonly #holdings = new Map<string, Holding>()
  /** The fractions that routers have paid of a token. Each later inflow of the token must have paid the same ones. */
  readonly #paidShares = new Map<Bytes, string>()
  /** Whether a router or a position has paid an account an amount that is only known after execution. */
  #hasPaidOut = false

  constructor({
    bridge,
    lenders,
    manager,
    position,
    report,
    routers,
    trusted,
    wallet,
    wrapped
  }: Pick<
    Ledger,
    "wallet" | "wrapped" | "routers" | "lenders" | "manager" | "position" | "bridge" | "report" | "trusted"
  >) {
    this.wallet = wallet
    this.wrapped = wrapped
    this.routers = routers
    this.lenders = lenders
    this.manager = manager
    this.position = position
    this.bridge = bridge
    this.report = report
    this.trusted = trusted
  }

  /** Normalizes a currency to a token address. All representations of the native token become one. */
  tokenOf(currency: Bytes): Bytes {
    return currency === ZERO ? NATIVE : currency
  }

  #holding(router: Bytes, token: Bytes): Holding {
    return this.#holdings.get(keyOf(router, token)) ?? EMPTY
  }

  #give(router: Bytes, token: Bytes, inflow: Partial<Holding>): void {
    this.#requireNoPayout()
    const holding = this.#holding(router, token)
    const { enforced, known, more, promised } = holding
    const shares = inflow.shares ?? ""
    const paidShares = this.#paidShares.get(token) ?? shares
    if (shares !== paidShares || (!isEmpty(holding) && shares !== holding.shares))
      this.report(
        "pays_too_little",
        `A fee in ${token} is paid before the complete amount has arrived, so it is too low.`
      )
    this.#holdings.set(keyOf(router, token), {
      known: known + (inflow.known ?? 0n),
      promised: promised + (inflow.promised ?? 0n),
      enforced: enforced + (inflow.enforced ?? 0n),
      more:
        inflow.more === undefined || inflow.more === "NONE" || more === "OF_POSITION"
          ? more
          : inflow.more === "OF_POSITION"
            ? "OF_POSITION"
            : "OF_SWAPS",
      shares,
      isExposed: holding.isExposed || inflow.isExposed === true
    })
  }

  /**
   * Records that the code of tokens runs; null for unknown contracts. If the request does not name one of them, its code
   * may take what routers hold at this time. Reports a problem if a router holds what a deposit left, because no
   * minimum covers it.
   */
  runCode(tokens: ReadonlyArray<Bytes> | null): void {
    if (tokens?.every((token) => this.trusted.has(token))) return
    if (this.#hasDeposited() && [...this.#holdings.values()].some(({ more }) => more === "OF_POSITION"))
      this.report(
        "gives_too_little",
        "The code of another token or receiver may take what the deposit left in a router."
      )
    for (const [key, holding] of this.#holdings)
      if (!isEmpty(holding)) this.#holdings.set(key, { ...holding, isExposed: true })
  }

  /** Returns whether a router may hold a token. */
  isHolding(router: Bytes, token: Bytes): boolean {
    return !isEmpty(this.#holding(router, token))
  }

  /**
   * Reports that a router is used after a payout, if the request concerns a position. The result of such an operation is
   * paid out last. What was paid out before could leave the wallet again, or hide how large a fee is.
   */
  #requireNoPayout(): void {
    if (this.manager !== null && this.#hasPaidOut)
      this.report("unknown_call", "A router is used after it has paid out tokens of the operation.")
  }

  #hasDeposited(): boolean {
    return this.positionActs.some(({ does }) => does === "MINT" || does === "INCREASE")
  }

  isExposed(router: Bytes, token: Bytes): boolean {
    return this.#holding(router, token).isExposed
  }

  /** Records a transfer by the wallet itself. */
  send(token: Bytes, to: Bytes, amount: bigint): void {
    add(this.out, token, amount)
    this.arrive(token, to, amount, "EXACTLY")
  }

  /** Records native tokens that the wallet sends with a call. The caller records the effect of the call itself. */
  sendWith(amount: bigint): void {
    add(this.out, NATIVE, amount)
  }

  /** Records that the wallet exchanges one token for an equal amount of another, such as a wrap. */
  exchange(inputToken: Bytes, outputToken: Bytes, amount: bigint): void {
    add(this.out, inputToken, amount)
    add(this.in, outputToken, amount)
  }

  /**
   * Records that a receiver gets exactly or at least an amount. `paidFees` are the fees that were already paid from its
   * source.
   */
  arrive(token: Bytes, to: Bytes, amount: bigint, certainty: "EXACTLY" | "AT_LEAST", paidFees = ""): void {
    if (this.routers[to] === undefined) {
      if (to === this.wallet) add(this.in, token, amount)
      else add(this.paid, keyOf(to, token), amount)
      if (certainty === "AT_LEAST") {
        this.unbounded.add(keyOf(to, token))
        this.#hasPaidOut = true
      }
      // A payment of native tokens runs the receiver's code.
      if (token === NATIVE && to !== this.wallet) this.runCode(null)
    } else {
      const holdingChange: Partial<Holding> =
        certainty === "EXACTLY" ? { known: amount } : { enforced: amount, more: "OF_SWAPS" }
      this.#give(to, token, { ...holdingChange, shares: paidFees })
    }
  }

  allow(token: Bytes, spender: Bytes, amount: bigint): void {
    this.#setAllowance(keyOf(token, spender), spender, amount)
  }

  allowByPermit2(token: Bytes, router: Bytes, amount: bigint): void {
    this.#setAllowance(keyOf(token, router, permit2), router, amount)
  }

  /**
   * Sets an allowance. Reports a problem if this replaces a router's allowance that is not used up in the ledger,
   * because the router may use more of it on-chain.
   */
  #setAllowance(key: string, spender: Bytes, amount: bigint): void {
    const isOfRouter = this.routers[spender] !== undefined || spender === permit2
    if (isOfRouter && (this.allowances.get(key) ?? 0n) > 0n)
      this.report("allowance_remains", `The calls replace an allowance of ${spender} before it is used up.`)
    this.allowances.set(key, amount)
  }

  #spend(key: string, token: Bytes, amount: bigint): void {
    const allowedAmount = this.allowances.get(key) ?? 0n
    if (allowedAmount < amount)
      this.report("unknown_spender", `A contract takes more ${token} than the previous calls have approved.`)
    else this.allowances.set(key, allowedAmount - amount)
  }

  /** Records that a router takes an amount from the wallet, by its allowance or through Permit2. */
  pull(token: Bytes, router: Bytes, amount: bigint, by: "ALLOWANCE" | "PERMIT2"): void {
    this.#requireNoPayout()
    const usedAllowances =
      by === "ALLOWANCE" ? [keyOf(token, router)] : [keyOf(token, permit2), keyOf(token, router, permit2)]
    for (const key of usedAllowances) this.#spend(key, token, amount)
    add(this.out, token, amount)
    this.runCode([token])
  }

  /**
   * Records that a lending protocol takes an amount by its allowance. MAX, a debt of unknown amount, is not checked
   * here.
   */
  lend(token: Bytes, lender: Bytes, amount: bigint | "MAX"): void {
    if (amount !== "MAX") this.#spend(keyOf(token, lender), token, amount)
  }

  /**
   * Removes an amount from a router's balance, or the complete balance if `amount` is null. Returns the removed amounts
   * by certainty.
   */
  use(router: Bytes, token: Bytes, amount: bigint | null): Holding {
    const holding = this.#holding(router, token)
    const [usedAmounts, remainingHolding] = splitHolding(holding, amount ?? sumOf(holding))
    if (amount !== null && amount > usedAmounts.known && holding.more === "NONE") {
      this.report("left_in_router", `A router uses more ${token} than it received from the previous calls.`)
    }
    const unknownSource = amount === usedAmounts.known ? "NONE" : holding.more
    const { isExposed, shares } = holding
    this.#holdings.set(keyOf(router, token), {
      ...remainingHolding,
      more: amount === null ? "NONE" : holding.more,
      shares,
      isExposed: amount !== null && isExposed
    })
    this.runCode([token])
    // The router can use an exact amount only if no code has taken it.
    return { ...usedAmounts, more: unknownSource, shares, isExposed: amount === null && isExposed }
  }

  /**
   * Removes an amount from a router's balance for a swap or for another router, or the complete balance if `amount` is
   * null. Of a position's tokens, only the amounts that the quote states may be used, and nothing that a deposit left.
   */
  sell(router: Bytes, token: Bytes, amount: bigint | null): Holding {
    this.#requireNoPayout()
    const { more } = this.#holding(router, token)
    const usedHolding = this.use(router, token, amount)
    if (more !== "OF_POSITION") return usedHolding
    if (this.#hasDeposited()) this.report("gives_too_little", `A router uses ${token} that the deposit left.`)
    else if (amount === null) this.soldBalances.push({ token, amount: sumOf(usedHolding) })
    else if (amount > sumOf(usedHolding))
      this.report("gives_too_little", `A router uses more ${token} than the quote states for the position.`)
    return usedHolding
  }

  /**
   * Records that a router exchanges `holding` for `token`. A receiver that is not a router gets at least `minAmount`.
   * The known amount of the holding does not count, because a token's code may have taken it from the router in
   * between.
   */
  pass(holding: Holding, token: Bytes, to: Bytes, minAmount: bigint): void {
    if (this.routers[to] === undefined) this.arrive(token, to, minAmount, "AT_LEAST")
    else this.#give(to, token, holding)
  }

  /** Records that a router pays a fee from its balance. */
  cut(router: Bytes, cut: PaidShare): void {
    this.#requireNoPayout()
    const { amount, bips, to, token } = cut
    this.cuts.push({ ...cut, paidBefore: this.#holding(router, token).shares })
    this.runCode([token])
    const isRouter = this.routers[to] !== undefined
    if (amount > 0n) {
      const { shares } = isRouter ? this.sell(router, token, amount) : this.use(router, token, amount)
      this.arrive(token, to, amount, "EXACTLY", shares)
      return
    }
    const holding = this.#holding(router, token)
    if (isEmpty(holding)) this.report("pays_too_little", `A fee in ${token} is paid from a balance of zero.`)
    const [, remainingHolding] = splitHolding(holding, (sumOf(holding) * bips) / 10_000n)
    const shares = `${holding.shares} ${to} ${bips}`
    this.#paidShares.set(token, shares)
    this.#holdings.set(keyOf(router, token), { ...holding, ...remainingHolding, shares })
    // The fraction could return, so that later fractions apply to more than the remainder.
    if (isRouter) this.report("gives_too_little", `A router pays a fraction of ${token} to another router.`)
    else this.arrive(token, to, 0n, "EXACTLY")
  }

  /** Records that a position pays the amounts that it owes to `to`. */
  collect(to: Bytes): void {
    for (const [i, token] of (this.position?.tokens ?? []).entries()) {
      if (this.routers[to] === undefined) this.arrive(token, to, 0n, "AT_LEAST")
      else this.#give(to, token, { promised: this.position!.promised[i]!, more: "OF_POSITION" })
    }
  }

  /** Records that a router deposits its balance of a token into a position. A part may remain in the router. */
  addDeposit(router: Bytes, token: Bytes): HeldAmount {
    this.#requireNoPayout()
    const usedHolding = this.use(router, token, null)
    if (usedHolding.isExposed && usedHolding.known > 0n)
      this.report(
        "gives_too_little",
        `The code of another token or receiver may take ${token} from the router before the deposit.`
      )
    else if (usedHolding.isExposed) this.unknown.add(exposureSentence(token))
    if (usedHolding.known > 0n || usedHolding.more !== "NONE")
      this.#give(router, token, { more: "OF_POSITION", shares: usedHolding.shares })
    return usedHolding
  }

  knownAmountIn(router: Bytes, token: Bytes): bigint {
    return this.#holding(router, token).known
  }

  /** Returns the routers and tokens of which a balance may remain. Anyone can take such a remainder. */
  leftovers(): ReadonlyArray<string> {
    return [...this.#holdings].filter(([, { known, more }]) => more !== "NONE" || known > 0n).map(([key]) => key)
  }
}
