import { type Bytes, largest } from "./bytes.ts"
import { type LenderKind, NATIVE, permit2, type RouterKind, ZERO } from "./contracts.ts"
import type { LendingAct } from "./LendingAct.ts"
import type { ProblemCode } from "./shapes.ts"

/**
 * What a router holds of a token: an amount that is known, and more that is not, of which nobody knows before it is
 * executed how much is left once a part of it is used.
 */
interface Holding {
  known: bigint
  more: "NONE" | "UNTOUCHED" | "PARTLY_USED"
}

const keyOf = (...parts: ReadonlyArray<Bytes>): string => parts.join(" ")

const add = (map: Map<string, bigint>, key: string, amount: bigint): void => {
  map.set(key, (map.get(key) ?? 0n) + amount)
}

/**
 * What the calls of an operation do at worst, added up: what leaves the wallet, what others and the wallet are certain to
 * get (an amount that is sent, or the least that a router enforces), what spenders may take, what routers are left with.
 */
export class Ledger {
  readonly wallet: Bytes
  readonly wrapped: Bytes
  readonly routers: Readonly<Record<Bytes, RouterKind>>
  readonly lenders: Readonly<Record<Bytes, LenderKind>>
  readonly report: (code: ProblemCode, message: string) => void
  /** By token. */
  readonly out = new Map<string, bigint>()
  readonly in = new Map<string, bigint>()
  /** By receiver and token. */
  readonly paid = new Map<string, bigint>()
  /** By token and spender; of Permit2 by token, router and Permit2. */
  readonly allowances = new Map<string, bigint>()
  readonly deadlines: Array<bigint> = []
  /** At lending protocols, in order. */
  readonly acts: Array<LendingAct> = []
  readonly #holdings = new Map<string, Holding>()

  constructor({
    lenders,
    report,
    routers,
    wallet,
    wrapped
  }: Pick<Ledger, "wallet" | "wrapped" | "routers" | "lenders" | "report">) {
    this.wallet = wallet
    this.wrapped = wrapped
    this.routers = routers
    this.lenders = lenders
    this.report = report
  }

  /** The token of a currency: the coin is one, whatever contracts call it. */
  tokenOf(currency: Bytes): Bytes {
    return currency === ZERO ? NATIVE : currency
  }

  #holding(router: Bytes, token: Bytes): Holding {
    const key = keyOf(router, token)
    const holding = this.#holdings.get(key) ?? { known: 0n, more: "NONE" }
    this.#holdings.set(key, holding)
    return holding
  }

  /** The wallet sends an amount of its own. */
  send(token: Bytes, to: Bytes, amount: bigint): void {
    add(this.out, token, amount)
    this.arrive(token, to, amount, "EXACTLY")
  }

  /** The wallet gives one token for as much of another. */
  exchange(given: Bytes, got: Bytes, amount: bigint): void {
    add(this.out, given, amount)
    add(this.in, got, amount)
  }

  /** An amount arrives somewhere: exactly so much, or at least so much. */
  arrive(token: Bytes, to: Bytes, amount: bigint, certainty: "EXACTLY" | "AT_LEAST"): void {
    if (to === this.wallet) add(this.in, token, amount)
    else if (this.routers[to] === undefined) add(this.paid, keyOf(to, token), amount)
    else if (certainty === "EXACTLY") this.#holding(to, token).known += amount
    else this.#holding(to, token).more = "UNTOUCHED"
  }

  allow(token: Bytes, spender: Bytes, amount: bigint): void {
    this.allowances.set(keyOf(token, spender), amount)
  }

  allowByPermit2(token: Bytes, router: Bytes, amount: bigint): void {
    this.allowances.set(keyOf(token, router, permit2), amount)
  }

  /** A router takes an amount of the wallet by its allowance, or by Permit2. */
  pull(token: Bytes, router: Bytes, amount: bigint, by: "ALLOWANCE" | "PERMIT2"): void {
    const used = by === "ALLOWANCE" ? [keyOf(token, router)] : [keyOf(token, permit2), keyOf(token, router, permit2)]
    for (const key of used) {
      const allowed = this.allowances.get(key) ?? 0n
      if (allowed < amount) this.report("unknown_spender", `More of ${token} is taken than the calls before allow.`)
      else this.allowances.set(key, allowed - amount)
    }
    add(this.out, token, amount)
  }

  /** A lending protocol takes an amount by its allowance, or all of a debt, which it alone knows. */
  lend(token: Bytes, lender: Bytes, amount: bigint | "MAX"): void {
    const key = keyOf(token, lender)
    const allowed = this.allowances.get(key) ?? 0n
    if (amount === "MAX") return
    if (allowed < amount) this.report("unknown_spender", `More of ${token} is taken than the calls before allow.`)
    else this.allowances.set(key, allowed - amount)
  }

  /** A router uses so much of what it holds; all of it where the amount is null. Answers what is known of it. */
  use(router: Bytes, token: Bytes, amount: bigint | null): Pick<Holding, "known" | "more"> {
    const holding = this.#holding(router, token)
    const known = amount === null || amount > holding.known ? holding.known : amount
    if (amount !== null && amount > holding.known && holding.more === "NONE") {
      this.report("left_in_router", `A router uses more of ${token} than the calls before give it.`)
    }
    const used: Holding = { known, more: amount === known ? "NONE" : holding.more }
    holding.known -= known
    if (amount === null) holding.more = "NONE"
    else if (used.more !== "NONE") holding.more = "PARTLY_USED"
    return used
  }

  /** What a router uses of one token arrives as as much of another: at least so much, where that is enforced. */
  pass(used: Pick<Holding, "known" | "more">, token: Bytes, to: Bytes, least: bigint): void {
    if (this.routers[to] === undefined) this.arrive(token, to, largest(used.known, least), "AT_LEAST")
    else {
      this.arrive(token, to, used.known, "EXACTLY")
      if (used.more !== "NONE") this.arrive(token, to, 0n, "AT_LEAST")
    }
  }

  knownIn(router: Bytes, token: Bytes): bigint {
    return this.#holding(router, token).known
  }

  /** What routers are left with, where anybody can take it. */
  leftovers(): ReadonlyArray<string> {
    return [...this.#holdings].filter(([, { known, more }]) => more === "UNTOUCHED" || known > 0n).map(([key]) => key)
  }
}
