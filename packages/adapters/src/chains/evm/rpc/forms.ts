import type { Hex } from "viem"

/** Whether a value in a node's response has a format. */
export type Form<A> = (value: unknown) => value is A

const textOf =
  (pattern: RegExp): Form<Hex> =>
  (value): value is Hex =>
    typeof value === "string" && pattern.test(value)

/** Up to 256 bits. */
export const quantity = textOf(/^0x[0-9a-f]{1,64}$/i)
/** Below 2^52, so that it is exact as a number: blocks, nonces, indexes, gas. */
export const count = textOf(/^0x0*[0-9a-f]{1,13}$/i)
/** Below 2^40 Unix seconds, so that a later deadline fits into 48 bits as contracts store it. */
export const seconds = textOf(/^0x0*[0-9a-f]{1,10}$/i)
/** Below 2^64 wei: eighteen native tokens per unit of gas. */
export const gasPrice = textOf(/^0x0*[0-9a-f]{1,16}$/i)
export const address = textOf(/^0x[0-9a-f]{40}$/i)
export const hash = textOf(/^0x[0-9a-f]{64}$/i)

const HEXADECIMAL = /^0x[0-9a-f]*$/i
export const data: Form<Hex> = (value): value is Hex =>
  typeof value === "string" && value.length % 2 === 0 && HEXADECIMAL.test(value)

export const text: Form<string> = (value) => typeof value === "string"
export const anything: Form<unknown> = (value): value is unknown => value !== undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object with these fields, and possibly others. */
export const objectOf = <A>(fields: { readonly [K in keyof Required<A>]: Form<A[K]> }): Form<A> => {
  const entries = Object.entries<Form<unknown>>(fields)
  return (value): value is A => isObject(value) && entries.every(([name, has]) => has(value[name]))
}

export const recordOf =
  <A>(has: Form<A>): Form<Readonly<Record<string, A>>> =>
  (value): value is Readonly<Record<string, A>> =>
    isObject(value) && Object.values(value).every(has)

export const listOf =
  <A>(has: Form<A>): Form<ReadonlyArray<A>> =>
  (value): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.every(has)

export const orNull =
  <A>(has: Form<A>): Form<A | null> =>
  (value): value is A | null =>
    value === null || has(value)

export const orMissing =
  <A>(has: Form<A>): Form<A | undefined> =>
  (value): value is A | undefined =>
    value === undefined || has(value)
