import { type Bytes, largest } from "./bytes.ts"
import { type LenderKind, NATIVE, permit2, type RouterKind, ZERO } from "./contracts.ts"
import type { LendingAct } from "./LendingAct.ts"
import type { Pair } from "./liquidityMath.ts"
import type { Held, PositionAct } from "./PositionAct.ts"
import type { ProblemCode } from "./shapes.ts"
import type { SpokePool } from "./spokePools.ts"

/**
 * A router's balance of a token: a known amount, and an amount from swaps or positions that is unknown before
 * execution.
 */
interface Holding extends Held {
  readonly more: "NONE" | "OF_SWAPS" | "OF_POSITION"
  /** The fees that were paid out of the balance, in order. They did not apply to later inflows. */
  readonly shares: string
}

const EMPTY: Holding = { known: 0n, promised: 0n, enforced: 0n, more: "NONE", shares: "" }

/** Takes an amount from the balance, most certain part first. Returns the rest. */
const takenOf = (heldAmounts: Held, amount: bigint): readonly [taken: Held, left: Held] => {
  let openAmount = amount
  const from = (part: bigint): bigint => {
    const usedPart = part < openAmount ? part : openAmount
    openAmount -= usedPart
    return usedPart
  }
  const [known, promised, enforced] = [from(heldAmounts.known), from(heldAmounts.promised), from(heldAmounts.enforced)]
  return [
    { known, promised, enforced },
    {
      known: heldAmounts.known - known,
      promised: heldAmounts.promised - promised,
      enforced: heldAmounts.enforced - enforced
    }
  ]
}

const sumOf = ({ enforced, known, promised }: Held): bigint => known + promised + enforced

const isNothing = (holding: Holding): boolean => sumOf(holding) === 0n && holding.more === "NONE"

/** A payment of a part of a router's balance, as hundredths of a percent or as an amount. */
export interface Cut {
  readonly token: Bytes
  readonly to: Bytes
  readonly bips: bigint
  readonly amount: bigint
}

/** The position of a withdrawal: the tokens of its pool, and the quote's figures for them. */
export interface OpenPosition {
  readonly tokens: readonly [Bytes, Bytes]
  readonly promised: Pair
}

/** Across's SpokePool on the operation's chain, with the bound of the fee. */
export interface Bridge extends SpokePool {
  /** Whether the receiver should get native tokens on the destination chain. */
  readonly isNativeAsked: boolean
  /** The maximum bridge fee, in percent of the deposit's value at par. */
  readonly maxFeePercent: number
}

const keyOf = (...parts: ReadonlyArray<Bytes>): string => parts.join(" ")

const add = (map: Map<string, bigint>, key: string, amount: bigint): void => {
  map.set(key, (map.get(key) ?? 0n) + amount)
}

/**
 * The worst-case sum of an operation's calls. It has the amounts that leave the wallet, that others and the wallet
 * certainly receive (a sent amount, or a router's enforced minimum), that spenders may take, and that remain in
 * routers.
 */
export class Ledger {
  readonly wallet: Bytes
  readonly wrapped: Bytes
  readonly routers: Readonly<Record<Bytes, RouterKind>>
  readonly lenders: Readonly<Record<Bytes, LenderKind>>
  /** Uniswap's position manager; null if the request has no position. */
  readonly manager: Bytes | null
  readonly position: OpenPosition | null
  /** The bridge to another chain; null for a same-chain request. */
  readonly bridge: Bridge | null
  readonly report: (code: ProblemCode, message: string) => void
  /** Outflows by token. */
  readonly out = new Map<string, bigint>()
  readonly in = new Map<string, bigint>()
  /** Payments by receiver and token. */
  readonly paid = new Map<string, bigint>()
  /** Receivers and tokens, also of the wallet, for which the recorded amount is only a minimum. */
  readonly unbounded = new Set<string>()
  /** Allowances by token and spender; for Permit2 by token, router and Permit2. */
  readonly allowances = new Map<string, bigint>()
  readonly deadlines: Array<bigint> = []
  /** Facts about the calls that cannot be known, as sentences. */
  readonly unknown = new Set<string>()
  /** Calls to lending protocols, in order. */
  readonly acts: Array<LendingAct> = []
  /** Calls to position managers, in order. */
  readonly positionActs: Array<PositionAct> = []
  /** Router tokens that the position manager may take. */
  readonly managed = new Set<Bytes>()
  /** Payments of fees from router balances, in order. */
  readonly cuts: Array<Cut> = []
  readonly #holdings = new Map<string, Holding>()

  constructor({
    bridge,
    lenders,
    manager,
    position,
    report,
    routers,
    wallet,
    wrapped
  }: Pick<Ledger, "wallet" | "wrapped" | "routers" | "lenders" | "manager" | "position" | "bridge" | "report">) {
    this.wallet = wallet
    this.wrapped = wrapped
    this.routers = routers
    this.lenders = lenders
    this.manager = manager
    this.position = position
    this.bridge = bridge
    this.report = report
  }

  /** The token of a currency. All representations of the native token are treated as one. */
  tokenOf(currency: Bytes): Bytes {
    return currency === ZERO ? NATIVE : currency
  }

  #holding(router: Bytes, token: Bytes): Holding {
    return this.#holdings.get(keyOf(router, token)) ?? EMPTY
  }

  #give(router: Bytes, token: Bytes, given: Partial<Holding>): void {
    const holding = this.#holding(router, token)
    const { enforced, known, more, promised } = holding
    const shares = given.shares ?? ""
    if (!isNothing(holding) && shares !== holding.shares)
      this.report("pays_too_little", `A share of ${token} is taken before the whole amount has arrived.`)
    this.#holdings.set(keyOf(router, token), {
      known: known + (given.known ?? 0n),
      promised: promised + (given.promised ?? 0n),
      enforced: enforced + (given.enforced ?? 0n),
      more:
        given.more === undefined || given.more === "NONE" || more === "OF_POSITION"
          ? more
          : given.more === "OF_POSITION"
            ? "OF_POSITION"
            : "OF_SWAPS",
      shares
    })
  }

  /** Records that the wallet sends an amount itself. */
  send(token: Bytes, to: Bytes, amount: bigint): void {
    add(this.out, token, amount)
    this.arrive(token, to, amount, "EXACTLY")
  }

  /** Records native tokens that are sent with a call to a contract that is recorded elsewhere. */
  sendWith(amount: bigint): void {
    add(this.out, NATIVE, amount)
  }

  /** Records that the wallet exchanges one token for the same amount of another. */
  exchange(inputToken: Bytes, got: Bytes, amount: bigint): void {
    add(this.out, inputToken, amount)
    add(this.in, got, amount)
  }

  /** Records an amount that arrives, exactly or at least. `shares` are the fees that were paid out of its source. */
  arrive(token: Bytes, to: Bytes, amount: bigint, certainty: "EXACTLY" | "AT_LEAST", shares = ""): void {
    if (this.routers[to] === undefined) {
      if (to === this.wallet) add(this.in, token, amount)
      else add(this.paid, keyOf(to, token), amount)
      if (certainty === "AT_LEAST") this.unbounded.add(keyOf(to, token))
    } else {
      const holdingChange: Partial<Holding> =
        certainty === "EXACTLY" ? { known: amount } : { enforced: amount, more: "OF_SWAPS" }
      this.#give(to, token, { ...holdingChange, shares })
    }
  }

  allow(token: Bytes, spender: Bytes, amount: bigint): void {
    this.allowances.set(keyOf(token, spender), amount)
  }

  allowByPermit2(token: Bytes, router: Bytes, amount: bigint): void {
    this.allowances.set(keyOf(token, router, permit2), amount)
  }

  #spend(key: string, token: Bytes, amount: bigint): void {
    const allowedAmount = this.allowances.get(key) ?? 0n
    if (allowedAmount < amount)
      this.report("unknown_spender", `The taken amount of ${token} is more than the previous calls allow.`)
    else this.allowances.set(key, allowedAmount - amount)
  }

  /** Records that a router takes an amount from the wallet by its allowance, or by Permit2. */
  pull(token: Bytes, router: Bytes, amount: bigint, by: "ALLOWANCE" | "PERMIT2"): void {
    const usedAllowances =
      by === "ALLOWANCE" ? [keyOf(token, router)] : [keyOf(token, permit2), keyOf(token, router, permit2)]
    for (const key of usedAllowances) this.#spend(key, token, amount)
    add(this.out, token, amount)
  }

  /** Records that a lending protocol takes an amount by its allowance, or a whole debt of unknown amount. */
  lend(token: Bytes, lender: Bytes, amount: bigint | "MAX"): void {
    if (amount !== "MAX") this.#spend(keyOf(token, lender), token, amount)
  }

  /** A router uses this amount of its balance, or all of it if null. Returns the known part. */
  use(router: Bytes, token: Bytes, amount: bigint | null): Holding {
    const holding = this.#holding(router, token)
    const [used, remainingHolding] = takenOf(holding, amount ?? sumOf(holding))
    if (amount !== null && amount > used.known && holding.more === "NONE") {
      this.report("left_in_router", `A router uses more of ${token} than it received from the previous calls.`)
    }
    const moreAmount = amount === used.known ? "NONE" : holding.more
    const { shares } = holding
    this.#holdings.set(keyOf(router, token), {
      ...remainingHolding,
      more: amount === null ? "NONE" : holding.more,
      shares
    })
    return { ...used, more: moreAmount, shares }
  }

  /** A router exchanges an amount for another token: for at least `amount`, if the call enforces a minimum. */
  pass(used: Holding, token: Bytes, to: Bytes, minAmount: bigint): void {
    if (this.routers[to] === undefined) this.arrive(token, to, largest(used.known, minAmount), "AT_LEAST")
    else this.#give(to, token, used)
  }

  /** A router pays a part of its balance. */
  cut(router: Bytes, cut: Cut): void {
    const { amount, bips, to, token } = cut
    this.cuts.push(cut)
    if (amount > 0n) {
      this.use(router, token, amount)
      this.arrive(token, to, amount, "EXACTLY")
      return
    }
    const holding = this.#holding(router, token)
    if (isNothing(holding)) this.report("pays_too_little", `A share of ${token} is taken where the balance is zero.`)
    const [, remainingHolding] = takenOf(holding, (sumOf(holding) * bips) / 10_000n)
    this.#holdings.set(keyOf(router, token), {
      ...holding,
      ...remainingHolding,
      shares: `${holding.shares} ${to} ${bips}`
    })
    this.arrive(token, to, 0n, this.routers[to] === undefined ? "EXACTLY" : "AT_LEAST")
  }

  /** A position pays the owed amounts to the wallet. */
  collect(to: Bytes): void {
    for (const [i, token] of (this.position?.tokens ?? []).entries()) {
      if (this.routers[to] === undefined) this.arrive(token, to, 0n, "AT_LEAST")
      else this.#give(to, token, { promised: this.position!.promised[i]!, more: "OF_POSITION" })
    }
  }

  /** A router deposits its balance of a token into a position, and may keep a part. */
  place(router: Bytes, token: Bytes): Held {
    const usedHolding = this.use(router, token, null)
    if (usedHolding.known > 0n || usedHolding.more !== "NONE") this.#give(router, token, { more: "OF_POSITION" })
    return usedHolding
  }

  knownIn(router: Bytes, token: Bytes): bigint {
    return this.#holding(router, token).known
  }

  /** The routers and tokens that may have a remainder, which anyone can take. */
  leftovers(): ReadonlyArray<string> {
    return [...this.#holdings].filter(([, { known, more }]) => more !== "NONE" || known > 0n).map(([key]) => key)
  }
}
